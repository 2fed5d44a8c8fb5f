"""Other cases of the kinds that the tests beside this folder hold, against numpy.

  kinds.py DIR COMMAND...   COMMAND runs a program: fusion-run --device=...

Makes one program of all cases in DIR, runs it, and prints "CASE agrees" for each
whose results have the right bits (a NaN is a NaN), or what differs.
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

NAN, INF = np.nan, np.inf
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i1": np.bool_,
         "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
         "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64}
NAMES = {np.dtype(kind): name for name, kind in TYPES.items()}
CASES = []


def describe(array):
    return "tensor<" + "".join(f"{size}x" for size in array.shape) + NAMES[array.dtype] + ">"


def case(name, inputs, wanted, body):
    """`body` computes each of `wanted` from `inputs`, under these names; `{x}` in it
    is the type of `x`."""
    types = {key: describe(value) for key, value in {**inputs, **wanted}.items()}
    for key, kind in types.items():
        body = body.replace("{" + key + "}", kind)
    body = re.sub(r"%(\w+)", rf"%{name}_\1", body)
    CASES.append((name, inputs, wanted, body))


def maximum(a, b, least=False):
    """NaN wins, -0 is below +0."""
    both = (a == 0) & (b == 0)
    sign = np.signbit(a) | np.signbit(b) if least else np.signbit(a) & np.signbit(b)
    picked = np.minimum(a, b) if least else np.maximum(a, b)
    return np.where(both, np.where(sign, -0.0, 0.0), picked).astype(a.dtype)


def floats():
    """NaN, zeros, roundings, sums of halves (B011, B013, B017, B019, B021)."""
    for kind in (np.float16, np.float64):
        a = np.array([NAN, 2, NAN, 0, 5, NAN, 7, -0.0, 0], kind)
        b = np.array([3, NAN, NAN, 0, NAN, -1, 7, 0, -0.0], kind)
        case(f"nan_{NAMES[a.dtype]}", {"a": a, "b": b}, {
            "most": maximum(a, b), "least": maximum(a, b, least=True),
            "all": np.array(NAN, kind), "sign": np.where(a == 0, a, np.sign(a))}, """
  %most = fusion.max %a, %b : {a}
  %least = fusion.min %a, %b : {a}
  %all = fusion.reduce max, %b dims = [0] : {b} to {all}
  %sign = fusion.sign %a : {a}""")
        x = np.array([-0.25, -0.75, -0.0, 0, 0.4, -0.5], kind)
        case(f"zero_{NAMES[x.dtype]}", {"x": x}, {
            "up": np.ceil(x) + kind(0), "down": np.ceil(x) - kind(0), "none": x * kind(0),
            "round": np.round(x), "turned": kind(-0.0) - x}, """
  %zero = fusion.constant dense<0.0> : {x}
  %minus = fusion.constant dense<-0.0> : {x}
  %ceil = fusion.ceil %x : {x}
  %up = fusion.add %ceil, %zero : {x}
  %down = fusion.sub %ceil, %zero : {x}
  %none = fusion.mul %x, %zero : {x}
  %round = fusion.round %x : {x}
  %turned = fusion.sub %minus, %x : {x}""")
    x = np.array([1.001, np.pi, 1 + 2**-8, 1 + 3 * 2**-8, 65519.9, 1e-8, 70000])
    half = x.astype(np.float32).astype(np.float16)
    case("casts", {"x": x}, {"single": x.astype(np.float32).astype(np.float64),
                             "half": half.astype(np.float64), "most": np.array(INF, np.float16)}, """
  %s = fusion.cast %x : {x} to tensor<7xf32>
  %single = fusion.cast %s : tensor<7xf32> to {single}
  %h = fusion.cast %s : tensor<7xf32> to tensor<7xf16>
  %half = fusion.cast %h : tensor<7xf16> to {half}
  %most = fusion.reduce max, %h dims = [0] : tensor<7xf16> to {most}""")
    a, x = np.full(1000, 3e19, np.float32), np.full(1000, 2e10, np.float32)
    case("products", {"a": a, "x": x}, {"y": np.zeros_like(a), "sum": np.float32(0) * a[0]}, """
  %p = fusion.mul %a, %x : {a}
  %q = fusion.mul %x, %a : {a}
  %y = fusion.sub %p, %q : {a}
  %sum = fusion.reduce sum, %y dims = [0] : {y} to {sum}""")
    x = np.array([40000, 40000, -40000, -40000] * 3, np.float16)
    case("halves", {"x": x}, {"sum": np.array(0, np.float16),
                              "sums": np.cumsum(x.astype(np.float32)).astype(np.float16)}, """
  %sum = fusion.reduce sum, %x dims = [0] : {x} to {sum}
  %sums = fusion.cumsum %x dim = 0 : {x}""")


def quotients(a, b):
    """As docs/Numerics.md says: towards zero, all bits set for x / 0, least / -1 least."""
    limits = np.iinfo(a.dtype)
    quotient, rest = np.zeros_like(a), np.zeros_like(a)
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist())):
        if y == 0:
            quotient[i], rest[i] = (-1 if limits.min else limits.max), x
        elif y != -1 or x != limits.min:
            quotient[i] = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            rest[i] = x - int(quotient[i]) * y
        else:
            quotient[i] = x
    return quotient, rest


def integers():
    """Each wraps at its width, and no quotient traps (B014, B016, B028)."""
    for name in ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"):
        kind, limits = TYPES[name], np.iinfo(TYPES[name])
        a = np.array([limits.min, 7, limits.max, 5, limits.min, limits.max], kind)
        b = np.array([-1 if limits.min else 3, 2, limits.max, 0, 0, 3], kind)
        quotient, rest = quotients(a, b)
        case(f"quotients_{name}", {"a": a, "b": b}, {"quotient": quotient, "rest": rest}, """
  %quotient = fusion.div %a, %b : {a}
  %rest = fusion.rem %a, %b : {a}""")
        x = np.array([limits.min, limits.max, limits.max // 2 + 1, 100], kind)
        case(f"wrap_{name}", {"x": x}, {
            "wide": (x + x).astype(np.int64), "cube": ((x + x) * x).astype(np.int64),
            "less": -x, "sum": ((x + x) * x).sum(dtype=kind), "size": np.abs(x)}, """
  %twice = fusion.add %x, %x : {x}
  %wide = fusion.cast %twice : {x} to {wide}
  %product = fusion.mul %twice, %x : {x}
  %cube = fusion.cast %product : {x} to {cube}
  %less = fusion.neg %x : {x}
  %sum = fusion.reduce sum, %product dims = [0] : {x} to {sum}
  %size = fusion.abs %x : {x}""")
    step = np.array([700000000])
    case("far", {"step": step}, {"sums": np.cumsum(np.arange(12) * step)}, """
  %places = fusion.iota dim = 0 : {sums}
  %steps = fusion.broadcast %step dims = [0] : {step} to {sums}
  %products = fusion.mul %places, %steps : {sums}
  %sums = fusion.cumsum %products dim = 0 : {sums}""")


def memory():
    """Who reads what, and when (B001, B003 to B006, B008, B025, B033)."""
    x = np.arange(17 * 33, dtype=np.float32).reshape(17, 33)
    case("reversed", {"x": x}, {"turned": x[::-1, ::-1], "rest": x[::-1, ::-1] - x}, """
  %turned = fusion.slice %x starts = [16, 32] steps = [-1, -1] : {x} to {turned}
  %rest = fusion.sub %turned, %x : {x}""")
    case("twice", {"x": x}, {"y": 2 * x, "z": (2 * x).T.astype(np.float16), "most": 2 * x.max(0)}, """
  %y = fusion.add %x, %x : {x}
  %t = fusion.transpose %y perm = [1, 0] : {x} to tensor<33x17xf32>
  %z = fusion.cast %t : tensor<33x17xf32> to {z}
  %most = fusion.reduce max, %t dims = [1] : tensor<33x17xf32> to {most}""")
    base, first, second = np.zeros(8, np.float32), np.array([[1], [4], [6]]), np.array([[0], [4], [7]])
    u, v = np.array([1, 2, 3], np.float32), np.array([4, 5, 6], np.float32)
    one, two = base.copy(), base.copy()
    one[first[:, 0]], two[second[:, 0]] = u, v
    case("updates", {"base": base, "i": first, "j": second, "u": u, "v": v},
         {"one": one, "two": two, "both": one + two, "same": base + 0}, """
  %one = fusion.scatter_nd replace, %base, %i, %u : {base}, {i}, {u}
  %two = fusion.scatter_nd replace, %base, %j, %v : {base}, {j}, {v}
  %both = fusion.add %one, %two : {base}
  %zero = fusion.constant dense<0.0> : {base}
  %same = fusion.add %base, %zero : {base}""")
    x, i, start = np.arange(300, dtype=np.float32) % 7, np.arange(300) % 5, np.full(5, -1, np.float32)
    most = start.copy()
    np.maximum.at(most, i, x)
    case("gathered", {"x": x, "i": i, "start": start}, {"rest": x - most[i]}, """
  %most = fusion.scatter_elements max, %start, %i, %x dim = 0 : {start}, {i}, {x}
  %back = fusion.gather %most, %i dim = 0 : {start}, {i} -> {x}
  %rest = fusion.sub %x, %back : {x}""")
    x = np.ones((3, 11, 13, 9), np.float32) * np.arange(1, 4, dtype=np.float32)[:, None, None, None]
    case("pooled", {"x": x}, {"sum": np.array([198, 396, 594], np.float32)}, """
  %p = fusion.pool max, %x window = [3, 3] strides = [2, 3] dilations = [1, 1] low = [0, 0] high = [0, 0] : {x} to tensor<3x11x6x3xf32>
  %flat = fusion.reshape %p : tensor<3x11x6x3xf32> to tensor<3x198xf32>
  %sum = fusion.reduce sum, %flat dims = [1] : tensor<3x198xf32> to {sum}""")
    a = (np.arange(120) % 5 - 2).reshape(24, 5).astype(np.float16)
    b = (np.arange(30) % 7 - 3).reshape(5, 6).astype(np.float16)
    c = (a.astype(np.float32) @ b.astype(np.float32)).reshape(2, 3, 4, 6).transpose(0, 3, 1, 2)
    bias = np.arange(4).astype(np.float16)
    case("permuted", {"a": a, "b": b, "bias": bias}, {"y": (c + bias.astype(np.float32)).astype(np.float16)}, """
  %p = fusion.matmul %a, %b : {a}, {b} -> tensor<24x6xf16>
  %q = fusion.reshape %p : tensor<24x6xf16> to tensor<2x3x4x6xf16>
  %r = fusion.transpose %q perm = [0, 3, 1, 2] : tensor<2x3x4x6xf16> to {y}
  %wide = fusion.broadcast %bias dims = [3] : {bias} to {y}
  %y = fusion.add %r, %wide : {y}""")
    a, b = np.array([[1, 0, 0], [0, 1, 1]], np.float32), np.array([[1], [2], [3]], np.float32)
    c = np.arange(30, dtype=np.float32).reshape(3, 2, 5)
    case("wider", {"a": a, "b": b, "c": c}, {"y": (a @ b)[None] + c}, """
  %p = fusion.matmul %a, %b : {a}, {b} -> tensor<2x1xf32>
  %q = fusion.reshape %p : tensor<2x1xf32> to tensor<2xf32>
  %wide = fusion.broadcast %q dims = [1] : tensor<2xf32> to {c}
  %y = fusion.add %wide, %c : {c}""")
    x = np.arange(1, 13, dtype=np.float32).reshape(3, 4)
    case("column", {"x": x}, {"y": x * x + (x * x)[:, 3:] + (x * x)[::-1, ::-1]}, """
  %s = fusion.mul %x, %x : {x}
  %c = fusion.slice %s starts = [0, 3] steps = [1, 1] : {x} to tensor<3x1xf32>
  %d = fusion.reshape %c : tensor<3x1xf32> to tensor<3xf32>
  %wide = fusion.broadcast %d dims = [0] : tensor<3xf32> to {x}
  %turned = fusion.slice %s starts = [2, 3] steps = [-1, -1] : {x} to {x}
  %sum = fusion.add %s, %wide : {x}
  %y = fusion.add %sum, %turned : {x}""")


def write(folder):
    """Writes the program and its inputs; returns the options that name these."""
    inputs, results, returned, options = [], [], [], []
    for name, given, wanted, _ in CASES:
        for key, array in given.items():
            np.save(folder / f"{name}_{key}.npy", array)
            options += ["--input", f"{name}_{key}={folder}/{name}_{key}.npy"]
            inputs.append(f'%{name}_{key}: {describe(array)} {{fusion.name = "{name}_{key}"}}')
        for key, array in wanted.items():
            results.append(f'{describe(array)} {{fusion.name = "{name}_{key}"}}')
            returned.append((f"%{name}_{key}", describe(array)))
    values, types = zip(*returned)
    (folder / "kinds.mlir").write_text(
        f"func.func @main({', '.join(inputs)}) -> ({', '.join(results)}) {{"
        + "".join(body for *_, body in CASES)
        + f"\n  return {', '.join(values)} : {', '.join(types)}\n}}\n")
    return options


def agrees(got, want):
    if got.dtype.kind != "f":
        return np.array_equal(got, want)
    same = (got == want) & (np.signbit(got) == np.signbit(want))
    return bool(np.all(same | (np.isnan(got) & np.isnan(want))))


def compare(*families):
    """Runs the cases that `families` make, and prints which agree."""
    folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    with np.errstate(all="ignore"):
        for family in families:
            family()
    options = write(folder)
    subprocess.run([*command, str(folder / "kinds.mlir"), *options, "--save-outputs",
                    str(folder / "out")], check=True, stdout=subprocess.DEVNULL)
    for name, _, wanted, _ in CASES:
        wrong = []
        for key, array in wanted.items():
            got = np.load(folder / "out" / f"{name}_{key}.npy")
            if not agrees(got, np.asarray(array)):
                wrong.append(f"{key}: {got.tolist()} for {np.asarray(array).tolist()}")
        print(f"{name} DIFFERS: {'; '.join(wrong)}" if wrong else f"{name} agrees")


if __name__ == "__main__":
    compare(floats, integers, memory)
