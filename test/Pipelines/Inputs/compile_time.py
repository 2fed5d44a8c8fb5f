"""compile_time.py FUSION-COMPILE FOLDER: how compile time grows with the graph.

Plans graphs of some shapes, each of N and of 4 N parts, and compares the
processor times, and the memory beyond that of a small graph. Noise only adds to
a time: the least of a few runs counts, and there is another run while the ratio
is too large. Then compiles some to PTX, where most of the time is LLVM's.
"""

import os
import subprocess
import sys

OPS = ["exp", "tanh", "abs", "neg", "sqrt", "floor", "relu", "sin"]
SQUARE = "tensor<64x64xf32>"
MOST_PER_DOUBLING = 2.3
MOST_MEMORY = 6  # for four times as much: tables double their sizes
LEAST_MEMORY = 4096  # KB: less is the noise of pages
ATTEMPTS = 4


class Graph:
    """The text of a function, line by line."""

    def __init__(self):
        self.arguments, self.body, self.results = [], [], []

    def argument(self, kind):
        self.arguments.append(f"%x{len(self.arguments)}: {kind}")
        return f"%x{len(self.arguments) - 1}"

    def op(self, name, operands, kinds):
        self.body.append(f"  %v{len(self.body)} = fusion.{name} {operands} : {kinds}")
        return f"%v{len(self.body) - 1}"

    def chain(self, value, ops, kind):
        for op in ops:
            value = self.op(op, value, kind)
        return value

    def write(self, path):
        values, kinds = (", ".join(column) for column in zip(*self.results))
        with open(path, "w") as file:
            file.write(f"func.func @main({', '.join(self.arguments)}) -> ({kinds}) {{\n")
            file.write("\n".join(self.body))
            file.write(f"\n  return {values} : {kinds}\n}}\n")


def equal_chains(graph, count):
    for _ in range(count):
        value = graph.chain(graph.argument(SQUARE), OPS[:4], SQUARE)
        graph.results.append((value, SQUARE))


def different_chains(graph, count):
    for i in range(count):
        mixed = i * 2654435761 >> 8
        kind = f"tensor<{3 + i * 40503 % 97}x{5 + i * 30011 % 43}xf32>"
        ops = [OPS[mixed >> 3 * step & 7] for step in range(4)]
        graph.results.append((graph.chain(graph.argument(kind), ops, kind), kind))


def joined_chains(graph, count):
    """One op reads them all."""
    values = [graph.chain(graph.argument(SQUARE), OPS[:2], SQUARE) for _ in range(count)]
    kind = f"tensor<{64 * count}x64xf32>"
    kinds = f"{', '.join([SQUARE] * count)} -> {kind}"
    graph.results.append((graph.op("concat", f"{', '.join(values)} dim = 0", kinds), kind))


def layers(graph, count):
    """Products that depend on each other, around each of them another way."""
    value = graph.argument(SQUARE)
    for _ in range(count):
        weight = graph.argument(SQUARE)
        product = graph.op("matmul", f"{value}, {weight}", f"{SQUARE}, {SQUARE} -> {SQUARE}")
        total = graph.op("add", f"{graph.op('relu', product, SQUARE)}, {value}", SQUARE)
        value = graph.op("softmax", f"{total} dim = 1", SQUARE)
    graph.results.append((value, SQUARE))


def branches(graph, count):
    """Predicates in memory, and sums in both arms of each branch."""
    kind = "tensor<8x16xf32>"
    for _ in range(count):
        predicate, value = graph.argument("tensor<i1>"), graph.argument(kind)
        graph.body.append(f"""  %v{len(graph.body)} = fusion.if {predicate} : tensor<i1> -> {kind} {{
    %0 = fusion.softmax {value} dim = 1 : {kind}
    fusion.yield %0 : {kind}
  }} else {{
    %0 = fusion.softmax {value} dim = 0 : {kind}
    fusion.yield %0 : {kind}
  }}""")
        graph.results.append((f"%v{len(graph.body) - 1}", kind))


class Compiler:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        os.makedirs(folder, exist_ok=True)

    def write(self, shape, count):
        graph = Graph()
        shape(graph, count)
        path = os.path.join(self.folder, f"{shape.__name__}{count}.mlir")
        graph.write(path)
        return path

    def run(self, path, emit):
        """Returns the processor time in seconds and the peak of memory in KB."""
        child = subprocess.Popen(
            [self.tool, path, f"--emit={emit}", "--target=sm_90a", "-o", os.devnull])
        _, status, usage = os.wait4(child.pid, 0)
        assert status == 0, f"fusion-compile ended with {status}"
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss

    def compare(self, shape, emit, count, factor, most):
        paths = [self.write(shape, n) for n in (count, factor * count)]
        times, ratio = [float("inf")] * 2, float("inf")
        for _ in range(ATTEMPTS):
            runs = [self.run(path, emit) for path in paths]
            times = [min(time, run[0]) for time, run in zip(times, runs)]
            ratio = times[1] / times[0]
            if ratio <= most:
                break
        report(f"{shape.__name__}, {emit}: {count} in {times[0]:.2f} s, {factor} times as many "
               f"in {times[1]:.2f} s", ratio, most)
        return [memory for _, memory in runs]


def report(text, ratio, most):
    print(f"{text}: {ratio:.2f} times, {'ok' if ratio <= most else f'expected at most {most:.2f}'}")


def main():
    compiler = Compiler(*sys.argv[1:])
    for shape, count in ((equal_chains, 250), (joined_chains, 150), (layers, 100),
                         (branches, 100)):
        small = compiler.run(compiler.write(shape, 8), "groups")[1]
        memory = compiler.compare(shape, "groups", count, 4, MOST_PER_DOUBLING**2)
        more = [peak - small for peak in memory]
        report(f"{shape.__name__}, memory: {more[0] / 1024:.1f} MB, {more[1] / 1024:.1f} MB",
               more[1] / max(more[0], LEAST_MEMORY), MOST_MEMORY)
    compiler.compare(equal_chains, "ptx", 400, 2, MOST_PER_DOUBLING)
    compiler.compare(different_chains, "ptx", 64, 2, MOST_PER_DOUBLING)


main()
