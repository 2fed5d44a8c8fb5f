"""ladder.py DEPTH > FILE: a ladder of diamonds. On each rung a row's norm is read by
two products of different widths, which meet in the next."""

import sys

D, T, B = "tensor<16x128xf16>", "tensor<16x256xf16>", "tensor<128xf16>"
W, V, U = "tensor<128x128xf16>", "tensor<128x256xf16>", "tensor<256x128xf16>"


def main():
    depth = int(sys.argv[1])
    print(f"""func.func @main(%x0: {D} {{fusion.name = "x"}}, %g: {B} {{fusion.name = "g"}},
    %w: {W} {{fusion.name = "w"}}, %v: {V} {{fusion.name = "v"}}, %u: {U} {{fusion.name = "u"}})
    -> ({D} {{fusion.name = "y"}}) {{""")
    for i in range(depth):
        print(f"""  %n{i} = fusion.rms_norm %x{i} scale(%g : {B}) axis = 1 eps = 1.0e-5 : {D}
  %a{i} = fusion.matmul %n{i}, %w : {D}, {W} -> {D}
  %b{i} = fusion.matmul %n{i}, %v : {D}, {V} -> {T}
  %t{i} = fusion.tanh %b{i} : {T}
  %c{i} = fusion.matmul %t{i}, %u : {T}, {U} -> {D}
  %x{i + 1} = fusion.add %a{i}, %c{i} : {D}""")
    print(f"  return %x{depth} : {D}\n}}")


main()
