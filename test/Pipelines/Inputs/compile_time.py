"""compile_time.py FUSION-COMPILE FOLDER: how compile time grows with the graph.

Compiles N and 2 N independent chains of four ops to PTX and compares the
processor times. Noise only adds to a time: the least of a few runs counts, and
there is another run while the ratio is too large.
"""

import os
import subprocess
import sys

OPS = ["exp", "tanh", "abs", "neg", "sqrt", "floor", "relu", "sin"]
MOST = 2.3
ATTEMPTS = 4


def equal_chain(_):
    return "tensor<64x64xf32>", OPS[:4]


def different_chain(i):
    mixed = i * 2654435761 >> 8
    shape = f"tensor<{3 + i * 40503 % 97}x{5 + i * 30011 % 43}xf32>"
    return shape, [OPS[mixed >> 3 * step & 7] for step in range(4)]


def write_chains(path, count, chain):
    arguments, body, results, types = [], [], [], []
    for i in range(count):
        kind, ops = chain(i)
        value = f"%x{i}"
        arguments.append(f"{value}: {kind}")
        for step, op in enumerate(ops):
            body.append(f"  %v{i}_{step} = fusion.{op} {value} : {kind}")
            value = f"%v{i}_{step}"
        results.append(value)
        types.append(kind)
    with open(path, "w") as file:
        file.write(f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n")
        file.write("\n".join(body))
        file.write(f"\n  return {', '.join(results)} : {', '.join(types)}\n}}\n")


def processor_time(tool, path):
    child = subprocess.Popen([tool, path, "--emit=ptx", "--target=sm_90a", "-o", os.devnull])
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, f"fusion-compile ended with {status}"
    return usage.ru_utime


def main():
    tool, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name, chain, count in (("equal", equal_chain, 400), ("different", different_chain, 64)):
        paths = [os.path.join(folder, f"{name}{n}.mlir") for n in (count, 2 * count)]
        write_chains(paths[0], count, chain)
        write_chains(paths[1], 2 * count, chain)
        times, ratio = [float("inf")] * 2, float("inf")
        for _ in range(ATTEMPTS):
            times = [min(t, processor_time(tool, path)) for t, path in zip(times, paths)]
            ratio = times[1] / times[0]
            if ratio <= MOST:
                break
        verdict = "ok" if ratio <= MOST else f"expected at most {MOST}"
        print(f"{name} chains: {count} in {times[0]:.2f} s, twice as many in "
              f"{times[1]:.2f} s: {ratio:.2f} times, {verdict}")


main()
