"""Measures the expansions of fusion-expand-math.

accuracy.py --write                            prints one loop for each function
accuracy.py --verify FILE.so [STEP [NAME...]]  checks the bounds on every STEP-th f32
"""

import ctypes
import math
import sys

import numpy as np

np.seterr(all="ignore")
wide = np.longdouble
# The function, the reference and the largest error in units in the last place,
# as in docs/Numerics.md.
UNARY = {
    "exp": (np.exp, 1.1), "exp2": (np.exp2, 0.9), "expm1": (np.expm1, 1.5),
    "log": (np.log, 1.0), "log2": (np.log2, 1.0), "log10": (np.log10, 1.0),
    "log1p": (np.log1p, 1.5), "tanh": (np.tanh, 1.4), "sinh": (np.sinh, 0.8),
    "cosh": (np.cosh, 0.6), "asinh": (np.arcsinh, 0.6),
    "acosh": (np.arccosh, 0.6), "atanh": (np.arctanh, 0.7),
    "erf": (np.vectorize(math.erf, otypes=[float]), 1.0),
    "erfc": (np.vectorize(math.erfc, otypes=[float]), 0.8),
    "sin": (np.sin, 1.6), "cos": (np.cos, 1.6), "tan": (np.tan, 1.6),
    "asin": (np.arcsin, 1.8), "acos": (np.arccos, 1.1),
    "atan": (np.arctan, 1.3), "cbrt": (np.cbrt, 0.6),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 1.5),
}
BINARY = {"powf": (np.power, 0.6), "atan2": (np.arctan2, 1.6), "remf": (np.fmod, 0)}
LOOP = """
llvm.func @{name}({inputs}%out: !llvm.ptr, %n: i64) {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {{
    {loads}
    %y = {dialect}.{name} {values} : f32
    %q = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %y, %q : f32, !llvm.ptr
  }}
  llvm.return
}}
"""
SPECIAL = np.array(
    [0, 1, 0.5, 2, 3, 4, 1.5, 2.5, np.inf, np.nan, 1e-45, 1.1754944e-38, 3.4028235e38,
     88.72283, 88.72284, 87.33655, 103.97, 104, 128, 149, 150, 9, 10, 0.93, 0.6,
     16777216, 33554431, 33554432, 8388609, 1e10, 1e30], np.float32)
SPECIAL = np.concatenate([SPECIAL, -SPECIAL])


def write():
    for names, count in ((UNARY, 1), (BINARY, 2)):
        for name in names:
            loads = "\n    ".join(
                f"%p{k} = llvm.getelementptr %in{k}[%i] : (!llvm.ptr, i64) -> "
                f"!llvm.ptr, f32\n    %x{k} = llvm.load %p{k} : !llvm.ptr -> f32"
                for k in range(count))
            print(LOOP.format(
                name=name, dialect="arith" if name == "remf" else "math", loads=loads,
                inputs="".join(f"%in{k}: !llvm.ptr, " for k in range(count)),
                values=", ".join(f"%x{k}" for k in range(count))))


def call(library, name, *inputs):
    inputs = [np.ascontiguousarray(x, np.float32) for x in inputs]
    out = np.empty_like(inputs[0])
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in inputs + [out]]
    getattr(library, name)(*pointers, ctypes.c_int64(out.size))
    return out


def errors(got, exact):
    """Errors in units in the last place of f32; infinite where a NaN, an infinity
    or the sign of a zero is wrong."""
    exact = np.asarray(exact, np.float64)
    nearest = exact.astype(np.float32)
    size = np.abs(exact)
    exponent = np.clip(np.floor(np.log2(np.where(size == 0, 1, size))), -126, 127)
    error = np.abs(got.astype(np.float64) - exact) / np.exp2(exponent - 23)
    # Between the largest f32 and infinity both are right to within one unit.
    edge = np.isinf(got) & (size > 3.4028234e38) & (size < 3.4028237e38)
    error = np.where(edge | np.isnan(exact), 0, error)
    wrong = np.isnan(got) != np.isnan(exact)
    wrong |= np.isinf(nearest) & ~edge & (got != nearest) & (size > 3.40282357e38)
    wrong |= (got == 0) & (nearest == 0) & (np.signbit(got) != np.signbit(nearest))
    error = np.where((got == nearest) & ~np.isnan(exact), np.where(
        np.isfinite(exact), np.minimum(error, 0.5), 0), error)
    return np.where(wrong, np.inf, error)


def report(name, bound, error, *inputs):
    worst = int(np.argmax(error))
    at = ", ".join(repr(float(x[worst])) for x in inputs)
    print(f"{name}: {error[worst]:.3f} ulp at {at}, bound {bound}")
    return error[worst] <= bound


def check(library, step, names):
    good = True
    samples = np.arange(0, 2**32, step, dtype=np.uint64).astype(np.uint32).view(np.float32)
    for name, (reference, bound) in UNARY.items():
        if names and name not in names:
            continue
        # Python's own functions are slow.
        every = samples[::20] if name.startswith("erf") else samples
        x = np.concatenate([SPECIAL, every])
        kind = np.float64 if name.startswith("erf") else wide
        error = errors(call(library, name, x), reference(x.astype(kind)))
        good &= report(name, bound, error, x)
    random = np.random.default_rng(0)
    count = 2**32 // step
    grid = [a.ravel() for a in np.meshgrid(SPECIAL, SPECIAL)]
    bits = [random.integers(0, 2**32, count, np.uint32).view(np.float32) for _ in "xy"]
    near = [np.exp(random.uniform(-9, 9, count)), random.normal(size=count) * 9]
    for name, (reference, bound) in BINARY.items():
        if names and name not in names:
            continue
        x, y = (np.concatenate([g, b, n]).astype(np.float32)
                for g, b, n in zip(grid, bits, near))
        exact = reference(x.astype(wide), y.astype(wide))
        good &= report(name, bound, errors(call(library, name, x, y), exact), x, y)
    return good


if sys.argv[1] == "--write":
    write()
else:
    step = int(sys.argv[3]) if len(sys.argv) > 3 else 4001
    sys.exit(not check(ctypes.CDLL(sys.argv[2]), step, sys.argv[4:]))
