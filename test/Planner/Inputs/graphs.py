"""Prints large graphs as linalg: graphs.py KIND N.

chains N    N chains of four elementwise ops, listed op by op, not chain by chain
shared N    the same chains on one input
deep N      one chain of N additions
tree N      the sum of N inputs, in pairs
diamonds N  N diamonds, one after the other
"""

import sys


def unary(op, result, operand, shape):
    t = f"tensor<{shape}xf32>"
    return f"  {result} = linalg.{op} ins({operand} : {t}) outs(%e : {t}) -> {t}"


def add(result, a, b, shape):
    t = f"tensor<{shape}xf32>"
    return f"  {result} = linalg.add ins({a}, {b} : {t}, {t}) outs(%e : {t}) -> {t}"


def chains(n, inputs):
    lines = []
    current = [inputs[i % len(inputs)] for i in range(n)]
    for step, op in enumerate(["exp", "negf", "abs", "tanh"]):
        for i in range(n):
            lines.append(unary(op, f"%s{step}_{i}", current[i], 64))
            current[i] = f"%s{step}_{i}"
    return lines, current


def deep(n):
    lines, current = [], "%x0"
    for i in range(n):
        lines.append(add(f"%s{i}", current, "%x1", 1))
        current = f"%s{i}"
    return lines, [current]


def tree(inputs):
    lines, level, count = [], list(inputs), 0
    while len(level) > 1:
        following = []
        for a, b in zip(level[::2], level[1::2]):
            lines.append(add(f"%s{count}", a, b, 16))
            following.append(f"%s{count}")
            count += 1
        level = following + level[len(level) & ~1 :]
    return lines, level


def diamonds(n):
    lines, current = [], "%x0"
    for i in range(n):
        lines.append(unary("exp", f"%a{i}", current, 8))
        lines.append(unary("negf", f"%b{i}", f"%a{i}", 8))
        lines.append(add(f"%c{i}", f"%a{i}", f"%b{i}", 8))
        current = f"%c{i}"
    return lines, [current]


def main():
    kind, n = sys.argv[1], int(sys.argv[2])
    count = {"chains": n, "shared": 1, "deep": 2, "tree": n, "diamonds": 1}[kind]
    inputs = [f"%x{i}" for i in range(count)]
    shape = {"chains": 64, "shared": 64, "deep": 1, "tree": 16, "diamonds": 8}[kind]
    lines, results = {
        "chains": lambda: chains(n, inputs),
        "shared": lambda: chains(n, inputs),
        "deep": lambda: deep(n),
        "tree": lambda: tree(inputs),
        "diamonds": lambda: diamonds(n),
    }[kind]()
    t = f"tensor<{shape}xf32>"
    arguments = ", ".join(f"{i}: {t}" for i in inputs)
    types = ", ".join([t] * len(results))
    print(f"func.func @main({arguments}) -> ({types}) {{")
    print(f"  %e = tensor.empty() : {t}")
    print("\n".join(lines))
    print(f"  return {', '.join(results)} : {types}\n}}")


main()
