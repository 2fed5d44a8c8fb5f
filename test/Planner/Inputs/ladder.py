"""ladder.py DEPTH WIDTH [SUM] > FILE: a ladder of diamonds. On each rung a row's norm is read by
two products of different widths, which meet in the next. No tile of a product has
whole rows of 320 elements: the norm is no part of the kernel before it. SUM are
attributes of what ends a rung."""

import sys


def main():
    depth, width = (int(arg) for arg in sys.argv[1:3])
    attributes = "".join(sys.argv[3:])
    wide = 2 * width
    D, T, B = (f"tensor<16x{width}xf16>", f"tensor<16x{wide}xf16>", f"tensor<{width}xf16>")
    W, V, U = (f"tensor<{size}xf16>" for size in (f"{width}x{width}", f"{width}x{wide}", f"{wide}x{width}"))
    print(f"""func.func @main(%x0: {D} {{fusion.name = "x"}}, %g: {B} {{fusion.name = "g"}},
    %w: {W} {{fusion.name = "w"}}, %v: {V} {{fusion.name = "v"}}, %u: {U} {{fusion.name = "u"}})
    -> ({D} {{fusion.name = "y"}}) {{""")
    for i in range(depth):
        print(f"""  %n{i} = fusion.rms_norm %x{i} scale(%g : {B}) axis = 1 eps = 1.0e-5 : {D}
  %a{i} = fusion.matmul %n{i}, %w : {D}, {W} -> {D}
  %b{i} = fusion.matmul %n{i}, %v : {D}, {V} -> {T}
  %t{i} = fusion.tanh %b{i} : {T}
  %c{i} = fusion.matmul %t{i}, %u : {T}, {U} -> {D}
  %x{i + 1} = fusion.add %a{i}, %c{i} {attributes} : {D}""")
    print(f"  return %x{depth} : {D}\n}}")


main()
