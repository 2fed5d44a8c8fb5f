"""Runs kernels (LLVM IR of fusion-translate --fusion-to-kernel-llvm) on the CPU,
one thread for each GPU thread. Arrays end at a page that faults, so that an
access out of bounds ends the test."""

import ctypes
import mmap
import os
import re
import subprocess
import tempfile

import numpy as np

INTRINSICS = {
    "llvm.nvvm.read.ptx.sreg.": "emu_",
    "llvm.nvvm.barrier.cta.sync.aligned.all": "emu_barrier",
    "llvm.nvvm.bar.warp.sync": "emu_warp_barrier",
    "llvm.nvvm.div.full": "emu_divide",
    "llvm.nvvm.ex2.approx.f32": "emu_exp2",
    "llvm.nvvm.ex2.approx.ftz.f32": "emu_exp2_normal",
    "llvm.nvvm.rcp.approx.ftz.f": "emu_reciprocal",
    "llvm.nvvm.shfl.sync.bfly.": "emu_shuffle_",
}
PAGE = mmap.PAGESIZE
libc = ctypes.CDLL(None, use_errno=True)


def rewrite(text):
    """Drops what only NVPTX understands and renames the intrinsics."""
    text = re.sub(r"^target .*$", "", text, flags=re.M)
    text = text.replace("ptx_kernel ", "")
    for name, replacement in INTRINSICS.items():
        text = text.replace("@" + name, "@" + replacement)
    return re.sub(r"@emu_(n?ctaid|tid)\.([xyz])", r"@emu_\1_\2", text)


class Guarded:
    """An array that ends (up to 15 bytes) before a page without access."""

    def __init__(self, array):
        self.shape, self.dtype = array.shape, array.dtype
        size = (array.nbytes + 15) // 16 * 16
        pages = max((size + PAGE - 1) // PAGE, 1)
        self.memory = mmap.mmap(-1, (pages + 1) * PAGE)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        if libc.mprotect(ctypes.c_void_p(base + pages * PAGE), PAGE, 0):
            raise OSError(ctypes.get_errno(), "mprotect")
        self.address = base + pages * PAGE - size
        self.slack = size - array.nbytes
        raw = (ctypes.c_char * size).from_address(self.address)
        self.raw = np.frombuffer(raw, np.uint8)
        self.raw[:] = 0xA5
        self.raw[: array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)

    def get(self):
        """The contents; what lies behind them must be untouched."""
        count = self.raw.size - self.slack
        assert (self.raw[count:] == 0xA5).all(), "wrote behind the array"
        return self.raw[:count].view(self.dtype).reshape(self.shape).copy()


class Kernels:
    def __init__(self, ir_file, compiler):
        here = os.path.dirname(os.path.abspath(__file__))
        self.folder = tempfile.TemporaryDirectory()
        ir = os.path.join(self.folder.name, "kernels.ll")
        library = os.path.join(self.folder.name, "kernels.so")
        with open(ir_file) as source, open(ir, "w") as target:
            target.write(rewrite(source.read()))
        subprocess.run(
            [compiler, "-O1", "-Wno-override-module", "-fPIC", "-shared", "-pthread",
             "-mfma", "-mf16c", ir, os.path.join(here, "block.c"), "-o", library, "-lm"],
            check=True)
        self.library = ctypes.CDLL(library)

    def run(self, name, grid, warps, *args):
        """Arrays are passed as their address, integers as they are; returns the
        contents of the arrays afterwards."""
        guarded = [Guarded(a) if isinstance(a, np.ndarray) else a for a in args]
        values = [g.address if isinstance(g, Guarded) else g for g in guarded]
        grid = list(grid) + [1] * (3 - len(grid))
        self.library.launch(
            ctypes.cast(getattr(self.library, name), ctypes.c_void_p),
            (ctypes.c_int64 * 3)(*grid), 32 * warps,
            (ctypes.c_int64 * len(values))(*values), len(values))
        return [g.get() for g in guarded if isinstance(g, Guarded)]
