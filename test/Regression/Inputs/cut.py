"""Runs a command on every proper beginning of a file.

  cut.py FILE PLACE COMMAND...   the beginnings go to PLACE, which is the last argument
Prints the ways in which it ended, and "N cut: N refused" at the end. Refused is an
exit code of 1 with an error in words; a beginning that is whole by chance may pass.
"""

import pathlib
import subprocess
import sys


def main():
    data = pathlib.Path(sys.argv[1]).read_bytes()
    place = pathlib.Path(sys.argv[2])
    refused = 0
    for size in range(len(data)):
        place.write_bytes(data[:size])
        done = subprocess.run([*sys.argv[3:], str(place)], capture_output=True, text=True,
                              timeout=60, check=False)
        if done.returncode == 1 and "error: " in done.stderr:
            refused += 1
        else:
            print(f"at {size}: exit code {done.returncode}", done.stderr[:200])
    print(f"{len(data)} cut: {refused} refused")


if __name__ == "__main__":
    main()
