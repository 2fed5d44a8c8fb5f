"""Runs a command that writes a package to a pipe, and reads it there.

  read_fifo.py PIPE COMMAND...   COMMAND names PIPE as its output
"""

import os
import stat
import subprocess
import sys

pipe, command = sys.argv[1], sys.argv[2:]
os.mkfifo(pipe)
writer = subprocess.Popen(command)
with open(pipe, "rb") as file:
    data = file.read()
print("exit:", writer.wait(), "begins with:", data[:4])
print("still a pipe:", stat.S_ISFIFO(os.stat(pipe).st_mode))
