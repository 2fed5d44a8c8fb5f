#!/usr/bin/env python3
"""Stores onnxruntime's results for the graphs that make_graphs.py wrote.

make_graph_results.py [--fusion-run=PATH] [NAME...] writes graphs/NAME.OUTPUT.npy. The
inputs and weights are the ones that fusion-run makes where none are given: a model
that returns its inputs is run to get them, so no file has to hold them. Graphs in f16
and bf16 are computed in f32 and their results rounded once. Needs onnx, onnxruntime
and ml_dtypes.
"""

import argparse
import os
import subprocess
import tempfile

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "graphs")
# The inputs that are no weights, and sizes for named dims.
GRAPHS = {
    "bert_base": (["a_0"], {}),
    "bert_base_f16": (["a_0"], {"batch": 2}),
    "cond": (["x", "c"], {}),
    "double_conv": (["x", "y"], {}),
    "gpt2": (["a_0"], {}),
    "mlp_gelu_f16": (["x"], {}),
    "mobilenet_v2": (["x"], {}),
    "qwen2_2layers": (["a_0"], {}),
    "resnet18_legacy13": (["x0"], {}),
    "resnet50": (["x"], {}),
    "resnet50_f16": (["x"], {"batch": 1}),
    "swiglu_bf16": (["x"], {}),
    "swiglu_dynamic_f32": (["x"], {"batch": 3}),
    "transformer_layer_dynamic": (["x", "mask"], {"batch": 2, "seq": 9}),
    "transformer_layer_f16": (["x", "mask"], {}),
}
WIDE = TensorProto.FLOAT
NARROW = (TensorProto.FLOAT16, TensorProto.BFLOAT16)


def get_inputs(model, fusion_run, kept, dims):
    """What fusion-run gives to each input of `model`."""
    outputs, nodes = [], []
    for index, value in enumerate(model.graph.input):
        output = onnx.ValueInfoProto()
        output.CopyFrom(value)
        output.name = f"input{index}"
        outputs.append(output)
        nodes.append(helper.make_node("Identity", [value.name], [output.name]))
    copy = helper.make_model(helper.make_graph(nodes, "inputs", model.graph.input, outputs),
                             opset_imports=[helper.make_opsetid("", 20)], ir_version=8)
    weights = "*," + ",".join("!" + name for name in kept)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "inputs.onnx")
        onnx.save(copy, path)
        subprocess.run([fusion_run, path, "--device=cpu", "--weights=" + weights, "--save-outputs", folder,
                        *(f"--dim={name}={size}" for name, size in dims.items())],
                       check=True, stdout=subprocess.DEVNULL)
        arrays = {}
        for value, output in zip(model.graph.input, outputs):
            array = np.load(os.path.join(folder, output.name + ".npy"))
            is_bf16 = value.type.tensor_type.elem_type == TensorProto.BFLOAT16
            arrays[value.name] = array.view(ml_dtypes.bfloat16) if is_bf16 else array
        return arrays


def widen(graph):
    """f16 and bf16 become f32 throughout."""
    for tensor in graph.initializer:
        if tensor.data_type in NARROW:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float32), tensor.name))
    for value in [*graph.input, *graph.output]:
        if value.type.tensor_type.elem_type in NARROW:
            value.type.tensor_type.elem_type = WIDE
    for node in graph.node:
        for attribute in node.attribute:
            if node.op_type == "Cast" and attribute.name == "to" and attribute.i in NARROW:
                attribute.i = WIDE
            if attribute.HasField("g"):
                widen(attribute.g)


def compute(model, inputs):
    types = [helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type) for value in model.graph.output]
    widen(model.graph)
    is_narrow = lambda array: array.dtype in (np.float16, ml_dtypes.bfloat16)
    inputs = {name: array.astype(np.float32) if is_narrow(array) else array for name, array in inputs.items()}
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return [array.astype(dtype) for array, dtype in zip(session.run(None, inputs), types)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fusion-run", default="fusion-run")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for name in options.names or GRAPHS:
        model = onnx.load(os.path.join(FOLDER, name + ".onnx"))
        outputs = [value.name for value in model.graph.output]
        inputs = get_inputs(model, options.fusion_run, *GRAPHS[name])
        for output, array in zip(outputs, compute(model, inputs)):
            np.save(os.path.join(FOLDER, f"{name}.{output}.npy"), array)
            print(name, output, array.dtype, array.shape, "deviation", np.std(array.astype(np.float64)))


if __name__ == "__main__":
    main()
