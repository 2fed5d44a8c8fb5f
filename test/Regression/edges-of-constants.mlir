// What has edges, on values that fusion makes constants and the unfused program has in
// memory: divisions by zero, the least integer, shifts past the width, conversions out of
// range, halfway and to denormals, NaN and zeros of both signs. Who folds and who computes
// must agree, to the bit.
// RUN: fusion-fuzz %s --numerics=strict | FileCheck %s
// RUN: fusion-fuzz %s --numerics=strict --device=emulator --target=sm_80 | FileCheck %s
// RUN: fusion-fuzz %s --numerics=strict --device=emulator --target=sm_90a | FileCheck %s
// CHECK: 1 agree
func.func @main() -> (tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i32>,
                      tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i64>,
                      tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i8>, tensor<i8>,
                      tensor<ui16>, tensor<ui16>, tensor<i32>, tensor<i32>, tensor<ui64>,
                      tensor<ui64>, tensor<i32>, tensor<i8>, tensor<ui8>, tensor<i32>,
                      tensor<ui32>, tensor<i64>, tensor<ui64>, tensor<i8>, tensor<ui8>,
                      tensor<i32>, tensor<ui32>, tensor<i64>, tensor<ui64>, tensor<i8>,
                      tensor<ui8>, tensor<i32>, tensor<ui32>, tensor<i64>, tensor<ui64>,
                      tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>,
                      tensor<f16>, tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<bf16>,
                      tensor<bf16>, tensor<bf16>, tensor<f16>, tensor<f16>, tensor<f16>,
                      tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>,
                      tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
                      tensor<f32>, tensor<f32>, tensor<f32>, tensor<f64>, tensor<f64>,
                      tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>) {
  %c1 = fusion.constant dense<-77.0> : tensor<f64>
  %b1 = fusion.broadcast %c1 dims = [] : tensor<f64> to tensor<f64>
  %f1 = fusion.floor %b1 : tensor<f64>
  %v1 = fusion.cast %f1 : tensor<f64> to tensor<i8>
  %c2 = fusion.constant dense<0.0> : tensor<f64>
  %b2 = fusion.broadcast %c2 dims = [] : tensor<f64> to tensor<f64>
  %f2 = fusion.floor %b2 : tensor<f64>
  %v2 = fusion.cast %f2 : tensor<f64> to tensor<i8>
  %c3 = fusion.constant dense<-128.0> : tensor<f64>
  %b3 = fusion.broadcast %c3 dims = [] : tensor<f64> to tensor<f64>
  %f3 = fusion.floor %b3 : tensor<f64>
  %v3 = fusion.cast %f3 : tensor<f64> to tensor<i8>
  %c4 = fusion.constant dense<-1.0> : tensor<f64>
  %b4 = fusion.broadcast %c4 dims = [] : tensor<f64> to tensor<f64>
  %f4 = fusion.floor %b4 : tensor<f64>
  %v4 = fusion.cast %f4 : tensor<f64> to tensor<i8>
  %0 = fusion.div %v1, %v2 : tensor<i8>
  %1 = fusion.rem %v1, %v2 : tensor<i8>
  %2 = fusion.div %v3, %v4 : tensor<i8>
  %3 = fusion.rem %v3, %v4 : tensor<i8>
  %4 = fusion.abs %v3 : tensor<i8>
  %c5 = fusion.constant dense<-77.0> : tensor<f64>
  %b5 = fusion.broadcast %c5 dims = [] : tensor<f64> to tensor<f64>
  %f5 = fusion.floor %b5 : tensor<f64>
  %v5 = fusion.cast %f5 : tensor<f64> to tensor<i32>
  %c6 = fusion.constant dense<0.0> : tensor<f64>
  %b6 = fusion.broadcast %c6 dims = [] : tensor<f64> to tensor<f64>
  %f6 = fusion.floor %b6 : tensor<f64>
  %v6 = fusion.cast %f6 : tensor<f64> to tensor<i32>
  %c7 = fusion.constant dense<-2147483648.0> : tensor<f64>
  %b7 = fusion.broadcast %c7 dims = [] : tensor<f64> to tensor<f64>
  %f7 = fusion.floor %b7 : tensor<f64>
  %v7 = fusion.cast %f7 : tensor<f64> to tensor<i32>
  %c8 = fusion.constant dense<-1.0> : tensor<f64>
  %b8 = fusion.broadcast %c8 dims = [] : tensor<f64> to tensor<f64>
  %f8 = fusion.floor %b8 : tensor<f64>
  %v8 = fusion.cast %f8 : tensor<f64> to tensor<i32>
  %5 = fusion.div %v5, %v6 : tensor<i32>
  %6 = fusion.rem %v5, %v6 : tensor<i32>
  %7 = fusion.div %v7, %v8 : tensor<i32>
  %8 = fusion.rem %v7, %v8 : tensor<i32>
  %9 = fusion.abs %v7 : tensor<i32>
  %c9 = fusion.constant dense<-77.0> : tensor<f64>
  %b9 = fusion.broadcast %c9 dims = [] : tensor<f64> to tensor<f64>
  %f9 = fusion.floor %b9 : tensor<f64>
  %v9 = fusion.cast %f9 : tensor<f64> to tensor<i64>
  %c10 = fusion.constant dense<0.0> : tensor<f64>
  %b10 = fusion.broadcast %c10 dims = [] : tensor<f64> to tensor<f64>
  %f10 = fusion.floor %b10 : tensor<f64>
  %v10 = fusion.cast %f10 : tensor<f64> to tensor<i64>
  %c11 = fusion.constant dense<-9.2233720368547758e+18> : tensor<f64>
  %b11 = fusion.broadcast %c11 dims = [] : tensor<f64> to tensor<f64>
  %f11 = fusion.floor %b11 : tensor<f64>
  %v11 = fusion.cast %f11 : tensor<f64> to tensor<i64>
  %c12 = fusion.constant dense<-1.0> : tensor<f64>
  %b12 = fusion.broadcast %c12 dims = [] : tensor<f64> to tensor<f64>
  %f12 = fusion.floor %b12 : tensor<f64>
  %v12 = fusion.cast %f12 : tensor<f64> to tensor<i64>
  %10 = fusion.div %v9, %v10 : tensor<i64>
  %11 = fusion.rem %v9, %v10 : tensor<i64>
  %12 = fusion.div %v11, %v12 : tensor<i64>
  %13 = fusion.rem %v11, %v12 : tensor<i64>
  %14 = fusion.abs %v11 : tensor<i64>
  %c13 = fusion.constant dense<93.0> : tensor<f64>
  %b13 = fusion.broadcast %c13 dims = [] : tensor<f64> to tensor<f64>
  %f13 = fusion.floor %b13 : tensor<f64>
  %v13 = fusion.cast %f13 : tensor<f64> to tensor<i8>
  %c14 = fusion.constant dense<8.0> : tensor<f64>
  %b14 = fusion.broadcast %c14 dims = [] : tensor<f64> to tensor<f64>
  %f14 = fusion.floor %b14 : tensor<f64>
  %v14 = fusion.cast %f14 : tensor<f64> to tensor<i8>
  %15 = fusion.shl %v13, %v14 : tensor<i8>
  %16 = fusion.shr %v13, %v14 : tensor<i8>
  %c15 = fusion.constant dense<93.0> : tensor<f64>
  %b15 = fusion.broadcast %c15 dims = [] : tensor<f64> to tensor<f64>
  %f15 = fusion.floor %b15 : tensor<f64>
  %v15 = fusion.cast %f15 : tensor<f64> to tensor<ui16>
  %c16 = fusion.constant dense<16.0> : tensor<f64>
  %b16 = fusion.broadcast %c16 dims = [] : tensor<f64> to tensor<f64>
  %f16 = fusion.floor %b16 : tensor<f64>
  %v16 = fusion.cast %f16 : tensor<f64> to tensor<ui16>
  %17 = fusion.shl %v15, %v16 : tensor<ui16>
  %18 = fusion.shr %v15, %v16 : tensor<ui16>
  %c17 = fusion.constant dense<93.0> : tensor<f64>
  %b17 = fusion.broadcast %c17 dims = [] : tensor<f64> to tensor<f64>
  %f17 = fusion.floor %b17 : tensor<f64>
  %v17 = fusion.cast %f17 : tensor<f64> to tensor<i32>
  %c18 = fusion.constant dense<32.0> : tensor<f64>
  %b18 = fusion.broadcast %c18 dims = [] : tensor<f64> to tensor<f64>
  %f18 = fusion.floor %b18 : tensor<f64>
  %v18 = fusion.cast %f18 : tensor<f64> to tensor<i32>
  %19 = fusion.shl %v17, %v18 : tensor<i32>
  %20 = fusion.shr %v17, %v18 : tensor<i32>
  %c19 = fusion.constant dense<93.0> : tensor<f64>
  %b19 = fusion.broadcast %c19 dims = [] : tensor<f64> to tensor<f64>
  %f19 = fusion.floor %b19 : tensor<f64>
  %v19 = fusion.cast %f19 : tensor<f64> to tensor<ui64>
  %c20 = fusion.constant dense<64.0> : tensor<f64>
  %b20 = fusion.broadcast %c20 dims = [] : tensor<f64> to tensor<f64>
  %f20 = fusion.floor %b20 : tensor<f64>
  %v20 = fusion.cast %f20 : tensor<f64> to tensor<ui64>
  %21 = fusion.shl %v19, %v20 : tensor<ui64>
  %22 = fusion.shr %v19, %v20 : tensor<ui64>
  %c21 = fusion.constant dense<-5.0> : tensor<f64>
  %b21 = fusion.broadcast %c21 dims = [] : tensor<f64> to tensor<f64>
  %f21 = fusion.floor %b21 : tensor<f64>
  %v21 = fusion.cast %f21 : tensor<f64> to tensor<i32>
  %c22 = fusion.constant dense<40.0> : tensor<f64>
  %b22 = fusion.broadcast %c22 dims = [] : tensor<f64> to tensor<f64>
  %f22 = fusion.floor %b22 : tensor<f64>
  %v22 = fusion.cast %f22 : tensor<f64> to tensor<i32>
  %23 = fusion.shr %v21, %v22 : tensor<i32>
  %c23 = fusion.constant dense<0x7FF8000000000000> : tensor<f64>
  %b23 = fusion.broadcast %c23 dims = [] : tensor<f64> to tensor<f64>
  %f23 = fusion.floor %b23 : tensor<f64>
  %24 = fusion.cast %f23 : tensor<f64> to tensor<i8>
  %25 = fusion.cast %f23 : tensor<f64> to tensor<ui8>
  %26 = fusion.cast %f23 : tensor<f64> to tensor<i32>
  %27 = fusion.cast %f23 : tensor<f64> to tensor<ui32>
  %28 = fusion.cast %f23 : tensor<f64> to tensor<i64>
  %29 = fusion.cast %f23 : tensor<f64> to tensor<ui64>
  %c24 = fusion.constant dense<1.0e+30> : tensor<f64>
  %b24 = fusion.broadcast %c24 dims = [] : tensor<f64> to tensor<f64>
  %f24 = fusion.floor %b24 : tensor<f64>
  %30 = fusion.cast %f24 : tensor<f64> to tensor<i8>
  %31 = fusion.cast %f24 : tensor<f64> to tensor<ui8>
  %32 = fusion.cast %f24 : tensor<f64> to tensor<i32>
  %33 = fusion.cast %f24 : tensor<f64> to tensor<ui32>
  %34 = fusion.cast %f24 : tensor<f64> to tensor<i64>
  %35 = fusion.cast %f24 : tensor<f64> to tensor<ui64>
  %c25 = fusion.constant dense<-1.0e+30> : tensor<f64>
  %b25 = fusion.broadcast %c25 dims = [] : tensor<f64> to tensor<f64>
  %f25 = fusion.floor %b25 : tensor<f64>
  %36 = fusion.cast %f25 : tensor<f64> to tensor<i8>
  %37 = fusion.cast %f25 : tensor<f64> to tensor<ui8>
  %38 = fusion.cast %f25 : tensor<f64> to tensor<i32>
  %39 = fusion.cast %f25 : tensor<f64> to tensor<ui32>
  %40 = fusion.cast %f25 : tensor<f64> to tensor<i64>
  %41 = fusion.cast %f25 : tensor<f64> to tensor<ui64>
  %c26 = fusion.constant dense<65520.0> : tensor<f64>
  %b26 = fusion.broadcast %c26 dims = [] : tensor<f64> to tensor<f64>
  %f26 = fusion.floor %b26 : tensor<f64>
  %k27 = fusion.constant dense<1.0> : tensor<f64>
  %m27 = fusion.mul %f26, %k27 : tensor<f64>
  %42 = fusion.cast %m27 : tensor<f64> to tensor<f16>
  %c28 = fusion.constant dense<2049.0> : tensor<f64>
  %b28 = fusion.broadcast %c28 dims = [] : tensor<f64> to tensor<f64>
  %f28 = fusion.floor %b28 : tensor<f64>
  %k29 = fusion.constant dense<1.0> : tensor<f64>
  %m29 = fusion.mul %f28, %k29 : tensor<f64>
  %43 = fusion.cast %m29 : tensor<f64> to tensor<f16>
  %c30 = fusion.constant dense<257.0> : tensor<f64>
  %b30 = fusion.broadcast %c30 dims = [] : tensor<f64> to tensor<f64>
  %f30 = fusion.floor %b30 : tensor<f64>
  %k31 = fusion.constant dense<1.0> : tensor<f64>
  %m31 = fusion.mul %f30, %k31 : tensor<f64>
  %44 = fusion.cast %m31 : tensor<f64> to tensor<f16>
  %c32 = fusion.constant dense<3.0> : tensor<f64>
  %b32 = fusion.broadcast %c32 dims = [] : tensor<f64> to tensor<f64>
  %f32 = fusion.floor %b32 : tensor<f64>
  %k33 = fusion.constant dense<2.9802322387695312e-08> : tensor<f64>
  %m33 = fusion.mul %f32, %k33 : tensor<f64>
  %45 = fusion.cast %m33 : tensor<f64> to tensor<f16>
  %c34 = fusion.constant dense<3.0> : tensor<f64>
  %b34 = fusion.broadcast %c34 dims = [] : tensor<f64> to tensor<f64>
  %f34 = fusion.floor %b34 : tensor<f64>
  %k35 = fusion.constant dense<4.6e-41> : tensor<f64>
  %m35 = fusion.mul %f34, %k35 : tensor<f64>
  %46 = fusion.cast %m35 : tensor<f64> to tensor<f16>
  %c36 = fusion.constant dense<340199290171201906239764863559915798527.0> : tensor<f64>
  %b36 = fusion.broadcast %c36 dims = [] : tensor<f64> to tensor<f64>
  %f36 = fusion.floor %b36 : tensor<f64>
  %k37 = fusion.constant dense<1.0> : tensor<f64>
  %m37 = fusion.mul %f36, %k37 : tensor<f64>
  %47 = fusion.cast %m37 : tensor<f64> to tensor<f16>
  %c38 = fusion.constant dense<65520.0> : tensor<f64>
  %b38 = fusion.broadcast %c38 dims = [] : tensor<f64> to tensor<f64>
  %f38 = fusion.floor %b38 : tensor<f64>
  %k39 = fusion.constant dense<1.0> : tensor<f64>
  %m39 = fusion.mul %f38, %k39 : tensor<f64>
  %48 = fusion.cast %m39 : tensor<f64> to tensor<bf16>
  %c40 = fusion.constant dense<2049.0> : tensor<f64>
  %b40 = fusion.broadcast %c40 dims = [] : tensor<f64> to tensor<f64>
  %f40 = fusion.floor %b40 : tensor<f64>
  %k41 = fusion.constant dense<1.0> : tensor<f64>
  %m41 = fusion.mul %f40, %k41 : tensor<f64>
  %49 = fusion.cast %m41 : tensor<f64> to tensor<bf16>
  %c42 = fusion.constant dense<257.0> : tensor<f64>
  %b42 = fusion.broadcast %c42 dims = [] : tensor<f64> to tensor<f64>
  %f42 = fusion.floor %b42 : tensor<f64>
  %k43 = fusion.constant dense<1.0> : tensor<f64>
  %m43 = fusion.mul %f42, %k43 : tensor<f64>
  %50 = fusion.cast %m43 : tensor<f64> to tensor<bf16>
  %c44 = fusion.constant dense<3.0> : tensor<f64>
  %b44 = fusion.broadcast %c44 dims = [] : tensor<f64> to tensor<f64>
  %f44 = fusion.floor %b44 : tensor<f64>
  %k45 = fusion.constant dense<2.9802322387695312e-08> : tensor<f64>
  %m45 = fusion.mul %f44, %k45 : tensor<f64>
  %51 = fusion.cast %m45 : tensor<f64> to tensor<bf16>
  %c46 = fusion.constant dense<3.0> : tensor<f64>
  %b46 = fusion.broadcast %c46 dims = [] : tensor<f64> to tensor<f64>
  %f46 = fusion.floor %b46 : tensor<f64>
  %k47 = fusion.constant dense<4.6e-41> : tensor<f64>
  %m47 = fusion.mul %f46, %k47 : tensor<f64>
  %52 = fusion.cast %m47 : tensor<f64> to tensor<bf16>
  %c48 = fusion.constant dense<340199290171201906239764863559915798527.0> : tensor<f64>
  %b48 = fusion.broadcast %c48 dims = [] : tensor<f64> to tensor<f64>
  %f48 = fusion.floor %b48 : tensor<f64>
  %k49 = fusion.constant dense<1.0> : tensor<f64>
  %m49 = fusion.mul %f48, %k49 : tensor<f64>
  %53 = fusion.cast %m49 : tensor<f64> to tensor<bf16>
  %c50 = fusion.constant dense<0x7FF8000000000000> : tensor<f64>
  %b50 = fusion.broadcast %c50 dims = [] : tensor<f64> to tensor<f64>
  %f50 = fusion.floor %b50 : tensor<f64>
  %v50 = fusion.cast %f50 : tensor<f64> to tensor<f16>
  %c51 = fusion.constant dense<1.0> : tensor<f64>
  %b51 = fusion.broadcast %c51 dims = [] : tensor<f64> to tensor<f64>
  %f51 = fusion.floor %b51 : tensor<f64>
  %v51 = fusion.cast %f51 : tensor<f64> to tensor<f16>
  %c52 = fusion.constant dense<0.0> : tensor<f64>
  %b52 = fusion.broadcast %c52 dims = [] : tensor<f64> to tensor<f64>
  %f52 = fusion.floor %b52 : tensor<f64>
  %v52 = fusion.cast %f52 : tensor<f64> to tensor<f16>
  %c53 = fusion.constant dense<-0.0> : tensor<f64>
  %b53 = fusion.broadcast %c53 dims = [] : tensor<f64> to tensor<f64>
  %f53 = fusion.floor %b53 : tensor<f64>
  %v53 = fusion.cast %f53 : tensor<f64> to tensor<f16>
  %54 = fusion.min %v50, %v51 : tensor<f16>
  %55 = fusion.min %v51, %v50 : tensor<f16>
  %56 = fusion.min %v52, %v53 : tensor<f16>
  %57 = fusion.min %v53, %v52 : tensor<f16>
  %58 = fusion.max %v50, %v51 : tensor<f16>
  %59 = fusion.max %v51, %v50 : tensor<f16>
  %60 = fusion.max %v52, %v53 : tensor<f16>
  %61 = fusion.max %v53, %v52 : tensor<f16>
  %c54 = fusion.constant dense<0x7FF8000000000000> : tensor<f64>
  %b54 = fusion.broadcast %c54 dims = [] : tensor<f64> to tensor<f64>
  %f54 = fusion.floor %b54 : tensor<f64>
  %v54 = fusion.cast %f54 : tensor<f64> to tensor<f32>
  %c55 = fusion.constant dense<1.0> : tensor<f64>
  %b55 = fusion.broadcast %c55 dims = [] : tensor<f64> to tensor<f64>
  %f55 = fusion.floor %b55 : tensor<f64>
  %v55 = fusion.cast %f55 : tensor<f64> to tensor<f32>
  %c56 = fusion.constant dense<0.0> : tensor<f64>
  %b56 = fusion.broadcast %c56 dims = [] : tensor<f64> to tensor<f64>
  %f56 = fusion.floor %b56 : tensor<f64>
  %v56 = fusion.cast %f56 : tensor<f64> to tensor<f32>
  %c57 = fusion.constant dense<-0.0> : tensor<f64>
  %b57 = fusion.broadcast %c57 dims = [] : tensor<f64> to tensor<f64>
  %f57 = fusion.floor %b57 : tensor<f64>
  %v57 = fusion.cast %f57 : tensor<f64> to tensor<f32>
  %62 = fusion.min %v54, %v55 : tensor<f32>
  %63 = fusion.min %v55, %v54 : tensor<f32>
  %64 = fusion.min %v56, %v57 : tensor<f32>
  %65 = fusion.min %v57, %v56 : tensor<f32>
  %66 = fusion.max %v54, %v55 : tensor<f32>
  %67 = fusion.max %v55, %v54 : tensor<f32>
  %68 = fusion.max %v56, %v57 : tensor<f32>
  %69 = fusion.max %v57, %v56 : tensor<f32>
  %c58 = fusion.constant dense<0x7FF8000000000000> : tensor<f64>
  %b58 = fusion.broadcast %c58 dims = [] : tensor<f64> to tensor<f64>
  %f58 = fusion.floor %b58 : tensor<f64>
  %c59 = fusion.constant dense<1.0> : tensor<f64>
  %b59 = fusion.broadcast %c59 dims = [] : tensor<f64> to tensor<f64>
  %f59 = fusion.floor %b59 : tensor<f64>
  %c60 = fusion.constant dense<0.0> : tensor<f64>
  %b60 = fusion.broadcast %c60 dims = [] : tensor<f64> to tensor<f64>
  %f60 = fusion.floor %b60 : tensor<f64>
  %c61 = fusion.constant dense<-0.0> : tensor<f64>
  %b61 = fusion.broadcast %c61 dims = [] : tensor<f64> to tensor<f64>
  %f61 = fusion.floor %b61 : tensor<f64>
  %70 = fusion.min %f58, %f59 : tensor<f64>
  %71 = fusion.min %f59, %f58 : tensor<f64>
  %72 = fusion.min %f60, %f61 : tensor<f64>
  %73 = fusion.min %f61, %f60 : tensor<f64>
  %74 = fusion.max %f58, %f59 : tensor<f64>
  %75 = fusion.max %f59, %f58 : tensor<f64>
  %76 = fusion.max %f60, %f61 : tensor<f64>
  %77 = fusion.max %f61, %f60 : tensor<f64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18,
         %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35,
         %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52,
         %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69,
         %70, %71, %72, %73, %74, %75, %76, %77 :
         tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i32>, tensor<i32>,
         tensor<i32>, tensor<i32>, tensor<i32>, tensor<i64>, tensor<i64>, tensor<i64>,
         tensor<i64>, tensor<i64>, tensor<i8>, tensor<i8>, tensor<ui16>, tensor<ui16>,
         tensor<i32>, tensor<i32>, tensor<ui64>, tensor<ui64>, tensor<i32>, tensor<i8>,
         tensor<ui8>, tensor<i32>, tensor<ui32>, tensor<i64>, tensor<ui64>, tensor<i8>,
         tensor<ui8>, tensor<i32>, tensor<ui32>, tensor<i64>, tensor<ui64>, tensor<i8>,
         tensor<ui8>, tensor<i32>, tensor<ui32>, tensor<i64>, tensor<ui64>, tensor<f16>,
         tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<bf16>,
         tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<bf16>, tensor<f16>,
         tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>,
         tensor<f16>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
         tensor<f32>, tensor<f32>, tensor<f32>, tensor<f64>, tensor<f64>, tensor<f64>,
         tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>
}
