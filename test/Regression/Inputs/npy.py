"""Writes and shows small .npy files, with Python alone.

  npy.py make FILE TYPE[:DIMxDIM...] VALUE...   one value: everywhere
  npy.py show FILE...                           the values of each, on a line
  npy.py tally FILE...                          how often each value is there: 3 times 0.5
Types: f16 f32 f64 bool i8..i64 u8..u64. Without dims: as many as values; with
a colon alone: rank 0.
"""

import ast
import collections
import math
import struct
import sys

CODES = {"f16": "e", "f32": "f", "f64": "d", "bool": "?", "i8": "b", "i16": "h",
         "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}


def describe(kind):
    size = struct.calcsize(CODES[kind])
    return ("|" if size == 1 else "<") + kind[0] + str(size)


def write(path, kind, shape, numbers):
    header = repr({"descr": describe(kind), "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(numbers)}{CODES[kind]}", *numbers))


def read(path):
    """Returns (type, shape, values)."""
    with open(path, "rb") as file:
        assert file.read(8) == b"\x93NUMPY\x01\x00", f"{path}: not a .npy file of version 1.0"
        header = ast.literal_eval(file.read(*struct.unpack("<H", file.read(2))).decode())
        kind = next(k for k in CODES if describe(k)[1:] == header["descr"][1:])
        data = file.read()
    return kind, header["shape"], [value for value, in struct.iter_unpack("<" + CODES[kind], data)]


def make(path, spec, *values):
    kind, colon, dims = spec.partition(":")
    numbers = [(float if kind[0] == "f" else int)(value) for value in values]
    shape = tuple(int(dim) for dim in dims.split("x") if dim) if colon else (len(values),)
    if len(numbers) == 1:
        numbers *= math.prod(shape)
    write(path, kind, shape, numbers)


def texts(kind, numbers):
    return [format(number, ".8g") if kind[0] == "f" else str(number) for number in numbers]


def show(*paths):
    for path in paths:
        kind, shape, numbers = read(path)
        print(kind, shape, *texts(kind, numbers))


def tally(*paths):
    for path in paths:
        kind, shape, numbers = read(path)
        counts = collections.Counter(texts(kind, numbers))
        print(kind, shape, ", ".join(f"{count} times {text}" for text, count in counts.items()))


if __name__ == "__main__":
    {"make": make, "show": show, "tally": tally}[sys.argv[1]](*sys.argv[2:])
