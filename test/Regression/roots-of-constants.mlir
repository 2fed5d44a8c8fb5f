// Square roots and reciprocals of constants have the bits that they have of an input, in
// all modes and types: of 4000 floats of any size, denormal ones, infinities and NaN.
// DEFINE: %{inputs} = --input x=%t/x.npy --input y=%t/y.npy --input z=%t/z.npy
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %t/make.py %t
// RUN: fusion-opt %t/constants.mlir -canonicalize | FileCheck %s
// RUN: fusion-run %t/arguments.mlir %{inputs} --save-outputs %t/cpu
// RUN: fusion-run %t/arguments.mlir %{inputs} --numerics=strict --device=emulator --target=sm_80 --save-outputs %t/strict
// RUN: fusion-run %t/arguments.mlir %{inputs} --numerics=fast --device=emulator --target=sm_90a --save-outputs %t/fast
// RUN: fusion-run %t/constants.mlir --save-outputs %t/folded
// RUN: %python %t/compare.py %t %S/Inputs

// CHECK-NOT: fusion.sqrt
// CHECK-NOT: fusion.reciprocal
// CHECK:     return

//--- make.py
import pathlib
import random
import struct
import sys

folder = pathlib.Path(sys.argv[1])
random.seed(7)
COUNT = 4000
# The bytes of an element, how `struct` calls its bits, the exponent's bits, numpy's name.
TYPES = {"x": (2, "H", 0x7c00, "f16"), "y": (4, "I", 0x7f800000, "f32"), "z": (8, "Q", 0x7ff0000000000000, "f64")}
arguments, constants, body, results, types = "", "", "", [], []
for name, (size, code, infinity, text) in TYPES.items():
    sign = 1 << (8 * size - 1)
    values = [0, sign, infinity, sign | infinity, infinity + 1, 1, sign | 1]
    values += [random.getrandbits(8 * size) for _ in range(COUNT - len(values))]
    data = struct.pack(f"<{COUNT}{code}", *values)
    header = f"{{'descr': '<f{size}', 'fortran_order': False, 'shape': ({COUNT},), }}"
    header = header.ljust(117) + "\n"
    (folder / f"{name}.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
    type = f"tensor<{COUNT}x{text}>"
    arguments += f"{', ' if arguments else ''}%{name}: {type} {{fusion.name = \"{name}\"}}"
    constants += f"  %{name} = fusion.constant dense<\"0x{data.hex().upper()}\"> : {type}\n"
    for op in ("sqrt", "reciprocal"):
        body += f"  %{name}_{op} = fusion.{op} %{name} : {type}\n"
        results.append(f"%{name}_{op}")
        types.append(type)
to = ", ".join(types)
body += f"  return {', '.join(results)} : {to}\n}}\n"
(folder / "arguments.mlir").write_text(f"func.func @main({arguments}) -> ({to}) {{\n{body}")
(folder / "constants.mlir").write_text(f"func.func @main() -> ({to}) {{\n{constants}{body}")

//--- compare.py
import math
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])
import npy

folder = pathlib.Path(sys.argv[1])
files = sorted((folder / "folded").glob("*.npy"))
assert len(files) == 6, files
for file in files:
    want = npy.read(file)[2]
    for run in ("cpu", "strict", "fast"):
        got = npy.read(folder / run / file.name)[2]
        for a, b in zip(want, got, strict=True):
            # Which NaN is left open.
            same = math.isnan(a) and math.isnan(b) or (a, math.copysign(1, a)) == (b, math.copysign(1, b))
            assert same, f"{run}/{file.name}: expected {a}, but got {b}"
