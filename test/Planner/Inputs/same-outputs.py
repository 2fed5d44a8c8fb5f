"""Fails where the arrays in the later folders differ from those in the first.

usage: same-outputs.py EXPECTED OUTPUTS...

Needs Python alone: numbers may differ by 0.4 percent of them and 0.004.
"""
import math
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Regression" / "Inputs"))

import npy


def agree(want, got):
    """Whether two numbers are close, or both NaN or the same infinity."""
    if math.isnan(want) or math.isinf(want):
        return want == got or (math.isnan(want) and math.isnan(got))
    return abs(got - want) <= 4e-3 + 4e-3 * abs(want)


expected = pathlib.Path(sys.argv[1])
files = sorted(expected.glob("*.npy"))
assert files, f"no arrays in {expected}"
for folder in map(pathlib.Path, sys.argv[2:]):
    for file in files:
        (_, shape, want), (_, other, got) = npy.read(file), npy.read(folder / file.name)
        assert shape == other, f"{folder / file.name}: expected {shape}, but got {other}"
        for place, (ours, theirs) in enumerate(zip(want, got)):
            assert agree(ours, theirs), \
                f"{folder / file.name}: expected {ours} at {place}, but got {theirs}"
