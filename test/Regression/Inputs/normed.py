"""Makes rows whose mean is large against their spread, and checks them normalized.

  normed.py make FOLDER     x<n>.npy for each length
  normed.py check FOLDER    which bound the errors of y<n>.npy keep, against f64
"""

import pathlib
import sys

import numpy as np

LENGTHS = (16, 1025, 65537)


def row(length):
    return 1000000 + np.arange(length, dtype=np.float64)[None]


def main(command, folder):
    for length in LENGTHS:
        x = row(length)
        if command == "make":
            np.save(pathlib.Path(folder) / f"x{length}.npy", x.astype(np.float32))
            continue
        wanted = (x - x.mean()) / np.sqrt(x.var() + 1e-5)
        got = np.load(pathlib.Path(folder) / f"y{length}.npy")
        error = np.abs(got - wanted).max()
        bound = next((bound for bound in ("1e-5", "3e-5") if error < float(bound)), None)
        print(f"{length}: {f'within {bound}' if bound else f'off by {error}'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
