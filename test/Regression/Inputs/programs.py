"""Prints programs that are too long to be written down.

  programs.py tree N FOLDER     the sum of N inputs in a tree; input k, filled with
                                k, goes to FOLDER/x<k>.npy, and the options that
                                name them all to the response file FOLDER/inputs
  programs.py halves N          N levels of x <- 0.5 x + 0.5 x, each half its own op
  programs.py ones N            N additions of an input, one after the other
"""

import os
import sys

import npy


def function(arguments, kind, body, result):
    lines = ", ".join(f'%{name}: {kind} {{fusion.name = "{name}"}}' for name in arguments)
    return "\n".join([f"func.func @main({lines}) -> ({kind} {{fusion.name = \"y\"}}) {{", *body,
                      f"  return %{result} : {kind}", "}"])


def tree(count, folder):
    kind = "tensor<16xf32>"
    names = [f"x{k}" for k in range(count)]
    level, body = names, []
    while len(level) > 1:
        pairs = list(zip(level[::2], level[1::2]))
        sums = [f"s{len(body) + i}" for i in range(len(pairs))]
        body += [f"  %{s} = fusion.add %{a}, %{b} : {kind}" for s, (a, b) in zip(sums, pairs)]
        level = sums + level[2 * len(pairs):]
    with open(os.path.join(folder, "inputs"), "w", encoding="utf-8") as options:
        for k in range(count):
            path = os.path.join(folder, f"x{k}.npy")
            npy.write(path, "f32", (16,), [float(k)] * 16)
            print(f"--input x{k}={path}", file=options)
    return function(names, kind, body, level[0])


def halves(count):
    kind = "tensor<8xf32>"
    body, value = [f"  %half = fusion.constant dense<0.5> : {kind}"], "x"
    for i in range(count):
        body += [f"  %a{i} = fusion.mul %{value}, %half : {kind}",
                 f"  %b{i} = fusion.mul %half, %{value} : {kind}",
                 f"  %c{i} = fusion.add %a{i}, %b{i} : {kind}"]
        value = f"c{i}"
    return function(["x"], kind, body, value)


def ones(count):
    kind, body, value = "tensor<1xf32>", [], "x"
    for i in range(count):
        body.append(f"  %s{i} = fusion.add %{value}, %one : {kind}")
        value = f"s{i}"
    return function(["x", "one"], kind, body, value)


if __name__ == "__main__":
    print({"tree": tree, "halves": halves, "ones": ones}[sys.argv[1]](int(sys.argv[2]), *sys.argv[3:]))
