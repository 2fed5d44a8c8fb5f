#!/usr/bin/env python3
"""Stores inputs and onnxruntime's outputs for models beside this file.

make_expected.py [NAME...] writes expected/NAME/VALUE.npy for each input and
output, which test/Import/ONNX/executed.test compares with ours. Where
onnxruntime lacks a kernel, onnx's reference evaluator takes its place. Needs
onnx and onnxruntime; the seed is the model's name.
"""

import os
import sys
import zlib

import numpy as np
import onnx
import onnxruntime
from onnx.reference import ReferenceEvaluator

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Sizes for named dims.
DIMS = {"batch": 2, "seq": 3, "past": 4, "N": 3, "B": 2, "H": 6, "W": 7, "S": 5, "K": 3}
MODELS = [
    "elementwise",
    "activations",
    "clip",
    "clip_legacy",
    "matmul",
    "matmul_add_wider",
    "gemm",
    "softmax_11",
    "softmax_13",
    "norms",
    "reduce_11",
    "reduce_20",
    "shapes",
    "shapes_11",
    "dynamic_shapes",
    "movement",
    "positions",
    "windows",
    "branches",
    "dynamic_windows",
    "constants",
    "functions",
    "external_data",
]


def make_input(value, random, indices):
    """Values of all signs."""
    tensor = value.type.tensor_type
    shape = [dim.dim_value if dim.HasField("dim_value") else DIMS[dim.dim_param]
             for dim in tensor.shape.dim]
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    if dtype == np.bool_:
        return random.integers(0, 2, shape).astype(bool)
    if value.name in indices:
        size = indices[value.name]
        return random.integers(-size, size, shape).astype(dtype)
    if np.issubdtype(dtype, np.integer):
        return random.integers(0 if dtype == np.uint8 else -9, 10, shape).astype(dtype)
    return random.normal(0, 2, shape).astype(dtype)


# Where the model is about single elements, floats are these, in turn. (An
# infinity shows that onnxruntime's Clip limits what has no limit.)
SPECIAL = {
    "elementwise": [np.nan, -np.inf, np.inf, -0.0, 0.0, 7.5],
    "clip": [np.nan, -9.5, -0.0, 7.5],
    "clip_legacy": [np.nan, -9.5, -0.0, 7.5],
}
# Positions in a dim of this size, from both ends.
INDICES = {"movement": {"i": 3, "j": 5, "k": 5}, "positions": {"i": 5, "j": 5},
           "dynamic_windows": {"i": 5}}
# What ONNX leaves open: infinities and NaN as integers.
UNDEFINED = {("elementwise", "cast")}


def leave_out_empty(model):
    """Constants without elements as what they stand for: inputs left out.
    onnxruntime does not take them for that in Clip, which is why we test it."""
    empty = [tensor.name for tensor in model.graph.initializer if 0 in tensor.dims]
    for node in model.graph.node:
        if node.op_type == "Clip":
            names = ["" if name in empty else name for name in node.input]
            del node.input[:]
            node.input.extend(names)


def run(model, folder, inputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    # Its optimizer takes a transposed matrix times a vector for another product.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    os.chdir(folder)  # For external data.
    try:
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, ["CPUExecutionProvider"])
        return "onnxruntime", session.run(None, inputs)
    except Exception:
        return "reference", ReferenceEvaluator(model).run(None, inputs)


def main():
    for name in sys.argv[1:] or MODELS:
        path = os.path.join(FOLDER, name + ".onnx")
        model = onnx.load(path, load_external_data=False)
        random = np.random.default_rng(zlib.crc32(name.encode()))
        inputs = {value.name: make_input(value, random, INDICES.get(name, {})) for value in model.graph.input}
        if name in SPECIAL:
            inputs["x"] = np.resize(SPECIAL[name], inputs["x"].shape).astype(np.float32)
        leave_out_empty(model)
        by, outputs = run(model, FOLDER, inputs)
        folder = os.path.join(FOLDER, "expected", name)
        os.makedirs(folder, exist_ok=True)
        names = [value.name for value in model.graph.output]
        for key, array in [*inputs.items(), *zip(names, outputs)]:
            array = np.asarray(array)
            if array.dtype.kind == "V" or (name, key) in UNDEFINED:
                continue  # numpy has no bfloat16.
            np.save(os.path.join(folder, key + ".npy"), array)
        print(name, by)


if __name__ == "__main__":
    main()
