// Every element type of the contract, with a dim that may be 0.
func.func @main(%i1: tensor<?x3xi1> {fusion.name = "i1", fusion.dims = ["n", ""]}, %i8: tensor<?x3xi8> {fusion.name = "i8", fusion.dims = ["n", ""]}, %i16: tensor<?x3xi16> {fusion.name = "i16", fusion.dims = ["n", ""]}, %i32: tensor<?x3xi32> {fusion.name = "i32", fusion.dims = ["n", ""]}, %i64: tensor<?x3xi64> {fusion.name = "i64", fusion.dims = ["n", ""]}, %ui8: tensor<?x3xui8> {fusion.name = "ui8", fusion.dims = ["n", ""]}, %ui16: tensor<?x3xui16> {fusion.name = "ui16", fusion.dims = ["n", ""]}, %ui32: tensor<?x3xui32> {fusion.name = "ui32", fusion.dims = ["n", ""]}, %ui64: tensor<?x3xui64> {fusion.name = "ui64", fusion.dims = ["n", ""]}, %f16: tensor<?x3xf16> {fusion.name = "f16", fusion.dims = ["n", ""]}, %bf16: tensor<?x3xbf16> {fusion.name = "bf16", fusion.dims = ["n", ""]}, %f32: tensor<?x3xf32> {fusion.name = "f32", fusion.dims = ["n", ""]}, %f64: tensor<?x3xf64> {fusion.name = "f64", fusion.dims = ["n", ""]})
    -> (tensor<?x3xi1> {fusion.name = "i1_out"}, tensor<?x3xi8> {fusion.name = "i8_out"}, tensor<?x3xi16> {fusion.name = "i16_out"}, tensor<?x3xi32> {fusion.name = "i32_out"}, tensor<?x3xi64> {fusion.name = "i64_out"}, tensor<?x3xui8> {fusion.name = "ui8_out"}, tensor<?x3xui16> {fusion.name = "ui16_out"}, tensor<?x3xui32> {fusion.name = "ui32_out"}, tensor<?x3xui64> {fusion.name = "ui64_out"}, tensor<?x3xf16> {fusion.name = "f16_out"}, tensor<?x3xbf16> {fusion.name = "bf16_out"}, tensor<?x3xf32> {fusion.name = "f32_out"}, tensor<?x3xf64> {fusion.name = "f64_out"}) {
  %i1_sum = fusion.or %i1, %i1 : tensor<?x3xi1>
  %i8_sum = fusion.add %i8, %i8 : tensor<?x3xi8>
  %i16_sum = fusion.add %i16, %i16 : tensor<?x3xi16>
  %i32_sum = fusion.add %i32, %i32 : tensor<?x3xi32>
  %i64_sum = fusion.add %i64, %i64 : tensor<?x3xi64>
  %ui8_sum = fusion.add %ui8, %ui8 : tensor<?x3xui8>
  %ui16_sum = fusion.add %ui16, %ui16 : tensor<?x3xui16>
  %ui32_sum = fusion.add %ui32, %ui32 : tensor<?x3xui32>
  %ui64_sum = fusion.add %ui64, %ui64 : tensor<?x3xui64>
  %f16_sum = fusion.add %f16, %f16 : tensor<?x3xf16>
  %bf16_sum = fusion.add %bf16, %bf16 : tensor<?x3xbf16>
  %f32_sum = fusion.add %f32, %f32 : tensor<?x3xf32>
  %f64_sum = fusion.add %f64, %f64 : tensor<?x3xf64>
  return %i1_sum, %i8_sum, %i16_sum, %i32_sum, %i64_sum, %ui8_sum, %ui16_sum, %ui32_sum, %ui64_sum, %f16_sum, %bf16_sum, %f32_sum, %f64_sum :
    tensor<?x3xi1>, tensor<?x3xi8>, tensor<?x3xi16>, tensor<?x3xi32>, tensor<?x3xi64>, tensor<?x3xui8>, tensor<?x3xui16>, tensor<?x3xui32>, tensor<?x3xui64>, tensor<?x3xf16>, tensor<?x3xbf16>, tensor<?x3xf32>, tensor<?x3xf64>
}
