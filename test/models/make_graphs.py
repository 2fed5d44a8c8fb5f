#!/usr/bin/env python3
"""Reduces exported graphs to sizes that the emulator runs in a second.

make_graphs.py FOLDER [NAME...] reads FOLDER/NAME.onnx (torch.onnx of PyTorch 2.11,
`resnet18_legacy13` by its older exporter; weights are graph inputs) and writes
graphs/NAME.onnx: the same nodes in the same order, with each size replaced as
GRAPHS says, in the shapes of inputs and constants, in constant shapes and slices, and
in the group counts of convolutions. Repeated layers of transformers are cut off after
the second. The result is checked by shape inference. Needs onnx.
"""

import os
import sys

import numpy as np
import onnx
from onnx import numpy_helper

FOLDER = os.path.dirname(os.path.abspath(__file__))

# The sizes of each graph, and the value to end at where layers are cut off. Sizes
# that are multiples of 16 keep the kernels of tensor cores; others cut tiles off.
RESNET = {224: 32, 64: 8, 128: 16, 256: 24, 512: 32, 1024: 40, 2048: 48, 1000: 20}
GRAPHS = {
    # 12 heads of 8 resp. 16; 16 and 32 tokens of two sequences.
    "bert_base": ({768: 96, 3072: 144, 64: 8, 128: 16, 512: 32, 30522: 100}, "layer_norm_4"),
    "bert_base_f16": ({768: 192, 3072: 256, 64: 16, 128: 32, 512: 64, 30522: 100}, "layer_norm_4"),
    "gpt2": ({768: 96, 2304: 288, 3072: 144, 64: 8, 128: 16, 256: 32, 1024: 32, 50257: 100}, "layer_norm_4"),
    # 12 heads of 16 on 2 of keys and values; 16 tokens.
    "qwen2_2layers": ({1536: 192, 8960: 208, 256: 32, 128: 16, 64: 8, 151936: 100}, None),
    # 4 heads of 32 resp. 8 for 16 of 64.
    "transformer_layer_f16": ({8: 2, 512: 64, 1024: 128, 4096: 192, 16: 4, 64: 32}, None),
    "transformer_layer_dynamic": ({1024: 32, 4096: 72, 16: 4, 64: 8}, None),
    "mlp_gelu_f16": ({512: 96, 1024: 128, 4096: 192}, None),
    "swiglu_bf16": ({512: 128, 1536: 192, 8960: 320}, None),
    "swiglu_dynamic_f32": ({1536: 40, 8960: 72}, None),
    "cond": ({64: 12, 256: 40}, None),
    "double_conv": ({8: 2, 64: 8, 56: 9}, None),
    "resnet18_legacy13": (RESNET, None),
    "resnet50": (RESNET, None),
    "resnet50_f16": (RESNET, None),
    "mobilenet_v2": ({224: 32, 16: 4, 24: 6, 32: 8, 64: 12, 96: 24, 144: 36, 160: 20, 192: 48, 320: 40, 384: 52,
                      576: 60, 960: 64, 1280: 72, 1000: 20}, None),
}


def is_shape(array):
    """Sizes and bounds of slices are short lists of integers."""
    return array.dtype == np.int64 and array.ndim == 1 and array.size <= 8


def reduce_constant(tensor, sizes):
    array = numpy_helper.to_array(tensor)
    if is_shape(array):
        array = np.array([sizes.get(size, size) for size in array.tolist()], np.int64)
    else:
        # The first elements of each dim: positions and masks stay what they are.
        array = array[tuple(slice(0, sizes.get(size, size)) for size in array.shape)]
    tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), tensor.name))


def reduce_shape(value, sizes):
    for dim in value.type.tensor_type.shape.dim:
        if dim.HasField("dim_value"):
            dim.dim_value = sizes.get(dim.dim_value, dim.dim_value)


def reduce_graph(graph, sizes):
    for tensor in graph.initializer:
        reduce_constant(tensor, sizes)
    for value in [*graph.input, *graph.output]:
        reduce_shape(value, sizes)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                reduce_graph(attribute.g, sizes)
            elif attribute.HasField("t"):
                reduce_constant(attribute.t, sizes)
            elif attribute.name == "group" and attribute.i > 1:
                attribute.i = sizes.get(attribute.i, attribute.i)
    del graph.value_info[:]


def list_reads(node):
    reads = list(node.input)
    for attribute in node.attribute:
        for inner in attribute.g.node:
            reads += list_reads(inner)
    return reads


def end_at(graph, name):
    """Makes the value `name` the only output and drops what it does not need."""
    needed, nodes = {name}, []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            nodes.insert(0, node)
            needed.update(list_reads(node))
    output = graph.output[0]
    output.name = name
    for field, kept in (("node", nodes),
                        ("initializer", [t for t in graph.initializer if t.name in needed]),
                        ("input", [v for v in graph.input if v.name in needed])):
        kept = [type(item).FromString(item.SerializeToString()) for item in kept]
        graph.ClearField(field)
        getattr(graph, field).extend(kept)


def drop_debug_text(model):
    """The exporter's notes (stack traces, names of its own ops)."""
    def visit(graph):
        for node in graph.node:
            node.ClearField("metadata_props")
            node.ClearField("doc_string")
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    visit(attribute.g)
        for value in [*graph.input, *graph.output, *graph.initializer]:
            value.ClearField("metadata_props")
        graph.ClearField("metadata_props")
    visit(model.graph)
    model.ClearField("metadata_props")


def main():
    source = sys.argv[1]
    os.makedirs(os.path.join(FOLDER, "graphs"), exist_ok=True)
    for name in sys.argv[2:] or GRAPHS:
        sizes, end = GRAPHS[name]
        model = onnx.load(os.path.join(source, name + ".onnx"))
        if end:
            end_at(model.graph, end)
        reduce_graph(model.graph, sizes)
        drop_debug_text(model)
        onnx.checker.check_model(onnx.shape_inference.infer_shapes(model, strict_mode=True), full_check=True)
        path = os.path.join(FOLDER, "graphs", name + ".onnx")
        onnx.save(model, path)
        print(name, len(model.graph.node), "nodes,", os.path.getsize(path), "bytes")


if __name__ == "__main__":
    main()
