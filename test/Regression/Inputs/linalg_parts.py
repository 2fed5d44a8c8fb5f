"""Parts of arrays that other compilers' Linalg writes and reads, what it overwrites and
reads, branches in its bodies, and its functions, each against numpy.

  linalg_parts.py DIR COMMAND...   as kinds.py
"""

import numpy as np

from kinds import case, compare, describe

F = np.float32


def generic(maps, loops, ins, outs, body):
    """One op on arrays that are named with their types: "%x : {x}"; the last names of
    `body`, after "yield", are its results."""
    names = {"p": '"parallel"', "r": '"reduction"'}
    maps = ", ".join(f"affine_map<{text}>" for text in maps)
    given = f"ins({ins}) " if ins else ""
    return (f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{', '.join(names[k] for k in loops)}]}} "
            f"{given}outs({outs}) {{{body}}} -> {outs.split(' : ')[1]}")


COPY = """
  ^bb0(%new: f32, %old: f32):
    linalg.yield %new : f32
  """
ADD = """
  ^bb0(%new: f32, %old: f32):
    %r = arith.addf %old, %new : f32
    linalg.yield %r : f32
  """


def written():
    x, y = np.arange(65, dtype=F).reshape(13, 5), -np.arange(35, dtype=F).reshape(7, 5)
    rows = x.copy()
    rows[::2] = y
    case("rows", {"x": x, "y": y}, {"z": rows}, f"""
  %z = {generic(["(i, j) -> (i, j)", "(i, j) -> (i * 2, j)"], "pp", "%y : {y}", "%x : {x}", COPY)}""")
    turned = x.copy()
    turned[10:2:-1, 1] += y[:, 2].repeat(2)[:8]
    v = y[:, 2].repeat(2)[:8]
    case("column", {"x": x, "w": v}, {"z": turned}, f"""
  %z = {generic(["(i) -> (i)", "(i) -> (10 - i, 1)"], "p", "%w : {w}", "%x : {x}", ADD)}""")
    sums = x.copy()
    sums[3] += y.sum(0)
    case("sums", {"x": x, "y": y}, {"z": sums}, f"""
  %z = {generic(["(j, k) -> (k, j)", "(j, k) -> (3, j)"], "pr", "%y : {y}", "%x : {x}", ADD)}""")
    square, d = np.arange(36, dtype=F).reshape(6, 6), np.arange(6, dtype=F) + 100
    diagonal = square.copy()
    np.fill_diagonal(diagonal, d)
    zero = np.diag(d).astype(F)
    case("diagonal", {"x": square, "d": d}, {"z": diagonal, "w": zero}, f"""
  %z = {generic(["(i) -> (i)", "(i) -> (i, i)"], "p", "%d : {d}", "%x : {x}", COPY)}
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : {{x}}
  %f = linalg.fill ins(%c : f32) outs(%e : {{x}}) -> {{x}}
  %w = {generic(["(i) -> (i)", "(i) -> (i, i)"], "p", "%d : {d}", "%f : {x}", COPY)}""")
    case("reversed", {"x": x}, {"z": x[::-1] + 0}, f"""
  %e = tensor.empty() : {{x}}
  %z = {generic(["(i, j) -> (i, j)", "(i, j) -> (12 - i, j)"], "pp", "%x : {x}", "%e : {x}", COPY)}""")


def read():
    square, d = np.arange(36, dtype=F).reshape(6, 6), np.arange(30, dtype=F).reshape(6, 5)
    stack = np.stack([square, -square, square.T])
    case("trace", {"x": square, "s": stack, "d": d}, {
        "t": np.array(np.trace(square)), "p": np.diagonal(stack, axis1=1, axis2=2) @ d}, f"""
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : {{t}}
  %f = linalg.fill ins(%c : f32) outs(%e : {{t}}) -> {{t}}
  %t = {generic(["(i) -> (i, i)", "(i) -> ()"], "r", "%x : {x}", "%f : {t}", ADD)}
  %ep = tensor.empty() : {{p}}
  %fp = linalg.fill ins(%c : f32) outs(%ep : {{p}}) -> {{p}}
  %p = {generic(["(i, j, k) -> (i, k, k)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)"], "ppr",
                "%s, %d : {s}, {d}", "%fp : {p}", '''
  ^bb0(%u: f32, %v: f32, %o: f32):
    %m = arith.mulf %u, %v : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  ''')}""")
    x, y = np.arange(20, dtype=F).reshape(5, 4), np.arange(20, dtype=F).reshape(5, 4) * 3
    case("overwritten", {"x": x, "y": y}, {"map": x + y, "twice": (x + y) * 2, "y2": y * 2}, f"""
  %map = linalg.map ins(%x : {{x}}) outs(%y : {{y}}) (%v: f32, %o: f32) {{
    %r = arith.addf %v, %o : f32
    linalg.yield %r : f32
  }}
  %twice = {generic(["(i, j) -> (i, j)"], "pp", "", "%map : {y}", '''
  ^bb0(%o: f32):
    %r = arith.addf %o, %o : f32
    linalg.yield %r : f32
  ''')}
  %y2 = {generic(["(i, j) -> (i, j)"], "pp", "", "%y : {y}", '''
  ^bb0(%o: f32):
    %r = arith.addf %o, %o : f32
    linalg.yield %r : f32
  ''')}""")
    s = np.array(7, F)
    at = np.pad(x, ((0, 0), (2, 1)))
    at[:, [0, 1, 6]] = [0, 1, 6]
    case("padded", {"x": x, "s": s}, {"p": np.pad(x, ((1, 2), (0, 3)), constant_values=7), "q": at}, """
  %v = tensor.extract %s[] : {s}
  %p = tensor.pad %x low[1, 0] high[2, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : {x} to {p}
  %q = tensor.pad %x low[0, 2] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %a = arith.index_cast %j : index to i32
    %b = arith.sitofp %a : i32 to f32
    tensor.yield %b : f32
  } : {x} to {q}""")


def branches():
    """In bodies: reads and divisions are done where a condition holds, however deep."""
    t = np.arange(8, dtype=F) / 4
    i = np.array([-3, -1, 0, 1, 5, 7, 8, 100, -7, 3], np.int32)
    d = np.array([0, 2, 0, 1, 0, 1, 1, 1, 2, 0], np.int32)
    inside = np.where((i >= 0) & (i < 8), t[i.clip(0, 7)] * 2, i.astype(F))
    case("bodies", {"t": t, "i": i, "d": d}, {
        "x": np.where(i >= 0, inside, -t[np.arange(10) % 3]),
        "q": np.where(i >= 0, i, np.where(d != 0, np.trunc(i / d.clip(1)), 8)).astype(np.int32)}, f"""
  %ex = tensor.empty() : {{x}}
  %eq = tensor.empty() : {{q}}
  %x, %q = linalg.generic {{indexing_maps = [{', '.join(['affine_map<(i) -> (i)>'] * 4)}], iterator_types = ["parallel"]}}
      ins(%i, %d : {{i}}, {{d}}) outs(%ex, %eq : {{x}}, {{q}}) {{
  ^bb0(%u: i32, %v: i32, %ox: f32, %oq: i32):
    %zero = arith.constant 0 : i32
    %eight = arith.constant 8 : i32
    %at = linalg.index 0 : index
    %p = arith.cmpi sge, %u, %zero : i32
    %r1, %r2 = scf.if %p -> (f32, i32) {{
      %less = arith.cmpi slt, %u, %eight : i32
      %s = scf.if %less -> f32 {{
        %k = arith.index_cast %u : i32 to index
        %w = tensor.extract %t[%k] : {{t}}
        %w2 = arith.addf %w, %w : f32
        scf.yield %w2 : f32
      }} else {{
        %w3 = arith.sitofp %u : i32 to f32
        scf.yield %w3 : f32
      }}
      scf.yield %s, %u : f32, i32
    }} else {{
      %nz = arith.cmpi ne, %v, %zero : i32
      %dq = scf.if %nz -> i32 {{
        %w4 = arith.divsi %u, %v : i32
        scf.yield %w4 : i32
      }} else {{
        scf.yield %eight : i32
      }}
      %three = arith.constant 3 : index
      %k2 = arith.remui %at, %three : index
      %w5 = tensor.extract %t[%k2] : {{t}}
      %w6 = arith.negf %w5 : f32
      scf.yield %w6, %dq : f32, i32
    }}
    linalg.yield %r1, %r2 : f32, i32
  }} -> ({{x}}, {{q}})""")
    x = np.arange(24, dtype=F).reshape(4, 6)
    case("renamed", {"x": x}, {"r": x.reshape(3, 8) * 2, "c": x, "z": x[:1, :1].reshape(())}, """
  %s = arith.constant dense<[3, 8]> : tensor<2xi64>
  %y = tensor.reshape %x(%s) : ({x}, tensor<2xi64>) -> {r}
  %e = bufferization.alloc_tensor() : {r}
  %r = linalg.add ins(%y, %y : {r}, {r}) outs(%e : {r}) -> {r}
  %c = bufferization.alloc_tensor() copy(%x) : {c}
  %one = tensor.extract_slice %x[0, 0] [1, 1] [1, 1] : {x} to tensor<1x1xf32>
  %s0 = arith.constant dense<> : tensor<0xi64>
  %z = tensor.reshape %one(%s0) : (tensor<1x1xf32>, tensor<0xi64>) -> {z}""")


def functions():
    """Of the math dialect, that ours has not."""
    numbers = [np.nan, np.inf, -np.inf, 0.0, -0.0, -0.3, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997,
               8388607.5, 8388609, -60000, 4503599627370497.5]
    for kind in (np.float16, F, np.float64):
        x = np.array(numbers).astype(kind)
        whole = np.trunc(x)
        away = whole + np.copysign(kind(1), x)
        case(describe(x)[-4:-1], {"x": x}, {
            "round": np.where(np.abs(x - whole) >= 0.5, away, whole).astype(kind), "nan": np.isnan(x),
            "inf": np.isinf(x), "finite": np.isfinite(x)}, """
  %round = math.round %x : {x}
  %nan = math.isnan %x : {x}
  %inf = math.isinf %x : {x}
  %finite = math.isfinite %x : {x}""")


if __name__ == "__main__":
    compare(written, read, branches, functions)
