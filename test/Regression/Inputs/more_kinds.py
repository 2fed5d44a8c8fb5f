"""More cases of the kinds that kinds.py has, each against numpy: rows of many lengths,
products of sizes beside a tile's, positions past 2^31, memory that several read.

  more_kinds.py DIR COMMAND...   as kinds.py
"""

import numpy as np

from kinds import INF, NAMES, NAN, case, compare

F = np.float32


def masked():
    """Rows that are masked throughout, and all but one element (B010)."""
    for kind in (np.float16, F):
        for n in (1, 3, 33, 1025):
            x = np.full((3, n), -INF, kind)
            x[1, n - 1], x[2, 0] = 0, 5
            y, log = np.where(np.isinf(x), 0, 1).astype(kind), np.where(np.isinf(x), -INF, 0).astype(kind)
            y[0] = log[0] = NAN
            case(f"masked_{NAMES[x.dtype]}_{n}", {"x": x, "t": x.T.copy()}, {"y": y, "log": log, "z": y.T.copy()}, """
  %y = fusion.softmax %x dim = 1 : {x}
  %log = fusion.log_softmax %x dim = 1 : {x}
  %z = fusion.softmax %t dim = 0 : {t}""")


def lanes():
    """NaN in the first, a middle, the last and no lane (B011)."""
    for kind in (np.float16, F):
        for n in (7, 37, 1025):
            x = ((np.arange(4 * n) * 7) % 13 - 6).reshape(4, n).astype(kind)
            x[0, 0] = x[1, n // 2] = x[2, n - 1] = NAN
            case(f"lanes_{NAMES[x.dtype]}_{n}", {"x": x}, {
                "most": x.max(1), "least": x.min(1), "columns": x.max(0),
                "clip": np.clip(x + x, 0, 6).max(1), "relu": np.maximum(x, kind(0))}, """
  %most = fusion.reduce max, %x dims = [1] : {x} to {most}
  %least = fusion.reduce min, %x dims = [1] : {x} to {least}
  %columns = fusion.reduce max, %x dims = [0] : {x} to {columns}
  %zero = fusion.constant dense<0.0> : {x}
  %six = fusion.constant dense<6.0> : {x}
  %twice = fusion.add %x, %x : {x}
  %clipped = fusion.clamp %twice, %zero, %six : {x}
  %clip = fusion.reduce max, %clipped dims = [1] : {x} to {clip}
  %relu = fusion.relu %x : {x}""")


def positions():
    """Integers that are made of positions (B016)."""
    i = np.arange(5 * 300).reshape(5, 300)
    y = i // 300 * 3000000000 + i % 300 * 7000000000
    case("places", {"c": np.full((5, 300), 3000000000), "d": np.array(7000000000)},
         {"y": y, "sums": y.sum(1), "turned": y.T.copy()}, """
  %i = fusion.iota dim = 0 : {y}
  %j = fusion.iota dim = 1 : {y}
  %wide = fusion.broadcast %d dims = [] : {d} to {y}
  %p = fusion.mul %i, %c : {y}
  %q = fusion.mul %j, %wide : {y}
  %y = fusion.add %p, %q : {y}
  %sums = fusion.reduce sum, %y dims = [1] : {y} to {sums}
  %turned = fusion.transpose %y perm = [1, 0] : {y} to {turned}""")


def cancelling():
    """Two products that cancel: scalars, arrays, behind and before a product (B019)."""
    for shape in ((), (1000,), (7, 5, 3)):
        a, b, x = (np.full(shape, value, F) for value in (3e19, -3e19, 2e10))
        case("cancel_" + "".join(map(str, shape)), {"a": a, "b": b, "x": x}, {"y": np.zeros_like(a)}, """
  %p = fusion.mul %a, %x : {a}
  %q = fusion.mul %b, %x : {a}
  %y = fusion.add %p, %q : {a}""")
    a, x = np.full((5, 1), 3e19, F), np.full((5, 9), 2e10, F)
    case("cancel_products", {"a": a, "x": x, "one": np.ones((1, 9), F), "w": np.ones((9, 4), F)},
         {"y": np.zeros((5, 9), F), "z": np.zeros((5, 4), F)}, """
  %m = fusion.matmul %a, %one : {a}, {one} -> {x}
  %p = fusion.mul %m, %x : {x}
  %n = fusion.neg %m : {x}
  %q = fusion.mul %x, %n : {x}
  %y = fusion.add %q, %p : {x}
  %z = fusion.matmul %y, %w : {x}, {w} -> {z}""")


def tails():
    """Products whose sizes are beside a tile's; 1 is right everywhere (B007)."""
    for m, n, k in ((1, 1, 1), (1, 15, 127), (15, 127, 1), (127, 1, 17), (17, 129, 15),
                    (129, 17, 129), (127, 129, 17), (129, 127, 127)):
        for kind in (np.float16, F):
            a, b = np.ones((m, k), kind), np.ones((k, n), kind)
            case(f"tail_{NAMES[a.dtype]}_{m}_{n}_{k}", {"a": a, "b": b}, {"y": np.ones((m, n), kind)}, f"""
  %p = fusion.matmul %a, %b : {{a}}, {{b}} -> {{y}}
  %c = fusion.constant dense<{k - 1}.0> : {{y}}
  %q = fusion.sub %p, %c : {{y}}
  %y = fusion.relu %q : {{y}}""")


def readers():
    """What several read, at other positions (B003 to B006, B008, B025, B033)."""
    x = (np.arange(4 * 67 * 14 * 14) % 97).astype(F).reshape(4, 67, 14, 14)
    flat = (x.reshape(4, 67, 7, 2, 7, 2).sum((3, 5)) * F(0.25)).reshape(4, 3283)
    case("ramps", {"x": x}, {"sum": flat.sum(1), "most": flat.max(1)}, """
  %quarter = fusion.constant dense<0.25> : tensor<4x67x7x7xf32>
  %p = fusion.pool sum, %x window = [2, 2] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] : {x} to tensor<4x67x7x7xf32>
  %mean = fusion.mul %p, %quarter : tensor<4x67x7x7xf32>
  %flat = fusion.reshape %mean : tensor<4x67x7x7xf32> to tensor<4x3283xf32>
  %sum = fusion.reduce sum, %flat dims = [1] : tensor<4x3283xf32> to {sum}
  %most = fusion.reduce max, %flat dims = [1] : tensor<4x3283xf32> to {most}""")
    base = np.arange(42, dtype=F).reshape(6, 7)
    i, j = np.array([[2], [0], [6], [5], [1], [3]]), np.array([[2, 3], [1, 0], [0, 6], [4, 3], [6, 5], [3, 0]])
    u, v = np.full((6, 1), 100, F), np.arange(200, 212, dtype=F).reshape(6, 2)
    one, two = base + 1, base + 1
    np.put_along_axis(one, i, u, 1)
    np.put_along_axis(two, j, v, 1)
    case("columns", {"base": base, "i": i, "j": j, "u": u, "v": v}, {
        "one": one, "two": two, "same": base + 1, "rest": (one - two).sum(1)}, """
  %c = fusion.constant dense<1.0> : {base}
  %same = fusion.add %base, %c : {base}
  %one = fusion.scatter_elements replace, %same, %i, %u dim = 1 : {base}, {i}, {u}
  %two = fusion.scatter_elements replace, %same, %j, %v dim = 1 : {base}, {j}, {v}
  %less = fusion.sub %one, %two : {base}
  %rest = fusion.reduce sum, %less dims = [1] : {base} to {rest}""")
    x, i, k = np.arange(1, 36, dtype=F).reshape(5, 7), np.array([4, 0, 0, 2, 3]), np.array([[6], [0], [3], [3], [1]])
    s = x * x
    case("elements", {"x": x, "i": i, "k": k}, {"y": s + s[i], "z": s - np.take_along_axis(s, k, 1), "most": s + s.max(0)}, """
  %s = fusion.mul %x, %x : {x}
  %g = fusion.gather %s, %i dim = 0 : {x}, {i} -> {x}
  %y = fusion.add %s, %g : {x}
  %e = fusion.gather_elements %s, %k dim = 1 : {x}, {k} -> tensor<5x1xf32>
  %f = fusion.reshape %e : tensor<5x1xf32> to tensor<5xf32>
  %wide = fusion.broadcast %f dims = [0] : tensor<5xf32> to {x}
  %z = fusion.sub %s, %wide : {x}
  %m = fusion.reduce max, %s dims = [0] : {x} to tensor<7xf32>
  %all = fusion.broadcast %m dims = [1] : tensor<7xf32> to {x}
  %most = fusion.add %s, %all : {x}""")


def scalars():
    """Tensors of rank 0 wherever they may be (B037)."""
    t = np.arange(12, dtype=F).reshape(4, 3)
    case("scalars", {"x": np.array(2.5, F), "t": t, "i": np.array(2)}, {
        "same": np.array(2.5, F), "pair": np.array([2.5, 5], F), "row": t[2] + F(2.5), "chosen": np.array(5, F),
        "int": np.array(2, np.int32), "loop": np.array(20, F)}, """
  %turned = fusion.transpose %x perm = [] : {x} to {x}
  %most = fusion.reduce max, %turned dims = [] : {x} to {x}
  %same = fusion.slice %most starts = [] steps = [] : {x} to {x}
  %twice = fusion.add %x, %x : {x}
  %p = fusion.reshape %x : {x} to tensor<1xf32>
  %q = fusion.reshape %twice : {x} to tensor<1xf32>
  %pair = fusion.concat %p, %q dim = 0 : tensor<1xf32>, tensor<1xf32> -> {pair}
  %picked = fusion.gather %t, %i dim = 0 : {t}, {i} -> {row}
  %wide = fusion.broadcast %x dims = [] : {x} to {row}
  %row = fusion.add %picked, %wide : {row}
  %less = fusion.compare lt, %x, %twice : {x}
  %chosen = fusion.if %less : tensor<i1> -> {x} {
    fusion.yield %twice : {x}
  } else {
    fusion.yield %x : {x}
  }
  %int = fusion.cast %x : {x} to {int}
  %loop = fusion.loop 3 iter(%x) : {x} {
  ^bb0(%k: tensor<i64>, %v: tensor<f32>):
    %w = fusion.add %v, %v : tensor<f32>
    fusion.yield %w : tensor<f32>
  }""")


if __name__ == "__main__":
    compare(masked, lanes, positions, cancelling, tails, readers, scalars)
