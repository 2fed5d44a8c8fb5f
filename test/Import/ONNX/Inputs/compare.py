"""Compares models with onnxruntime, on inputs that are made to be awkward.

  compare.py DIR FAMILY,... COMMAND...   COMMAND runs a model: fusion-run --device=...

Makes the models of each family in DIR, runs each with onnxruntime (or, where that has no
kernel, with onnx's reference evaluator) and with COMMAND, and
prints "MODEL agrees" where all results do (fusion-run --expect says how closely).
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from onnx.reference import ReferenceEvaluator

RANDOM = np.random.default_rng(7)
FAMILIES = {}


def family(function):
    FAMILIES[function.__name__] = function
    return function


def text(body, opset=18):
    """The model of a graph in onnx's text syntax."""
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]>\n{body}')


def floats(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def ties(*shape):
    """Few different numbers: most stand in a row more than once."""
    return RANDOM.integers(-3, 3, shape).astype(np.float32)


def indices(size, *shape):
    return RANDOM.integers(-size, size, shape).astype(np.int64)


@family
def scatter():
    """All reductions, indices that are negative or repeat, fewer rows than there are."""
    x, i, u = floats(5, 9), indices(9, 4, 7), floats(4, 7)
    for reduction in ("none", "add", "mul", "max", "min"):
        yield f"elements_{reduction}", text(f"""
            g (float[5, 9] x, int64[4, 7] i, float[4, 7] u, int64[9, 9] j, float[9, 9] v) =>
              (float[5, 9] y, float[5, 9] z) {{
              y = ScatterElements<axis = 1, reduction = "{reduction}">(x, i, u)
              z = ScatterElements<axis = 0, reduction = "{reduction}">(x, j, v)
            }}"""), {"x": x, "i": i, "u": u, "j": indices(5, 9, 9), "v": floats(9, 9)}
        yield f"nd_{reduction}", text(f"""
            g (float[5, 3, 4] x, int64[2, 6, 2] i, float[2, 6, 4] u, int64[1] j, float[3, 4] v) =>
              (float[5, 3, 4] y, float[5, 3, 4] z) {{
              y = ScatterND<reduction = "{reduction}">(x, i, u)
              z = ScatterND<reduction = "{reduction}">(x, j, v)
            }}"""), {"x": floats(5, 3, 4), "u": floats(2, 6, 4), "j": indices(5, 1),
                     "i": np.stack([indices(5, 2, 6), indices(3, 2, 6)], axis=-1),
                     "v": floats(3, 4)}
    yield "types", text("""
        g (float16[6] h, int64[9] i, float16[9] hu, int32[6] n, int32[9] nu, uint8[6] b,
           uint8[9] bu, double[6] d, double[9] du, bool[6] t, bool[9] tu) =>
          (float16[6] hs, int32[6] ns, uint8[6] bs, double[6] ds, bool[6] ts) {
          hs = ScatterElements(h, i, hu)
          ns = ScatterElements<reduction = "mul">(n, i, nu)
          bs = ScatterElements<reduction = "max">(b, i, bu)
          ds = ScatterElements<reduction = "min">(d, i, du)
          ts = ScatterElements(t, i, tu)
        }"""), {
            "h": floats(6).astype(np.float16), "hu": floats(9).astype(np.float16),
            "i": indices(6, 9), "n": indices(50, 6).astype(np.int32),
            "nu": indices(50, 9).astype(np.int32),
            "b": RANDOM.integers(0, 255, 6).astype(np.uint8),
            "bu": RANDOM.integers(0, 255, 9).astype(np.uint8),
            "d": floats(6).astype(np.float64), "du": floats(9).astype(np.float64),
            "t": RANDOM.integers(0, 2, 6).astype(bool), "tu": RANDOM.integers(0, 2, 9).astype(bool)}
    yield "gather_nd", text("""
        g (float[2, 5, 3, 4] x, int64[2, 6, 2] i, int64[3, 4] j) =>
          (float[2, 6, 4] y, float[3] z) {
          y = GatherND<batch_dims = 1>(x, i)
          z = GatherND(x, j)
        }"""), {"x": floats(2, 5, 3, 4), "i": np.stack([indices(5, 2, 6), indices(3, 2, 6)], -1),
                "j": np.stack([indices(size, 3) for size in (2, 5, 3, 4)], -1)}
    yield "reverse", text("""
        g (float[3, 5, 2] x, int64[3] n, int64[5] m) => (float[3, 5, 2] y, float[3, 5, 2] z) {
          y = ReverseSequence<batch_axis = 0, time_axis = 1>(x, n)
          z = ReverseSequence<batch_axis = 1, time_axis = 0>(x, m)
        }"""), {"x": floats(3, 5, 2), "n": np.array([1, 3, 5]), "m": np.array([3, 1, 2, 3, 2])}


@family
def order():
    """Ties, both ends, all axes, integers and halves."""
    for kind, dtype in (("float", np.float32), ("int64", np.int64), ("uint8", np.uint8),
                        ("float16", np.float16), ("double", np.float64)):
        x = (ties(5, 37) + (4 if kind == "uint8" else 0)).astype(dtype)
        yield f"top_k_{kind}", text(f"""
            g ({kind}[5, 37] x) => ({kind}[5, 8] v, int64[5, 8] i, {kind}[4, 37] w, int64[4, 37] j)
            <int64[1] eight = {{8}}, int64[1] four = {{4}}> {{
              v, i = TopK(x, eight)
              w, j = TopK<axis = 0, largest = 0>(x, four)
            }}"""), {"x": x}
        last = [f'{op}{last} = Arg{op}<axis = {axis}, select_last_index = {last}, keepdims = {last}>(x)'
                for op in ("Max", "Min") for axis, last in ((0, 0), (1, 1))]
        yield f"arg_{kind}", text(f"""
            g ({kind}[5, 37] x) => (int64[37] Max0, int64[5, 1] Max1, int64[37] Min0, int64[5, 1] Min1) {{
              {chr(10).join(last)}
            }}"""), {"x": x}


@family
def sort_long():
    """A row that goes through the network."""
    yield "sort", text("""
        g (float[2, 2500] x) => (float[2, 2500] v, int64[2, 2500] i)
        <int64[1] all = {2500}> {
          v, i = TopK<largest = 0>(x, all)
        }"""), {"x": RANDOM.integers(-400, 400, (2, 2500)).astype(np.float32)}


@family
def loops():
    """Loop, Scan and sequences, as long as all counts are known."""
    yield "loop", text("""
        g (float[3] x) => (float[3] y, float[4, 3] all)
        <int64 four = {4}, bool yes = {1}> {
          y, all = Loop(four, yes, x) <body = b (int64 i, bool c, float[3] a) =>
            (bool d, float[3] next, float[3] seen) {
            d = Identity(c)
            f = Cast<to = 1>(i)
            next = Add(a, f)
            seen = Mul(next, x)
          }>
        }"""), {"x": floats(3)}
    yield "while", text("""
        g (float[3] x) => (float[3] y)
        <bool yes = {1}, int64 five = {5}, int64 one = {1}, int64 zero = {0}> {
          y, n = Loop("", yes, x, zero) <body = b (int64 i, bool c, float[3] a, int64 k) =>
            (bool d, float[3] next, int64 l) {
            l = Add(k, one)
            d = Less(l, five)
            next = Add(a, a)
          }>
        }"""), {"x": floats(3)}
    yield "scan", text("""
        g (float[2] s, float[5, 2] x) => (float[2] y, float[2, 5] sums) {
          y, sums = Scan<num_scan_inputs = 1, scan_output_axes = [1], scan_input_directions = [1],
                         body = b (float[2] a, float[2] e) => (float[2] sum, float[2] out) {
            sum = Add(a, e)
            out = Identity(sum)
          }>(s, x)
        }"""), {"s": floats(2), "x": floats(5, 2)}
    yield "sequence", text("""
        g (float[6, 2] x, float[2, 2] z) => (float[8, 2] y, float[2, 2] part, float[3, 2, 2] stacked,
                                             int64 n)
        <int64 two = {2}, int64 one = {1}, int64 first = {0}> {
          parts = SplitToSequence<axis = 0>(x, two)
          more = SequenceInsert(parts, z, one)
          fewer = SequenceErase(more, first)
          y = ConcatFromSequence<axis = 0>(more)
          stacked = ConcatFromSequence<axis = 0, new_axis = 1>(fewer)
          part = SequenceAt(more, one)
          n = SequenceLength(more)
        }"""), {"x": floats(6, 2), "z": floats(2, 2)}


@family
def known_data():
    """Results whose shapes are data that is known."""
    yield "compress", text("""
        g (float[4, 3] x) => (float[2, 3] y, float[3] z)
        <bool[3] rows = {1, 0, 1}, bool[7] some = {0, 1, 1, 0, 0, 0, 1}> {
          y = Compress<axis = 0>(x, rows)
          z = Compress(x, some)
        }"""), {"x": floats(4, 3)}
    yield "non_zero", text("""
        g (float[1] x) => (int64[2, 4] y, float[1] z)
        <float[2, 3] c = {1.0, 0.0, -2.0, 0.0, 3.0, 4.0}> {
          y = NonZero(c)
          z = Neg(x)
        }"""), {"x": floats(1)}
    yield "unique", text("""
        g (float[1] x) => (float[4] y, int64[4] i, int64[6] j, int64[4] k, float[4] u, float[1] z)
        <float[6] c = {2.0, 1.0, 1.0, 3.0, 4.0, 3.0}> {
          y, i, j, k = Unique(c)
          u = Unique<sorted = 0>(c)
          z = Neg(x)
        }"""), {"x": floats(1)}


def evaluate(model, path, inputs):
    """onnxruntime's results; those of onnx's reference where it has no kernel."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    except Exception:
        return ReferenceEvaluator(model).run(None, inputs)
    return session.run(None, inputs)


def compare(folder, command, name, model, inputs):
    """Runs one model both ways; prints whether they agree."""
    path = folder / f"{name}.onnx"
    onnx.save(model, path)
    results = evaluate(model, path, inputs)
    line = [*command, str(path)]
    for flag, names, values in (
            ("--input", inputs.keys(), inputs.values()),
            ("--expect", [output.name for output in model.graph.output], results)):
        for value_name, value in zip(names, values):
            file = folder / f"{name}.{value_name}.npy"
            np.save(file, value)
            line += [flag, f"{value_name}={file}"]
    done = subprocess.run(line, capture_output=True, text=True)
    print(f"{name} agrees" if done.returncode == 0 else f"{name} DIFFERS\n{done.stderr}",
          flush=True)


def main():
    folder, chosen, command = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    start = RANDOM.bit_generator.state
    for name in chosen.split(","):
        RANDOM.bit_generator.state = start
        for case in FAMILIES[name]():
            compare(folder, command, *case)


if __name__ == "__main__":
    main()
