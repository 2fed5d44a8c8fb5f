"""Prints programs that are too long to be written down.

  programs.py tree N FOLDER     the sum of N inputs in a tree; input k, filled with
                                k, goes to FOLDER/x<k>.npy, and the options that
                                name them all to the response file FOLDER/inputs
  programs.py joined N          N arrays of one element, one after the other
  programs.py halves N          N levels of x <- 0.5 x + 0.5 x, each half its own op
  programs.py ones N            N additions of an input, one after the other
  programs.py hashes N ROWS     N integer ops on ROWS numbers, repeated along 512
                                columns and added to y
  programs.py chains N KIND     N chains of four ops on f32[64], each with a result y<k>;
                                KIND is own or shared: an input for each, or one
  programs.py arms N            a branch whose arms add N times: one the last two sums,
                                one the last sum to itself; each op of one arm can be
                                matched with most ops of the other
  programs.py scaled N          N ops that scale the rows of 16x4, and one the rows of 32x2
                                that these are then
  programs.py ramp DIMxDIM FILE 0, 1, 2... of this shape, to FILE
"""

import math
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


def joined(count):
    names = [f"x{k}" for k in range(count)]
    parts = ", ".join(f"%{name}" for name in names)
    lines = ", ".join(f'%{name}: tensor<1xf32> {{fusion.name = "{name}"}}' for name in names)
    result = f"tensor<{count}xf32>"
    kinds = ", ".join(["tensor<1xf32>"] * count)
    return "\n".join([f"func.func @main({lines}) -> ({result} {{fusion.name = \"y\"}}) {{",
                      f"  %y = fusion.concat {parts} dim = 0 : {kinds} -> {result}",
                      f"  return %y : {result}", "}"])


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


def hashes(count, rows):
    """Steps of a generator of pseudo-random numbers, four ops each."""
    kind, wide = f"tensor<{rows}x1xi32>", f"tensor<{rows}x512xf32>"
    real = kind.replace("i32", "f32")
    body, value = [], "t"
    for i, number in enumerate((7, 3, 1103515245, 65535)):
        body.append(f"  %k{i} = fusion.constant dense<{number}> : {kind}")
    for i in range(count // 4):
        steps = [f"fusion.mul %{value}, %k2", f"fusion.add %a{i}, %k{i % 2}",
                 f"fusion.xor %b{i}, %{value}", f"fusion.and %c{i}, %k3"]
        body += [f"  %{name}{i} = {step} : {kind}" for name, step in zip("abcd", steps)]
        value = f"d{i}"
    body += [f"  %f = fusion.cast %{value} : {kind} to {real}",
             f"  %r = fusion.reshape %f : {real} to tensor<{rows}xf32>",
             f"  %w = fusion.broadcast %r dims = [0] : tensor<{rows}xf32> to {wide}",
             f"  %s = fusion.add %w, %y : {wide}"]
    lines = [f'func.func @main(%t: {kind} {{fusion.name = "t"}}, %y: {wide} {{fusion.name = "y"}})',
             f'    -> ({wide} {{fusion.name = "s"}}) {{', *body, f"  return %s : {wide}", "}"]
    return "\n".join(lines)


def chains(count, kind):
    """Chain k is |k - 2 x - 1|."""
    own = range(count if kind == "own" else 1)
    vector = "tensor<64xf32>"
    lines = ", ".join(f'%x{k}: {vector} {{fusion.name = "x{k}"}}' for k in own)
    names = ", ".join(f'{vector} {{fusion.name = "y{k}"}}' for k in range(count))
    body = [f"  %one = fusion.constant dense<1.0> : {vector}"]
    for k in range(count):
        x = f"%x{k if kind == 'own' else 0}"
        body += [f"  %k{k} = fusion.constant dense<{k}.0> : {vector}",
                 f"  %a{k} = fusion.add {x}, {x} : {vector}",
                 f"  %b{k} = fusion.sub %k{k}, %a{k} : {vector}",
                 f"  %c{k} = fusion.sub %b{k}, %one : {vector}",
                 f"  %y{k} = fusion.abs %c{k} : {vector}"]
    results = ", ".join(f"%y{k}" for k in range(count))
    return "\n".join([f"func.func @main({lines}) -> ({names}) {{", *body,
                      f"  return {results} : {', '.join([vector] * count)}", "}"])


def arms(count):
    """Linalg ops: of graph ops equal ones would be one."""
    kind = "tensor<8xf32>"
    lines = [f"func.func @main(%c: tensor<i1>, %x: {kind}) -> {kind} {{",
             f"  %e = tensor.empty() : {kind}", f"  %r = fusion.if %c : tensor<i1> -> {kind} {{"]
    for back in (2, 1):
        values = ["%x", "%x"]
        for i in range(count):
            lines.append(f"    %s{i} = linalg.add ins({values[-1]}, {values[-back]} : {kind}, {kind}) "
                         f"outs(%e : {kind}) -> {kind}")
            values.append(f"%s{i}")
        lines += [f"    fusion.yield {values[-1]} : {kind}", "  } else {" if back == 2 else "  }"]
    return "\n".join([*lines, f"  return %r : {kind}", "}"])


def scaled(count):
    """Linalg ops, that no shape but 16x2x2 fits."""
    maps = "[affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]"

    def scale(name, value, factor, into):
        rows = int(into[1:].split("x")[0])
        kind = f"tensor<{into[1:]}xf32>"
        return [f"  %{name} = linalg.generic {{indexing_maps = {maps}, "
                'iterator_types = ["parallel", "parallel"]}',
                f"      ins({value}, {factor} : {kind}, tensor<{rows}xf32>) outs(%{into} : {kind}) {{",
                "  ^bb0(%a: f32, %b: f32, %o: f32):", "    %p = arith.mulf %a, %b : f32",
                "    linalg.yield %p : f32", f"  }} -> {kind}"]

    lines = ["func.func @main(%x: tensor<16x4xf32>, %s: tensor<16xf32>, %t: tensor<32xf32>,",
             "                %d16x4: tensor<16x4xf32>, %d32x2: tensor<32x2xf32>) -> tensor<32x2xf32> {"]
    for i in range(count):
        lines += scale(f"v{i + 1}", f"%v{i}" if i else "%x", "%s", "d16x4")
    lines += [f"  %c = tensor.collapse_shape %v{count} [[0, 1]] : tensor<16x4xf32> into tensor<64xf32>",
              "  %e = tensor.expand_shape %c [[0, 1]] output_shape [32, 2] : tensor<64xf32> into tensor<32x2xf32>",
              *scale("y", "%e", "%t", "d32x2"), "  return %y : tensor<32x2xf32>", "}"]
    return "\n".join(lines)


def ramp(dims, path):
    shape = tuple(int(dim) for dim in dims.split("x"))
    npy.write(path, "f32", shape, [float(i) for i in range(math.prod(shape))])
    return f"{dims} numbers"


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    known = {"tree": tree, "joined": joined, "halves": halves, "ones": ones, "hashes": hashes, "chains": chains,
             "arms": arms, "scaled": scaled, "ramp": ramp}
    print(known[command](*(int(a) if a.isdigit() else a for a in arguments)))
