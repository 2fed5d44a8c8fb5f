"""Fails where the arrays in the later folders differ from those in the first.

usage: same-outputs.py EXPECTED OUTPUTS...
"""
import pathlib
import sys

import numpy

expected = pathlib.Path(sys.argv[1])
files = sorted(expected.glob("*.npy"))
assert files, f"no arrays in {expected}"
for folder in map(pathlib.Path, sys.argv[2:]):
    for file in files:
        want, got = (numpy.load(path).astype(numpy.float64) for path in (file, folder / file.name))
        numpy.testing.assert_allclose(got, want, rtol=4e-3, atol=4e-3, err_msg=f"{folder / file.name}")
