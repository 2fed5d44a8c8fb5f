"""Families for compare.py: windows, resampling, norms, losses, small integers,
recurrent networks, products by letters, sampling, transforms, attention.

  compare_ops.py DIR FAMILY,... COMMAND...
"""

import sys

sys.dont_write_bytecode = True

import numpy as np

import compare
from compare import RANDOM, family, floats, text


def small(kind, *shape):
    limits = np.iinfo(kind)
    return RANDOM.integers(limits.min, limits.max + 1, shape).astype(kind)


@family
def conv_transpose():
    """Strides that do not divide the window, all ways to say the paddings."""
    yield "plane", text("""
        g (float[2, 4, 5, 3] x, float[4, 3, 3, 4] w, float[3] b, float[4, 2, 3, 3] v) =>
          (float[2, 3, A, B] strides, float[2, 4, C, D] groups, float[2, 3, E, F] padded,
           float[2, 3, G, H] shaped, float[2, 3, I, J] same, float[2, 3, K, L] dense) {
          strides = ConvTranspose<strides = [2, 3]>(x, w, b)
          groups = ConvTranspose<strides = [2, 2], dilations = [2, 3], group = 2>(x, v)
          padded = ConvTranspose<strides = [3, 2], pads = [1, 3, 2, 0], output_padding = [2, 1]>(x, w)
          shaped = ConvTranspose<strides = [2, 2], output_shape = [10, 9]>(x, w)
          same = ConvTranspose<strides = [2, 2], auto_pad = "SAME_UPPER">(x, w)
          dense = ConvTranspose<dilations = [2, 1], pads = [1, 2, 0, 2]>(x, w)
        }"""), {"x": floats(2, 4, 5, 3), "w": floats(4, 3, 3, 4), "b": floats(3),
                "v": floats(4, 2, 3, 3)}
    yield "others", text("""
        g (float[1, 2, N] line, float[2, 3, 5] l, float[1, 2, 3, 2, 2] cube, float[2, 1, 2, 3, 2] c,
           float16[1, 2, 4] half, float16[2, 3, 3] h) =>
          (float[1, 3, A] dynamic, float[1, 1, B, C, D] volume, float16[1, 3, E] halves) {
          dynamic = ConvTranspose<strides = [3], pads = [2, 1], output_padding = [1]>(line, l)
          volume = ConvTranspose<strides = [2, 1, 2]>(cube, c)
          halves = ConvTranspose<strides = [2]>(half, h)
        }"""), {"line": floats(1, 2, 6), "l": floats(2, 3, 5), "cube": floats(1, 2, 3, 2, 2),
                "c": floats(2, 1, 2, 3, 2), "half": floats(1, 2, 4).astype(np.float16),
                "h": floats(2, 3, 3).astype(np.float16)}


@family
def pools():
    """Indices in both orders, and back; powers; incomplete windows."""
    yield "indices", text("""
        g (float[2, 3, 7, 6] x, float[1, 2, 9] line, float[1, 2, 4, 6] even) =>
          (float[A, B, C, D] y, int64[A, B, C, D] i, float[E, F, G, H] z, int64[E, F, G, H] j,
           float[I, J, K] l, int64[I, J, K] k, float[L, M, N, O] back, float[P, Q, R, S] power,
           float[T, U, V, W] whole, float[X, Y, Z, Aa] mean) {
          y, i = MaxPool<kernel_shape = [2, 3], strides = [2, 2], pads = [1, 1, 0, 1]>(x)
          z, j = MaxPool<kernel_shape = [3, 2], dilations = [2, 1], storage_order = 1>(x)
          l, k = MaxPool<kernel_shape = [2], strides = [3], ceil_mode = 1>(line)
          m, n = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(even)
          back = MaxUnpool<kernel_shape = [2, 2], strides = [2, 2]>(m, n)
          power = LpPool<kernel_shape = [2, 3], p = 3, pads = [1, 0, 0, 1]>(x)
          whole = GlobalLpPool<p = 1>(x)
          mean = AveragePool<kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1,
                             pads = [1, 1, 1, 1], count_include_pad = 1>(x)
        }""", opset=18), {"x": floats(2, 3, 7, 6), "line": floats(1, 2, 9),
                           "even": floats(1, 2, 4, 6)}


@family
def resize():
    """All modes, and sizes that are dynamic."""
    modes = [f'mode = "{mode}", coordinate_transformation_mode = "{where}"'
             for mode in ("nearest", "linear", "cubic")
             for where in ("half_pixel", "asymmetric", "pytorch_half_pixel")]
    modes += [f'mode = "nearest", nearest_mode = "{how}"'
              for how in ("round_prefer_ceil", "floor", "ceil")]
    modes += ['mode = "linear", antialias = 1', 'mode = "cubic", antialias = 1',
              'mode = "cubic", exclude_outside = 1, cubic_coeff_a = -0.5']
    results = ", ".join(f"float[A, B, C{i}, D{i}] r{i}, float[A, B, E{i}, F{i}] s{i}"
                        for i in range(len(modes)))
    nodes = "\n".join(f'r{i} = Resize<{mode}>(x, "", scales)\ns{i} = Resize<{mode}>(x, "", "", sizes)'
                      for i, mode in enumerate(modes))
    yield "modes", text(f"""
        g (float[1, 2, 5, 4] x) => ({results})
        <float[4] scales = {{1.0, 1.0, 1.5, 0.7}}, int64[4] sizes = {{1, 2, 3, 7}}> {{
          {nodes}
        }}"""), {"x": floats(1, 2, 5, 4)}
    yield "dynamic", text("""
        g (float[B, 2, H, W] x, uint8[1, 1, 3, 3] u) =>
          (float[B, 2, A, C] nearest, float[B, 2, D, E] linear, float[B, 2, F, G] old,
           uint8[1, 1, 5, 5] bytes)
        <float[4] scales = {1.0, 1.0, 2.0, 3.0}, int64[4] sizes = {1, 1, 5, 5}> {
          nearest = Resize<coordinate_transformation_mode = "asymmetric", nearest_mode = "floor">
                    (x, "", scales)
          linear = Resize<mode = "linear">(x, "", scales)
          old = Resize(x, "", scales)
          bytes = Resize(u, "", "", sizes)
        }"""), {"x": floats(2, 2, 3, 4), "u": small(np.uint8, 1, 1, 3, 3)}


@family
def norms():
    yield "channels", text("""
        g (float[2, 6, 3, 4] x, float[6] s, float[6] b, float[2, 5] d) =>
          (float[2, 6, 3, 4] instance, float[2, 6, 3, 4] group, float[2, 6, 3, 4] local,
           float[2, 6, 3, 4] one, float[2, 6, 3, 4] two, float[2, 6, 3, 4] layer,
           float[A, C, D, E] mean, float[F, G, H, I] inverse, float[2, 5] hard,
           float[2, 6, 3, 4] variance) {
          instance = InstanceNormalization(x, s, b)
          group = GroupNormalization<num_groups = 3>(x, s, b)
          local = LRN<size = 3, alpha = 0.1, bias = 2.0>(x)
          one = LpNormalization<axis = 1, p = 1>(x)
          two = LpNormalization(x)
          rows = Shape<start = 3>(x)
          row = ConstantOfShape<value = float[1] {1.5}>(rows)
          layer, mean, inverse = LayerNormalization(x, row)
          hard = Hardmax(d)
          variance = MeanVarianceNormalization(x)
        }""", opset=21), {"x": floats(2, 6, 3, 4), "s": floats(6), "b": floats(6),
                          "d": np.round(floats(2, 5))}


@family
def losses():
    """Classes that are ignored and weights, at the edges of what is a class."""
    for reduction in ("none", "sum", "mean"):
        how = f'reduction = "{reduction}"'
        shape = "float[2, 3]" if reduction == "none" else "float"
        yield reduction, text(f"""
            g (float[2, 4, 3] x, int64[2, 3] t, float[4] w, int32[2, 3] i) =>
              ({shape} a, {shape} b, {shape} c, {shape} d, float[2, 4, 3] p, {shape} e) {{
              a = NegativeLogLikelihoodLoss<{how}>(x, t)
              b = NegativeLogLikelihoodLoss<{how}, ignore_index = 2>(x, t, w)
              c = NegativeLogLikelihoodLoss<{how}, ignore_index = -7>(x, i)
              d, p = SoftmaxCrossEntropyLoss<{how}, ignore_index = -7>(x, i, w)
              e = SoftmaxCrossEntropyLoss<{how}>(x, t)
            }}"""), {"x": floats(2, 4, 3), "w": np.abs(floats(4)),
                    "t": np.array([[0, 3, 2], [1, 2, 0]]),
                    "i": np.array([[0, -7, 2], [3, 2, -7]], np.int32)}


@family
def quantized():
    """Zero points of one, of rows and columns, of channels and of blocks; results
    that do not fit."""
    yield "linear", text("""
        g (float[3, 4] x, uint8[3, 4] u, int8[3, 4] s, float[3] r, uint8[3] z, int8[3] zs) =>
          (uint8[3, 4] whole, int8[3, 4] rows, float[3, 4] back, float[3, 4] backRows,
           uint8[3, 4] dynamic, float scale, uint8 zero, float[3, 4] blocks)
        <float one = {0.25}, uint8 middle = {128}, float[3, 2] scales = {1.0, 2.0, 0.5, 4.0, 8.0, 0.25}> {
          whole = QuantizeLinear(x, one, middle)
          rows = QuantizeLinear<axis = 0>(x, r, zs)
          back = DequantizeLinear(u, one, middle)
          backRows = DequantizeLinear<axis = 0>(s, r, zs)
          dynamic, scale, zero = DynamicQuantizeLinear(x)
          blocks = DequantizeLinear<axis = 1, block_size = 2>(s, scales)
        }""", opset=21), {"x": 30 * floats(3, 4), "u": small(np.uint8, 3, 4),
                          "s": small(np.int8, 3, 4), "r": np.abs(floats(3)) + 0.1,
                          "z": small(np.uint8, 3), "zs": small(np.int8, 3)}
    yield "products", text("""
        g (uint8[2, 3, 5] a, int8[5, 4] b, uint8[1, 2, 6, 5] x, int8[3, 2, 3, 2] w, int8[4] bz,
           int32[3] bias, float[3] ws, int8[3] wz) =>
          (int32[2, 3, 4] plain, int32[2, 3, 4] centered, uint8[2, 3, 4] scaled,
           int32[1, 3, A, B] conv, uint8[1, 3, C, D] scaledConv)
        <uint8 az = {120}, float s = {0.05}, float t = {0.5}, int8 bs = {-3}, int8 zero = {0}> {
          plain = MatMulInteger(a, b)
          centered = MatMulInteger(a, b, az, bz)
          scaled = QLinearMatMul(a, s, az, b, s, bs, t, az)
          conv = ConvInteger<pads = [1, 0, 1, 1], strides = [2, 1]>(x, w, az, zero)
          scaledConv = QLinearConv<pads = [1, 0, 1, 1]>(x, s, az, w, ws, wz, t, az, bias)
        }""", opset=13), {"a": small(np.uint8, 2, 3, 5), "b": small(np.int8, 5, 4),
                          "x": small(np.uint8, 1, 2, 6, 5), "w": small(np.int8, 3, 2, 3, 2),
                          "bz": np.array([-5, 0, 7, 100], np.int8), "bias": np.array([100, -200, 3], np.int32),
                          "ws": np.array([0.1, 0.02, 0.3], np.float32), "wz": np.zeros(3, np.int8)}


@family
def recurrent():
    """Both directions, lengths, peepholes, clips, other functions."""
    for op, gates, extra in (("RNN", 1, ", clip = 0.7"), ("GRU", 3, ", clip = 0.9, linear_before_reset = 1"),
                             ("LSTM", 4, "")):
        cells = "float[2, 3, 4] cell, " if op == "LSTM" else ""
        names = "both, last, cell" if op == "LSTM" else "both, last"
        states = "h, c, p" if op == "LSTM" else "h"
        more = "float[2, 3, 4] c, float[2, 12] p, " if op == "LSTM" else ""
        inputs = {"x": floats(5, 3, 2), "w": floats(2, gates * 4, 2), "r": floats(2, gates * 4, 4),
                  "b": floats(2, gates * 8), "n": np.array([5, 2, 4], np.int32),
                  "h": floats(2, 3, 4)}
        if op == "LSTM":
            inputs.update(c=floats(2, 3, 4), p=floats(2, 12))
        yield op.lower(), text(f"""
            g (float[5, 3, 2] x, float[2, {gates * 4}, 2] w, float[2, {gates * 4}, 4] r,
               float[2, {gates * 8}] b, int32[3] n, {more}float[2, 3, 4] h) =>
              (float[5, 2, 3, 4] both, {cells}float[2, 3, 4] last, float[5, 1, 3, 4] reverse) {{
              {names} = {op}<hidden_size = 4, direction = "bidirectional"{extra}>
                        (x, w, r, b, n, {states})
              v, unused = Split<axis = 0, num_outputs = 2>(w)
              q, unused2 = Split<axis = 0, num_outputs = 2>(r)
              reverse = {op}<hidden_size = 4, direction = "reverse">(x, v, q)
            }}"""), inputs


@family
def einsum():
    """Diagonals, sums, outer products, letters in any order, dims that '...' stands for."""
    equations = [("ij,jk->ki", "ab"), ("ij->ji", "a"), ("ij->", "a"), ("ii->i", "s"), ("ii", "s"),
                 ("i,j->ij", "vw"), ("bij,bjk->bik", "tu"), ("bij,bjk->ij", "tu"),
                 ("...ij,...jk->...ik", "tu"), ("i,ij,j->", "vsv"),
                 ("ij,kj,ik->i", "sss")]
    kinds = {"a": (3, 4), "b": (4, 2), "s": (3, 3), "v": (3,), "w": (5,), "t": (2, 3, 4),
             "u": (2, 4, 5)}
    inputs = ", ".join(f"float[{', '.join(map(str, shape))}] {name}" for name, shape in kinds.items())
    shapes = {"ij,jk->ki": "[2, 3]", "ij->ji": "[4, 3]", "ii->i": "[3]", "i,j->ij": "[3, 5]",
              "bij,bjk->bik": "[2, 3, 5]", "bij,bjk->ij": "[3, 4]", "ij,kj,ik->i": "[3]",
              "...ij,...jk->...ik": "[2, 3, 5]"}
    results = ", ".join(f"float{shapes.get(e, '')} r{i}" for i, (e, _) in enumerate(equations))
    nodes = "\n".join(f'r{i} = Einsum<equation = "{e}">({", ".join(names)})'
                      for i, (e, names) in enumerate(equations))
    yield "equations", text(f"g ({inputs}) => ({results}) {{ {nodes} }}"), {
        name: np.abs(floats(*shape)) for name, shape in kinds.items()}


@family
def sampling():
    """Places inside and outside of the image."""
    modes = [(mode, padding, corners) for mode in ("linear", "nearest", "cubic")
             for padding in ("zeros", "border", "reflection") for corners in (0, 1)]
    results = ", ".join(f"float[2, 3, 4, 2] r{i}" for i in range(len(modes)))
    nodes = "\n".join(f'r{i} = GridSample<mode = "{mode}", padding_mode = "{padding}", '
                      f'align_corners = {corners}>(x, grid)'
                      for i, (mode, padding, corners) in enumerate(modes))
    yield "grid", text(f"g (float[2, 3, 4, 5] x, float[2, 4, 2, 2] grid) => ({results}) {{ {nodes} }}",
                       opset=20), {"x": floats(2, 3, 4, 5), "grid": 1.3 * floats(2, 4, 2, 2)}
    yield "regions", text("""
        g (float[2, 3, 6, 5] x, float[3, 4] rois, int64[3] i, float[2, 2, 3] theta) =>
          (float[3, 3, 2, 3] mean, float[3, 3, 2, 3] old, float[2, 3, 4, 2] affine,
           float[2, 3, 4, 2] corners)
        <int64[4] size = {2, 3, 3, 4}> {
          mean = RoiAlign<output_height = 2, output_width = 3, sampling_ratio = 2, spatial_scale = 0.5>
                 (x, rois, i)
          old = RoiAlign<output_height = 2, output_width = 3, sampling_ratio = 3,
                         coordinate_transformation_mode = "output_half_pixel">(x, rois, i)
          affine = AffineGrid(theta, size)
          corners = AffineGrid<align_corners = 1>(theta, size)
        }""", opset=20), {"x": floats(2, 3, 6, 5), "i": np.array([1, 0, 1]), "theta": floats(2, 2, 3),
                          "rois": np.array([[0, 0, 4, 5], [1, 2, 9, 9], [-3, -2, 2, 3]], np.float32)}


@family
def arranged():
    """Places of images, diagonals, long running sums, determinants."""
    yield "images", text("""
        g (float[1, 8, 2, 3] x, float[2, 4, 4, 6] y, float[3, 5] m, float[1, 12, 6] c,
           float[3, 4] p) =>
          (float[1, 2, 4, 6] depth, float[1, 2, 4, 6] crd, float[2, 16, 2, 3] space,
           int32[3, 5] eye, float[1, 2, 5, 4] columns, float[5, 3] cropped) 
        <int64[2] image = {5, 4}, int64[2] block = {3, 2}, int64[2] size = {5, 3}> {
          depth = DepthToSpace<blocksize = 2>(x)
          crd = DepthToSpace<blocksize = 2, mode = "CRD">(x)
          space = SpaceToDepth<blocksize = 2>(y)
          eye = EyeLike<k = -1, dtype = 6>(m)
          columns = Col2Im<strides = [2, 1], pads = [0, 0, 0, 0]>(c, image, block)
          cropped = CenterCropPad(p, size)
        }"""), {"x": floats(1, 8, 2, 3), "y": floats(2, 4, 4, 6), "m": floats(3, 5),
                "c": floats(1, 12, 6), "p": floats(3, 4)}
    yield "numbers", text("""
        g (float[2, 300] x, int32[N, 2] n, float[2, 5] s) =>
          (float[2, 300] sums, float[2, 300] after, int32[N, 2] dynamic, float[2, 5] shrunk)
        <int64 one = {1}, int64 zero = {0}> {
          sums = CumSum(x, one)
          after = CumSum<exclusive = 1, reverse = 1>(x, one)
          dynamic = CumSum<exclusive = 1>(n, zero)
          shrunk = Shrink<lambd = 0.7, bias = 0.3>(s)
        }"""), {"x": floats(2, 300), "n": RANDOM.integers(-99, 99, (400, 2)).astype(np.int32), "s": floats(2, 5)}
    yield "determinants", text("""
        g (double[3, 4, 4] d, float[2, 2] e) => (double[3] four, float two) {
          four = Det(d)
          two = Det(e)
        }"""), {"d": np.concatenate([floats(2, 4, 4), np.array([[[0, 1, 0, 0], [0, 0, 2, 0], [3, 0, 0, 0],
                                                                [0, 0, 0, 4]]])]).astype(np.float64),
                "e": floats(2, 2)}


@family
def integers():
    """Powers and shifts at the edges of their types."""
    yield "powers", text("""
        g (int32[6] b, int32[6] e, int64[6] lb, int64[6] le, uint8[6] u, uint8[6] by,
           uint64[6] w, uint64[6] wby) =>
          (int32[6] p, int64[6] l, uint8[6] left, uint64[6] right) {
          p = Pow(b, e)
          l = Pow(lb, le)
          left = BitShift<direction = "LEFT">(u, by)
          right = BitShift<direction = "RIGHT">(w, wby)
        }"""), {"b": np.array([2, -3, 0, 7, -1, 1], np.int32), "e": np.array([30, 5, 0, 3, 7, 9], np.int32),
                "lb": np.array([3, -2, 10, 0, 5, 2]), "le": np.array([33, 61, 15, 4, 0, 62]),
                "u": small(np.uint8, 6), "by": np.array([0, 1, 3, 7, 2, 5], np.uint8),
                "w": small(np.uint32, 6).astype(np.uint64) << 20,
                "wby": np.array([0, 1, 33, 63, 7, 52], np.uint64)}


@family
def spectra():
    yield "transforms", text("""
        g (float[2, 10, 3, 1] x, float[2, 3, 6, 2] z, float[2, 20, 1] s, float[8] w) =>
          (float[A, B, C, 2] rows, float[D, E, F, 2] one, float[G, H, I, 2] inverse,
           float[J, K, L, 2] longer, float[M, N, O, 2] frames)
        <int64 step = {4}, int64 length = {8}> {
          rows = DFT<axis = 1>(x)
          one = DFT<axis = 1, onesided = 1>(x)
          inverse = DFT<axis = 2, inverse = 1>(z)
          longer = DFT<axis = 2>(z, length)
          frames = STFT(s, step, w, length)
        }""", opset=17), {"x": floats(2, 10, 3, 1), "z": floats(2, 3, 6, 2), "s": floats(2, 20, 1),
                          "w": floats(8)}


@family
def attention():
    """Heads that share keys, masks that leave nothing, keys of earlier calls."""
    yield "heads", text("""
        g (float[2, 4, 3, 8] q, float[2, 2, 5, 8] k, float[2, 2, 5, 6] v, bool[3, 5] m,
           float[2, 2, 2, 8] pk, float[2, 2, 2, 6] pv, float[2, 1, 3, 5] bias) =>
          (float[2, 4, 3, 6] plain, float[2, 4, 3, 6] causal, float[2, 4, 3, 6] masked,
           float[2, 4, 3, 6] past, float[2, 2, 7, 8] allKeys, float[2, 2, 7, 6] allValues,
           float[2, 4, 3, 6] capped) {
          plain = Attention(q, k, v)
          causal = Attention<is_causal = 1, scale = 0.3>(q, k, v)
          masked = Attention(q, k, v, m)
          past, allKeys, allValues = Attention<is_causal = 1>(q, k, v, "", pk, pv)
          capped = Attention<softcap = 2.0>(q, k, v, bias)
        }""", opset=24), {"q": floats(2, 4, 3, 8), "k": floats(2, 2, 5, 8), "v": floats(2, 2, 5, 6),
                          "m": np.array([[1, 1, 0, 1, 0], [0, 0, 0, 0, 1], [1, 1, 1, 1, 1]], bool),
                          "pk": floats(2, 2, 2, 8), "pv": floats(2, 2, 2, 6), "bias": floats(2, 1, 3, 5)}
    yield "rotary", text("""
        g (float[2, 4, 3, 8] x, float[2, 3, 32] y, float[50, 4] c, float[50, 4] s, int64[2, 3] i,
           float[50, 2] c2, float[50, 2] s2) =>
          (float[2, 4, 3, 8] halves, float[2, 3, 32] pairs, float[2, 4, 3, 8] part) {
          halves = RotaryEmbedding(x, c, s, i)
          pairs = RotaryEmbedding<interleaved = 1, num_heads = 4>(y, c, s, i)
          part = RotaryEmbedding<rotary_embedding_dim = 4>(x, c2, s2, i)
        }""", opset=23), {"x": floats(2, 4, 3, 8), "y": floats(2, 3, 32), "c": floats(50, 4),
                          "s": floats(50, 4), "c2": floats(50, 2), "s2": floats(50, 2),
                          "i": RANDOM.integers(0, 50, (2, 3))}


@family
def dynamic():
    """Sizes that only a run knows."""
    yield "images", text("""
        g (float[B, 4, H, W] x, float[4] s, float[4] b, float[B, 3, N] scores, int64[B, N] t,
           float[B, 3, N] q, float[N, K] r) =>
          (float[B, 4, H, W] instance, float[B, 4, H, W] group, float[B, 4, H, W] local,
           float[B, 1, C, D] depth, float loss, float[B, 4, H, W] two, float[B, K] product,
           float[B, 4, H, W] quantized, float[B, 4, 1, 1] power, float[B, 4, H, W] layer,
           float[B, M, M2, M3] mean)
        <float scale = {0.1}, uint8 zero = {100}, float[1] one = {1.0}> {
          instance = InstanceNormalization(x, s, b)
          group = GroupNormalization<num_groups = 2>(x, s, b)
          local = LRN<size = 3>(x)
          depth = DepthToSpace<blocksize = 2>(x)
          loss = SoftmaxCrossEntropyLoss<ignore_index = 1>(scores, t)
          two = LpNormalization<axis = 2>(x)
          product = Einsum<equation = "bcn,nk->bk">(q, r)
          bytes = QuantizeLinear(x, scale, zero)
          quantized = DequantizeLinear(bytes, scale, zero)
          power = GlobalLpPool(x)
          layer, mean = LayerNormalization<axis = 1>(x, one)
        }""", opset=21), {"x": floats(2, 4, 3, 5), "s": floats(4), "b": floats(4),
                          "scores": floats(2, 3, 6), "t": RANDOM.integers(0, 3, (2, 6)),
                          "q": floats(2, 3, 6), "r": floats(6, 4)}
    yield "sequences", text("""
        g (float[4, B, 3] x, float[1, 20, 3] w, float[1, 20, 5] r, float[1, 40] b,
           float[B, 4, S, 8] q, float[B, 2, T, 8] k, float[B, 2, T, 8] v, float[B, 2, P, 8] pk,
           float[B, 2, P, 8] pv, float[B, S, 32] e, float[50, 4] c, int64[B, S] i) =>
          (float[4, 1, B, 5] steps, float[B, 4, S, 8] y, float[B, 2, All, 8] keys,
           float[B, S, 32] turned) {
          steps = LSTM<hidden_size = 5>(x, w, r, b)
          y, keys, values = Attention<is_causal = 1>(q, k, v, "", pk, pv)
          turned = RotaryEmbedding<num_heads = 4>(e, c, c, i)
        }""", opset=23), {"x": floats(4, 2, 3), "w": floats(1, 20, 3), "r": floats(1, 20, 5),
                          "b": floats(1, 40), "q": floats(2, 4, 3, 8), "k": floats(2, 2, 3, 8),
                          "v": floats(2, 2, 3, 8), "pk": floats(2, 2, 4, 8), "pv": floats(2, 2, 4, 8),
                          "e": floats(2, 3, 32), "c": floats(50, 4),
                          "i": RANDOM.integers(0, 50, (2, 3))}


@family
def shapes():
    """Integers that exporters compute: pads in pairs and turned round (torch's
    pad), dims by their remainder (its unflatten), parts of tables."""
    yield "tables", text("""
        g (float[2, 3, 15] x) => (float[A, B, C] padded, float[D, E, F] split, float[G, H] part)
        <int64[2] given = {2, 1}, int64[1] four = {4}, int64[2] pairs = {-1, 2}, int64[1] zero = {0},
         int64[1] last = {-1}, int64[1] least = {-9223372036854775807}, int64[1] one = {1},
         int64[1] three = {3}, int64[1] five = {5}, int64[2] lengths = {3, 5}, int64[1] most = {9223372036854775807},
         int64[2, 3] table = {1, 2, 3, 4, 5, 6}, int64[2] starts = {-1, 0}, int64[2] ends = {-3, 3},
         int64[2] axes = {0, 1}, int64[2] steps = {-1, 2}, int64[2] whole = {0, -1}> {
          zeros = ConstantOfShape<value = int64[1] {0}>(four)
          all = Concat<axis = 0>(given, zeros)
          rows = Reshape(all, pairs)
          turned = Slice(rows, last, least, zero, last)
          columns = Transpose<perm = [1, 0]>(turned)
          flat = Reshape(columns, last)
          pads = Cast<to = 7>(flat)
          padded = Pad(x, pads)
          at = Mod(five, three)
          shape = Shape(x)
          front = Slice(shape, zero, at)
          after = Add(at, one)
          back = Slice(shape, after, most)
          target = Concat<axis = 0>(front, lengths, back)
          split = Reshape(x, target)
          some = Slice(table, starts, ends, axes, steps)
          kept = Reshape(some, whole)
          row = Reshape(kept, last)
          sizes = Slice(row, zero, one)
          ten = Mul(sizes, three)
          tail = Concat<axis = 0>(last, ten)
          doubled = Concat<axis = 2>(x, x)
          part = Reshape(doubled, tail)
        }""", opset=18), {"x": floats(2, 3, 15)}


if __name__ == "__main__":
    compare.main()
