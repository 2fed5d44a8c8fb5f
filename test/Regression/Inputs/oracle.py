"""Compares every elementwise operation with its definition, on edge cases.

  oracle.py DIR COMMAND...   COMMAND runs a model: fusion-run --device=...

Definitions are computed here, in exact integers or in Python's doubles rounded
to the type; files go to DIR. Prints what differs, then "N results compared".
"""

import math
import operator
import pathlib
import random
import struct
import subprocess
import sys

import npy

INTS = [sign + str(width) for sign in ("i", "ui") for width in (8, 16, 32, 64)]
FLOATS = ["f16", "f32", "f64"]
COUNT = 41  # not a multiple of any vector
# What a function may be off by, in units of the last place.
ULPS = {"exp": 2, "log": 2, "sqrt": 1, "rsqrt": 3, "erf": 4, "tanh": 5, "sigmoid": 4, "silu": 5,
        "sin": 3, "cos": 3, "pow": 4}


def npy_kind(kind):
    return "bool" if kind == "i1" else kind.replace("ui", "u")


def limits(kind):
    width = int(kind.lstrip("ui"))
    return (0, 2**width - 1) if kind[0] == "u" else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)


def wrap(value, kind):
    low, high = limits(kind)
    return (value - low) % (high - low + 1) + low


def rounded(value, kind):
    """The double `value` in the float type `kind`."""
    try:
        return struct.unpack(npy.CODES[kind], struct.pack(npy.CODES[kind], value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def guarded(function):
    """`function` with IEEE's results where Python raises."""
    def call(*x):
        if any(math.isnan(value) for value in x):
            return math.nan
        try:
            return function(*x)
        except (ValueError, OverflowError, ZeroDivisionError):
            return None  # not compared
    return call


def quotient(x, y, kind):
    low, high = limits(kind)
    if y == 0:
        return high if low == 0 else -1
    return wrap(abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1), kind)


INT_OPS = {
    "add": lambda x, y, k: wrap(x + y, k), "sub": lambda x, y, k: wrap(x - y, k),
    "mul": lambda x, y, k: wrap(x * y, k), "div": quotient,
    "rem": lambda x, y, k: x if y == 0 else (abs(x) % abs(y)) * (-1 if x < 0 else 1),
    "min": lambda x, y, k: min(x, y), "max": lambda x, y, k: max(x, y),
    "and": lambda x, y, k: wrap(x & y, k), "or": lambda x, y, k: wrap(x | y, k),
    "xor": lambda x, y, k: wrap(x ^ y, k)}
FLOAT_UNARY = {
    "neg": operator.neg, "abs": abs, "relu": lambda x: max(x, 0.0), "exp": math.exp,
    "log": math.log, "sqrt": math.sqrt, "rsqrt": lambda x: 1 / math.sqrt(x),
    "reciprocal": lambda x: 1 / x, "erf": math.erf, "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)), "silu": lambda x: x / (1 + math.exp(-x)),
    "sin": math.sin, "cos": math.cos, "floor": math.floor, "ceil": math.ceil, "round": round}
FLOAT_BINARY = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "rem": math.fmod, "min": min, "max": max, "pow": math.pow}
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]


def samples(kind, generator):
    if kind == "i1":
        return [generator.random() < 0.5 for _ in range(COUNT)]
    if kind in FLOATS:
        values = [math.nan, math.inf, -math.inf, 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 3000.0]
        values += [generator.gauss(0, 4) for _ in range(COUNT - len(values))]
        return [rounded(value, kind) for value in values]
    low, high = limits(kind)
    values = [low, high, 0, 1, high - 1, 2, 3, low]
    values += [generator.randint(max(low, -9), 9) for _ in range(12)]
    return values + [generator.randint(low, high) for _ in range(COUNT - len(values))]


def cast(value, source, target):
    if target == "i1":
        return value != 0
    if target in FLOATS:
        if target == "f16" and source != "f32":
            value = rounded(float(value), "f32")
        return rounded(float(value), target)
    if source not in FLOATS:
        return wrap(int(value), target)
    low, high = limits(target)
    if math.isnan(value):
        return 0
    return low if value <= low else high if value >= high else int(value)


def agree(expected, actual, kind, ulps):
    if expected is None:
        return True
    if kind not in FLOATS or not math.isfinite(expected) or not math.isfinite(actual):
        return expected == actual or (expected != expected and actual != actual)
    epsilon = {"f16": 2.0**-10, "f32": 2.0**-23, "f64": 2.0**-52}[kind]
    least = {"f16": 2.0**-24, "f32": 2.0**-149, "f64": 5e-324}[kind]
    if expected == 0 and ulps == 0:
        return actual == 0
    return abs(expected - actual) <= ulps * max(epsilon * abs(expected), least)


class Model:
    """One graph of many operations on the same operands."""

    def __init__(self, folder, command, **operands):
        self.folder, self.command, self.operands = pathlib.Path(folder), command, operands
        self.lines, self.results = [], []

    def add(self, name, text, kind, expected, ulps=0):
        self.lines.append(f"  %r{len(self.results)} = {text}")
        self.results.append((name, kind, expected, ulps))

    def write(self):
        arguments = ", ".join(f'%{name}: tensor<{COUNT}x{kind}> {{fusion.name = "{name}"}}'
                              for name, (kind, _) in self.operands.items())
        types = [f"tensor<{COUNT}x{kind}>" for _, kind, _, _ in self.results]
        named = ", ".join(f'{text} {{fusion.name = "{name}"}}'
                          for text, (name, _, _, _) in zip(types, self.results))
        values = ", ".join(f"%r{index}" for index in range(len(self.results)))
        text = "\n".join([f"func.func @main({arguments}) -> ({named}) {{", *self.lines,
                          f"  return {values} : {', '.join(types)}", "}", ""])
        (self.folder / "model.mlir").write_text(text)

    def compare(self):
        """Runs the model; returns the number of results that were compared."""
        self.write()
        command = [*self.command, str(self.folder / "model.mlir")]
        for name, (kind, values) in self.operands.items():
            path = str(self.folder / f"{name}.npy")
            npy.write(path, npy_kind(kind), (COUNT,), values)
            command += ["--input", f"{name}={path}"]
        subprocess.run([*command, "--save-outputs", str(self.folder)], check=True,
                       stdout=subprocess.DEVNULL)
        for name, kind, expected, ulps in self.results:
            actual = npy.read(self.folder / f"{name}.npy")[2]
            operands = zip(*(values for _, values in self.operands.values()))
            for x, wanted, got in zip(operands, expected, actual):
                if not agree(wanted, got, kind, ulps):
                    print(f"{name} of {x}: expected {wanted}, but got {got} ({kind})")
        return len(self.results) * COUNT


def check_ints(folder, command, kind, generator):
    x, y = samples(kind, generator), samples(kind, generator)
    y[:4] = [wrap(-1, kind), 0, 0, wrap(-1, kind)]
    model = Model(folder, command, x=(kind, x), y=(kind, y))
    shape = f"tensor<{COUNT}x{kind}>"
    for name, function in INT_OPS.items():
        model.add(name, f"fusion.{name} %x, %y : {shape}", kind,
                  [function(a, b, kind) for a, b in zip(x, y)])
    add_comparisons(model, shape, x, y)
    return model.compare()


def add_comparisons(model, shape, x, y):
    for name in COMPARISONS:
        model.add(name, f"fusion.compare {name}, %x, %y : {shape}", "i1",
                  [getattr(operator, name)(a, b) for a, b in zip(x, y)])


def check_floats(folder, command, kind, generator):
    x, y = samples(kind, generator), samples(kind, generator)
    generator.shuffle(y)
    model = Model(folder, command, x=(kind, x), y=(kind, y))
    shape = f"tensor<{COUNT}x{kind}>"

    def results(function, *operands):
        values = [guarded(function)(*x) for x in zip(*operands)]
        return [value if value is None else rounded(float(value), kind) for value in values]

    for name, function in FLOAT_UNARY.items():
        model.add(name, f"fusion.{name} %x : {shape}", kind, results(function, x),
                  ULPS.get(name, 0))
    for name, function in FLOAT_BINARY.items():
        # pow(NaN, 0) and pow(1, NaN) are 1: not what `guarded` says.
        model.add(name, f"fusion.{name} %x, %y : {shape}", kind,
                  [math.pow(a, b) if a == 1 or b == 0 else value
                   for a, b, value in zip(x, y, results(function, x, y))]
                  if name == "pow" else results(function, x, y), ULPS.get(name, 0))
    add_comparisons(model, shape, x, y)
    return model.compare()


def check_casts(folder, command, kind, generator):
    x = samples(kind, generator)
    model = Model(folder, command, x=(kind, x))
    for target in [*INTS, *FLOATS, "i1"]:
        if target != kind:
            model.add(f"to_{target}",
                      f"fusion.cast %x : tensor<{COUNT}x{kind}> to tensor<{COUNT}x{target}>",
                      target, [cast(value, kind, target) for value in x])
    return model.compare()


def main():
    folder, *command = sys.argv[1:]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    generator = random.Random(1)
    compared = 0
    for kind in INTS:
        compared += check_ints(folder, command, kind, generator)
    for kind in FLOATS:
        compared += check_floats(folder, command, kind, generator)
    for kind in [*INTS, *FLOATS, "i1"]:
        compared += check_casts(folder, command, kind, generator)
    print(f"{compared} results compared")


if __name__ == "__main__":
    main()
