// bf16 numbers that are only moved, also under masks, compared, or come from integers,
// need no instructions for bf16 and no function of the C library (__truncsfbf2), whatever
// the CPU.
// RUN: fusion-fuzz %s | FileCheck %s
// RUN: fusion-compile %s --target=cpu --emit=object -o %t.o
// RUN: llvm-nm -u %t.o | FileCheck %s --check-prefix=SYMBOLS --allow-empty
// CHECK: 1 agree
// SYMBOLS-NOT: bf
func.func @main(%x: tensor<100x2xbf16> {fusion.name = "x"}, %w: tensor<2x9xbf16> {fusion.name = "w"},
                %c: tensor<100x9xi1> {fusion.name = "c"}, %i: tensor<37xi8> {fusion.name = "i"},
                %u: tensor<37xui32> {fusion.name = "u"})
    -> (tensor<100x9xbf16> {fusion.name = "product"}, tensor<9x100xbf16> {fusion.name = "chosen"},
        tensor<5xbf16> {fusion.name = "largest"}, tensor<37xbf16> {fusion.name = "unsigned"}) {
  %0 = fusion.matmul %x, %w : tensor<100x2xbf16>, tensor<2x9xbf16> -> tensor<100x9xbf16>
  %1 = fusion.constant dense<-0.0> : tensor<bf16>
  %2 = fusion.broadcast %1 dims = [] : tensor<bf16> to tensor<100x9xbf16>
  %3 = fusion.select %c, %0, %2 : tensor<100x9xbf16>
  %4 = fusion.transpose %3 perm = [1, 0] : tensor<100x9xbf16> to tensor<9x100xbf16>
  %5 = fusion.cast %i : tensor<37xi8> to tensor<37xbf16>
  %6 = fusion.cast %u : tensor<37xui32> to tensor<37xbf16>
  %7, %8 = fusion.top_k %5 dim = 0 : tensor<37xbf16> to tensor<5xbf16>, tensor<5xi64>
  return %0, %4, %7, %6 : tensor<100x9xbf16>, tensor<9x100xbf16>, tensor<5xbf16>, tensor<37xbf16>
}
