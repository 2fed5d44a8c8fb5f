"""Measures the expansions of fusion-expand-math on f64.

accuracy_f64.py --write                     prints one loop for each function
accuracy_f64.py --verify FILE.so [NAME...]  checks the bounds on samples of all sizes
"""

import ctypes
import math
import sys

import numpy as np

np.seterr(all="ignore")
wide = np.longdouble
if np.finfo(wide).nmant < 63:
    sys.exit("no type to compare with")


def exactly(function):
    return np.vectorize(function, otypes=[np.float64])


# The function, the reference and the largest error in units in the last place,
# as in docs/Numerics.md. Those of Python's own have an error of one unit.
UNARY = {
    "exp": (np.exp, 1.0), "exp2": (np.exp2, 1.2), "expm1": (np.expm1, 2.0),
    "log": (np.log, 1.0), "log2": (np.log2, 2.5), "log10": (np.log10, 2.5),
    "log1p": (np.log1p, 1.5), "tanh": (np.tanh, 3.0), "sinh": (np.sinh, 3.0),
    "cosh": (np.cosh, 3.0), "asinh": (np.arcsinh, 3.0), "acosh": (np.arccosh, 3.0),
    "atanh": (np.arctanh, 3.0), "erf": (exactly(math.erf), 3.0),
    "erfc": (exactly(math.erfc), 6.0), "sin": (np.sin, 1.0), "cos": (np.cos, 1.0),
    "tan": (np.tan, 2.5), "asin": (np.arcsin, 3.0), "acos": (np.arccos, 3.0),
    "atan": (np.arctan, 2.0), "cbrt": (np.cbrt, 1.0),
}
BINARY = {"powf": (np.power, 1.5), "atan2": (np.arctan2, 2.5), "remf": (np.fmod, 0)}
LOOP = """
llvm.func @{name}({inputs}%out: !llvm.ptr, %n: i64) {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {{
    {loads}
    %y = {dialect}.{name} {values} : f64
    %q = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    llvm.store %y, %q : f64, !llvm.ptr
  }}
  llvm.return
}}
"""
SPECIAL = np.array(
    [0, 1, 0.5, 2, 3, 4, 1.5, 2.5, np.inf, np.nan, 5e-324, 2.2250738585072014e-308,
     1.7976931348623157e308, 709.78, 709.79, 745.1, 745.2, 1024, 1074, 1075, 0.785398163397448,
     0.7853981633974483, 1.5707963267948966, 3.141592653589793, 6381956970095103 * 2.0**797,
     1e22, 2.0**53 + 2, 2.0**1000, 1e-300, 0.41421356237309503, 27.3, 0.9999999999999999])
SPECIAL = np.concatenate([SPECIAL, -SPECIAL])


def write():
    for names, count in ((UNARY, 1), (BINARY, 2)):
        for name in names:
            loads = "\n    ".join(
                f"%p{k} = llvm.getelementptr %in{k}[%i] : (!llvm.ptr, i64) -> "
                f"!llvm.ptr, f64\n    %x{k} = llvm.load %p{k} : !llvm.ptr -> f64"
                for k in range(count))
            print(LOOP.format(
                name=name, dialect="arith" if name == "remf" else "math", loads=loads,
                inputs="".join(f"%in{k}: !llvm.ptr, " for k in range(count)),
                values=", ".join(f"%x{k}" for k in range(count))))


def call(library, name, *inputs):
    inputs = [np.ascontiguousarray(x, np.float64) for x in inputs]
    out = np.empty_like(inputs[0])
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in inputs + [out]]
    getattr(library, name)(*pointers, ctypes.c_int64(out.size))
    return out


def errors(got, exact):
    """Errors in units in the last place of f64; infinite where a NaN, an infinity
    or the sign of a zero is wrong."""
    nearest = exact.astype(np.float64)
    unit = np.spacing(np.abs(np.where(np.isfinite(nearest), nearest, 1)))
    error = np.abs(got.astype(wide) - exact.astype(wide)) / unit
    same = (got == nearest) & (np.signbit(got) == np.signbit(nearest))
    error = np.where(same | (np.isnan(got) & np.isnan(nearest)), np.minimum(error, 0.5), error)
    wrong = (np.isnan(got) != np.isnan(nearest)) | (np.isinf(got) != np.isinf(nearest))
    wrong |= (got == 0) & (nearest == 0) & (np.signbit(got) != np.signbit(nearest))
    error = np.where(np.isnan(error), 0, error)
    return np.where(wrong, np.inf, error)


def report(name, bound, error, *inputs):
    worst = int(np.argmax(error))
    at = ", ".join(repr(float(x[worst])) for x in inputs)
    print(f"{name}: {float(error[worst]):.3f} ulp at {at}, bound {bound}")
    return error[worst] <= bound


def check(library, names):
    good, random, count = True, np.random.default_rng(0), 20000
    bits = random.integers(0, 2**64, count, np.uint64).view(np.float64)
    usual = np.concatenate([random.normal(size=count) * 9, random.uniform(-1, 1, count),
                            random.uniform(-750, 750, count), 1 + random.normal(size=count) * 1e-3])
    for name, (reference, bound) in UNARY.items():
        if not names or name in names:
            x = np.concatenate([SPECIAL, bits, usual])
            kind = np.float64 if name.startswith("erf") else wide
            error = errors(call(library, name, x), reference(x.astype(kind)))
            good &= report(name, bound, error, x)
    grid = [a.ravel() for a in np.meshgrid(SPECIAL, SPECIAL)]
    noise = [random.integers(0, 2**64, count, np.uint64).view(np.float64) for _ in "xy"]
    near = [np.exp(random.uniform(-9, 9, count)), random.normal(size=count) * 9]
    for name, (reference, bound) in BINARY.items():
        if not names or name in names:
            x, y = (np.concatenate(parts) for parts in zip(grid, noise, near))
            exact = reference(x.astype(wide), y.astype(wide))
            good &= report(name, bound, errors(call(library, name, x, y), exact), x, y)
    return good


if sys.argv[1] == "--write":
    write()
else:
    sys.exit(not check(ctypes.CDLL(sys.argv[2]), sys.argv[3:]))
