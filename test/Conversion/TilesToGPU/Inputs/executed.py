"""Checks the kernels of executed.mlir: executed.py --verify KERNELS.ll CC"""

import math
import sys

import numpy as np
from emulate import Kernels

kernels = Kernels(sys.argv[2], sys.argv[3])
random = np.random.default_rng(0)


def normal(*shape, dtype=np.float32):
    return random.normal(size=shape).astype(dtype)


def check(name, got, expected, tolerance=0.0):
    error = np.abs(got.astype(np.float64) - expected.astype(np.float64)).max(initial=0)
    assert got.shape == expected.shape and error <= tolerance, f"{name}: {error}"


for n in (1, 7, 8, 1023, 1024, 1025, 2051):
    x = normal(n, dtype=np.float16)
    _, y = kernels.run("copy_f16", [-(-n // 1024)], 4, x, n, np.zeros_like(x), n)
    check("copy_f16", y, x)

for n in (1, 767, 768, 769, 2000):
    x = random.integers(0, 2, n).astype(np.uint8)
    _, y = kernels.run("not_i1", [-(-n // 768)], 2, x, n, np.full(n, 7, np.uint8), n)
    check("not_i1", y, 1 - x)

for m, n in ((1, 1), (16, 64), (32, 128), (17, 65), (33, 100), (48, 260)):
    x, bias = normal(m, n), normal(n)
    grid = [-(-n // 64), -(-m // 16)]
    _, _, y = kernels.run("bias_gelu", grid, 4, x, m, n, bias, n, np.zeros_like(x), m, n)
    s = (x + bias).astype(np.float64)
    check("bias_gelu", y, s / 2 * (1 + np.vectorize(math.erf)(s / 2**0.5)), 1e-6)

for di, dj in ((0, 0), (-3, 2), (5, -7), (-64, 0), (19, 35)):
    x = normal(20, 36)
    _, y = kernels.run("pad_transpose", [1], 4, x, np.zeros((64, 64), np.float32), di, dj)
    expected = np.full((64, 64), 9.0, np.float32)
    for r in range(64):
        for c in range(64):
            i, j = di + c, dj + r
            if 0 <= i < 20 and 0 <= j < 36:
                expected[r, c] = x[i, j]
    check("pad_transpose", y, expected)

x = normal(5, 1000) * 5
_, y = kernels.run("softmax", [5], 4, x, 5, np.zeros_like(x), 5)
e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
check("softmax", y, e / e.sum(1, keepdims=True), 1e-6)

x = random.integers(-3, 4, (64, 64))
_, v = kernels.run("argmax", [1], 4, x, np.zeros(64, np.int64))
last = 63 - np.argmax(x[::-1], axis=0)
check("argmax", v, x.max(0) * 64 + last)

for rows, negate in ((64, 0), (130, 1), (1, 0)):
    x = normal(rows, 64, dtype=np.float16)
    _, y, top = kernels.run("column_sums", [1], 4, x, rows, np.zeros(64, np.float32),
                            np.zeros(64, np.float16), negate)
    sums = x.astype(np.float64).sum(0) * (-1 if negate else 1)
    check("column_sums", y, sums, 1e-4)
    check("column_sums", top, x.max(0))

x = normal(64, 64)
_, y = kernels.run("center", [1], 4, x, np.zeros_like(x))
check("center", y, x - x.astype(np.float64).mean(1, keepdims=True), 1e-6)

x = normal(64, 64, dtype=np.float16)
_, y, z = kernels.run("convert", [1], 4, x, np.zeros_like(x), np.full((64, 64), 7, np.uint8))
check("convert", y, np.tril(x))
check("convert", z, np.tril(np.ones((64, 64))))

x = normal(128, 192)
_, y = kernels.run("convert_pieces", [1], 4, x, np.zeros_like(x))
check("convert_pieces", y, -x)
