"""check_judge.py ONNX-SUITE: what utils/onnx-suite makes of ends that no model reaches."""

import importlib.machinery
import importlib.util
import sys

loader = importlib.machinery.SourceFileLoader("suite", sys.argv[1])
suite = importlib.util.module_from_spec(importlib.util.spec_from_loader("suite", loader))
loader.exec_module(suite)
for code, error in ((-11, ""), (2, ""), (1, "no reason"), (1, "error: 'llvm.add' op expected"),
                    (1, "error: input 'x': element type string is not supported"), (0, "")):
    print(*suite.judge(code, error), sep=": ")
