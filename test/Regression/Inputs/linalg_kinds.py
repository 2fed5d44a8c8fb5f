"""Cases of the kinds that kinds.py has, as other compilers write them in Linalg, each
against numpy.

  linalg_kinds.py DIR COMMAND...   as kinds.py
"""

import numpy as np

from kinds import INF, NAMES, NAN, case, compare, describe, maximum

F = np.float32


def each(kind, body, operands=""):
    """An elementwise op on arrays of `kind` (rank 1 or 2); %a0... are its operands'
    elements and %d that of the destination %e; `body` ends in the yielded value."""
    rank = kind.count("x")
    loops = ", ".join("ij"[:rank])
    element = kind[kind.rindex("x") + 1:-1]
    names = operands.split()
    identity = ", ".join([f"affine_map<({loops}) -> ({loops})>"] * (len(names) + 1))
    parallel = ", ".join(['"parallel"'] * rank)
    given = f"ins({', '.join(names)} : {', '.join([kind] * len(names))}) " if names else ""
    arguments = "".join(f"%a{k}: {element}, " for k in range(len(names)))
    *lines, last = [line.strip() for line in body.strip().splitlines()]
    code = "\n    ".join([*lines, f"linalg.yield {last} : {element}"])
    return (f"linalg.generic {{indexing_maps = [{identity}], iterator_types = [{parallel}]}} {given}"
            f"outs(%e : {kind}) {{\n  ^bb0({arguments}%d: {element}):\n    {code}\n  }} -> {kind}")


def numbers():
    """NaN, zeros, roundings, products that cancel (B011, B013, B017, B019)."""
    for kind in (np.float16, F, np.float64):
        name = NAMES[np.dtype(kind)]
        a = np.array([NAN, 2, NAN, 0, 5, NAN, 7, -0.0, 0], kind)
        b = np.array([3, NAN, NAN, 0, NAN, -1, 7, 0, -0.0], kind)
        x = ((np.arange(4 * 37) * 7) % 13 - 6).reshape(4, 37).astype(kind)
        x[0, 0] = x[1, 18] = x[2, 36] = NAN
        low = {"f16": "0xFC00", "f32": "0xFF800000", "f64": "0xFFF0000000000000"}[name]
        case(f"nan_{name}", {"a": a, "b": b, "x": x}, {
            "most": maximum(a, b), "least": maximum(a, b, least=True), "named": maximum(a, b),
            "picked": np.where(a > 0, a, kind(0)), "rows": x.max(1), "numbers": np.nanmax(x, 1)}, f"""
  %e = tensor.empty() : {{a}}
  %most = {each(describe(a), '''%v = arith.maximumf %a0, %a1 : K
    %v'''.replace("K", name), "%a %b")}
  %least = arith.minimumf %a, %b : {{a}}
  %named = linalg.max ins(%a, %b : {{a}}, {{a}}) outs(%e : {{a}}) -> {{a}}
  %picked = {each(describe(a), '''%z = arith.constant 0.0 : K
    %p = arith.cmpf ogt, %a0, %z : K
    %v = arith.select %p, %a0, %z : K
    %v'''.replace("K", name), "%a")}
  %low = arith.constant {low} : {name}
  %er = tensor.empty() : {{rows}}
  %fr = linalg.fill ins(%low : {name}) outs(%er : {{rows}}) -> {{rows}}
  %rows = linalg.reduce {{ arith.maximumf }} ins(%x : {{x}}) outs(%fr : {{rows}}) dimensions = [1]
  %numbers = linalg.reduce {{ arith.maxnumf }} ins(%x : {{x}}) outs(%fr : {{rows}}) dimensions = [1]""")
    x = np.array([-0.25, -0.75, -0.01], F)
    case("zero", {"x": x}, {"up": np.ceil(x), "inverse": np.full(3, INF, F), "turned": np.full(3, -0.0, F)}, """
  %zero = arith.constant dense<0.0> : {x}
  %one = arith.constant dense<1.0> : {x}
  %up = math.ceil %x : {x}
  %plus = arith.addf %up, %zero : {x}
  %inverse = arith.divf %one, %plus : {x}
  %turned = arith.negf %plus : {x}""")
    x = np.array([1.001, np.pi, 1 + 2**-8, 1 + 3 * 2**-8], F)
    rounded = np.array([1, 3.140625, 1, 1.015625], F)
    case("casts", {"x": x}, {"apart": rounded, "inside": rounded, "sum": rounded + rounded}, f"""
  %t = arith.truncf %x : {{x}} to tensor<4xbf16>
  %apart = arith.extf %t : tensor<4xbf16> to {{x}}
  %e = tensor.empty() : {{x}}
  %inside = {each(describe(x), '''%v = arith.truncf %a0 : f32 to bf16
    %w = arith.extf %v : bf16 to f32
    %w''', "%x")}
  %sum = arith.addf %apart, %inside : {{x}}""")
    a, b, x = (np.full(1000, value, F) for value in (3e19, -3e19, 2e10))
    case("cancel", {"a": a, "b": b, "x": x}, {"apart": np.zeros_like(a), "inside": np.zeros_like(a)}, f"""
  %p = arith.mulf %a, %x : {{a}}
  %q = arith.mulf %b, %x : {{a}}
  %apart = arith.addf %p, %q : {{a}}
  %e = tensor.empty() : {{a}}
  %inside = {each(describe(a), '''%v = arith.mulf %a0, %a2 : f32
    %w = arith.mulf %a1, %a2 : f32
    %u = arith.addf %v, %w : f32
    %u''', "%a %b %x")}""")


def integers():
    """Widths, and positions that are multiplied as what they are (B014, B016)."""
    u = np.array([130, 200, 255], np.uint8).view(np.int8)
    case("narrow", {"u": u}, {"wide": np.array([4, 144, 254], np.int16), "less": np.array([126, 56, 1], F)}, """
  %twice = arith.addi %u, %u : {u}
  %wide = arith.extui %twice : {u} to {wide}
  %zero = arith.constant dense<0> : {u}
  %minus = arith.subi %zero, %u : {u}
  %less = arith.uitofp %minus : {u} to {less}""")
    y = np.arange(12) * 700000000
    case("places", {"c": y}, {"cast": y, "index": y, "quotient": y // 7, "far": y - y}, f"""
  %e = tensor.empty() : {{c}}
  %cast = {each(describe(y), '''%i = linalg.index 0 : index
    %step = arith.constant 700000000 : i64
    %v = arith.index_cast %i : index to i64
    %w = arith.muli %v, %step : i64
    %w''')}
  %index = {each(describe(y), '''%i = linalg.index 0 : index
    %step = arith.constant 700000000 : index
    %v = arith.muli %i, %step : index
    %w = arith.index_cast %v : index to i64
    %w''')}
  %quotient = {each(describe(y), '''%i = linalg.index 0 : index
    %step = arith.constant 700000000 : index
    %seven = arith.constant 7 : index
    %v = arith.muli %i, %step : index
    %u = arith.divsi %v, %seven : index
    %w = arith.index_cast %u : index to i64
    %w''')}
  %far = arith.subi %index, %c : {{c}}""")


def memory():
    """Who reads what, and when (B001, B003, B005, B006, B010)."""
    x = np.arange(24 * 24, dtype=F).reshape(24, 24)
    reverse = """%i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %last = arith.constant 23 : index
    %k = arith.subi %last, %j : index
    %v = tensor.extract %x[%i, %k] : tensor<24x24xf32>"""
    into = each(describe(x), reverse + "\n%v").replace("outs(%e", "outs(%x")
    added = each(describe(x), reverse + "\n%w = arith.addf %v, %d : f32\n%w").replace("outs(%e", "outs(%x")
    case("reversed", {"x": x}, {"turned": x[:, ::-1], "sum": x[:, ::-1] + x}, f"""
  %turned = {into}
  %sum = {added}""")
    base, u, v = np.zeros((6, 8), F), np.ones((2, 3), F), np.full((3, 2), 2, F)
    one, two = base.copy(), base.copy()
    one[2:4, 1:4], two[1:4, 3:5] = u, v
    case("inserted", {"base": base, "i": np.array(2), "j": np.array(1), "u": u, "v": v},
         {"one": one, "two": two, "sum": one + two, "both": np.where(two != 0, two, one)}, """
  %iv = tensor.extract %i[] : {i}
  %jv = tensor.extract %j[] : {j}
  %ix = arith.index_cast %iv : i64 to index
  %jx = arith.index_cast %jv : i64 to index
  %one = tensor.insert_slice %u into %base[%ix, %jx] [2, 3] [1, 1] : {u} into {base}
  %two = tensor.insert_slice %v into %base[%jx, 3] [3, 2] [1, 1] : {v} into {base}
  %both = tensor.insert_slice %v into %one[%jx, 3] [3, 2] [1, 1] : {v} into {base}
  %sum = arith.addf %one, %two : {base}""")
    a, b = np.repeat(np.arange(12, dtype=F)[:, None], 5, 1), np.ones((5, 6), F)
    bias = np.arange(6, dtype=F)
    case("permuted", {"a": a, "b": b, "bias": bias}, {"y": (a @ b).reshape(3, 4, 6).transpose(1, 0, 2) + bias}, """
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x6xf32>) -> tensor<12x6xf32>
  %m = linalg.matmul ins(%a, %b : {a}, {b}) outs(%f : tensor<12x6xf32>) -> tensor<12x6xf32>
  %s = tensor.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 6] : tensor<12x6xf32> into tensor<3x4x6xf32>
  %d = tensor.empty() : {y}
  %t = linalg.transpose ins(%s : tensor<3x4x6xf32>) outs(%d : {y}) permutation = [1, 0, 2]
  %w = linalg.broadcast ins(%bias : {bias}) outs(%d : {y}) dimensions = [0, 1]
  %y = linalg.add ins(%t, %w : {y}, {y}) outs(%d : {y}) -> {y}""")
    x = (np.arange(4 * 67 * 14 * 14) % 97).astype(F).reshape(4, 67, 14, 14)
    flat = x.reshape(4, 67, 7, 2, 7, 2).sum((3, 5)).reshape(4, 3283)
    case("pooled", {"x": x}, {"sum": flat.sum(1)}, """
  %z = arith.constant 0.0 : f32
  %k = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<4x67x7x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x67x7x7xf32>) -> tensor<4x67x7x7xf32>
  %p = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
       ins(%x, %k : {x}, tensor<2x2xf32>) outs(%f : tensor<4x67x7x7xf32>) -> tensor<4x67x7x7xf32>
  %c = tensor.collapse_shape %p [[0], [1, 2, 3]] : tensor<4x67x7x7xf32> into tensor<4x3283xf32>
  %es = tensor.empty() : {sum}
  %fs = linalg.fill ins(%z : f32) outs(%es : {sum}) -> {sum}
  %sum = linalg.reduce { arith.addf } ins(%c : tensor<4x3283xf32>) outs(%fs : {sum}) dimensions = [1]""")
    for n in (1, 33, 1025):
        x = np.full((2, n), -INF, F)
        x[1, n // 2] = 0
        y = np.where(np.isinf(x), 0, 1).astype(F)
        y[0] = NAN
        case(f"masked_{n}", {"x": x}, {"y": y}, """
  %e = tensor.empty() : {x}
  %y = linalg.softmax dimension(1) ins(%x : {x}) outs(%e : {x}) -> {x}""")


def branches():
    """Arms that give an outer value, or would trap where they are not taken (B039, B042)."""
    x = np.arange(12, dtype=F).reshape(2, 6)
    x[1, 3], x[1, 4] = NAN, -0.0
    for taken in (False, True):
        table = np.arange(32, dtype=F).reshape(8, 4)
        case(f"arms_{int(taken)}", {
            "p": np.array(taken), "x": x, "t": table, "d": np.array(2 if taken else 0, np.int32),
            "i": np.array(1 if taken else 1000000)}, {
            "a": x + 7 if taken else x, "b": x if taken else x + 7, "same": x,
            "q": np.array(3 if taken else 0, np.int32), "row": table[1] if taken else np.zeros(4, F)}, """
  %c = tensor.extract %p[] : {p}
  %seven = arith.constant dense<7.0> : {x}
  %a = scf.if %c -> {x} {
    %0 = arith.addf %x, %seven : {x}
    scf.yield %0 : {x}
  } else {
    scf.yield %x : {x}
  }
  %b = scf.if %c -> {x} {
    scf.yield %x : {x}
  } else {
    %0 = arith.addf %x, %seven : {x}
    scf.yield %0 : {x}
  }
  %same = scf.if %c -> {x} {
    scf.yield %x : {x}
  } else {
    scf.yield %x : {x}
  }
  %q = scf.if %c -> {q} {
    %n = arith.constant dense<7> : {q}
    %0 = arith.divsi %n, %d : {q}
    scf.yield %0 : {q}
  } else {
    %0 = arith.constant dense<0> : {q}
    scf.yield %0 : {q}
  }
  %row = scf.if %c -> {row} {
    %iv = tensor.extract %i[] : {i}
    %ix = arith.index_cast %iv : i64 to index
    %0 = tensor.extract_slice %t[%ix, 0] [1, 4] [1, 1] : {t} to {row}
    scf.yield %0 : {row}
  } else {
    %0 = arith.constant dense<0.0> : {row}
    scf.yield %0 : {row}
  }""")


if __name__ == "__main__":
    compare(numbers, integers, memory, branches)
