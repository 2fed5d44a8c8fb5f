"""How the tests under test/ run. docs/Testing.md explains the features.

Parameters (lit --param NAME=VALUE, or the variable in the environment):
  cuda=sm_90   FUSION_TEST_CUDA   run the tests that need such a GPU
  python=PATH  FUSION_TEST_PYTHON a Python with numpy and onnxruntime
  large=1      FUSION_TEST_LARGE  run what takes gigabytes and minutes
"""

import os
import shutil
import subprocess

import lit.formats

config.name = "Fusion"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".onnxtxt"]
config.excludes = ["Inputs", "models", "Unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fusion_binary_dir, "test")


def parameter(name, variable, default=""):
    return lit_config.params.get(name, os.environ.get(variable, default))


def runs(command):
    try:
        done = subprocess.run(command, capture_output=True, timeout=60)
        return done.returncode == 0
    except OSError:
        return False


# Tools: ours first, then LLVM's.
tools_dir = os.path.join(config.fusion_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error --enable-var-scope"

config.substitutions += [
    ("%models", os.path.join(config.test_source_root, "models")),
    ("%include", os.path.join(config.fusion_source_dir, "include")),
    ("%gpu-tests", os.path.join(config.fusion_source_dir, "utils", "gpu-tests")),
    ("%utils", os.path.join(config.fusion_source_dir, "utils")),
    ("%llvm_lib", os.path.join(os.path.dirname(config.llvm_tools_dir), "lib")),
    ("%lib", os.path.join(config.fusion_binary_dir, "lib")),
    ("%build", config.fusion_binary_dir),
    ("%cc", config.c_compiler),
    ("%cxx", config.cxx_compiler),
    ("%version", config.fusion_version),
]

# Features.
ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

chromium = shutil.which("chromium") or shutil.which("google-chrome")
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", chromium))
if os.path.exists(os.path.join(config.llvm_tools_dir, "mlir-opt")):
    config.available_features.add("mlir-opt")

cuda = parameter("cuda", "FUSION_TEST_CUDA")
if cuda:
    level = int("".join(c for c in cuda if c.isdigit()))
    for known in (80, 90):
        if level >= known:
            config.available_features.add("cuda-sm%d" % known)
    config.environment["FUSION_TEST_CUDA"] = cuda
else:
    # Nothing of the test suite may depend on a GPU that happens to be there.
    config.environment["CUDA_VISIBLE_DEVICES"] = ""
    config.available_features.add("no-cuda")

python = parameter("python", "FUSION_TEST_PYTHON", "python3")
config.substitutions.append(("%python", python))
if runs([python, "-c", "import numpy, onnx, onnxruntime"]):
    config.available_features.add("onnxruntime")

if parameter("large", "FUSION_TEST_LARGE"):
    config.available_features.add("large")

if config.sanitizer:
    config.available_features.add("sanitizer")
    # LLVM's own allocators run half with our instrumentation, half without: what
    # they poison means nothing.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"
