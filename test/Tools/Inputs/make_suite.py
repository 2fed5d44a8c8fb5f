"""make_suite.py MODELS FOLDER: three models with data as utils/onnx-suite reads them.

One passes once its shape and axes are bound, one has another result, one is refused.
"""

import pathlib
import shutil
import struct
import sys

FLOAT, INT32, INT64 = 1, 6, 7
FORMATS = {FLOAT: "f", INT32: "i", INT64: "q"}


def tensor(kind, dims, values):
    """A TensorProto: dims (1), data_type (2), raw_data (9); all numbers are below 128."""
    raw = struct.pack(f"<{len(values)}{FORMATS[kind]}", *values)
    assert len(raw) < 128
    return b"".join(bytes([0x08, dim]) for dim in dims) + bytes([0x10, kind, 0x4A, len(raw)]) + raw


def make(folder, model, inputs, outputs):
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    shutil.copy(model, folder / "model.onnx")
    for kind, tensors in (("input", inputs), ("output", outputs)):
        for number, contents in enumerate(tensors):
            (data / f"{kind}_{number}.pb").write_bytes(contents)


def main():
    models, folder = map(pathlib.Path, sys.argv[1:])
    inputs = [tensor(FLOAT, [2, 6], [1] * 12), tensor(INT64, [2], [-1, 3]),
              tensor(INT32, [1], [-1])]
    for name, result in (("right", 3), ("wrong", 4)):
        make(folder / "node" / f"test_{name}", models / "known_inputs.onnx", inputs,
             [tensor(FLOAT, [4, 1], [result] * 4)])
    make(folder / "node" / "test_refused", models / "legacy_refused.onnx", [], [])


main()
