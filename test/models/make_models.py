#!/usr/bin/env python3
"""Makes the small ONNX models beside this file: make_models.py [NAME...].

Each is ONNX's own text syntax, in which the models that are wrong on purpose
can be written too. The three whole graphs (mlp_gelu_f16, swiglu_bf16,
swiglu_dynamic_f32) are not made here: they come from an exporter. Needs onnx.
"""

import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = os.path.dirname(os.path.abspath(__file__))
MODELS = {}


def model(text, opset=20, name=None, **domains):
    """The model of a graph in text; `domains` are more operator sets."""
    sets = ", ".join(
        '"%s": %d' % (domain.replace("_", "."), version)
        for domain, version in [("", opset), *domains.items()]
    )
    return onnx.parser.parse_model(
        "<ir_version: 8, opset_import: [%s]>\n%s" % (sets, text)
    )


def made_by(function):
    MODELS[function.__name__] = function
    return function


# Elementwise ops.


@made_by
def elementwise():
    return model(
        """
        g (float[2, 3] x, float[3] y, int64[2, 3] i, uint8[3] u, bool[2, 3] b,
           bool[3] c, float16[2, 3] h, float16[3] k) =>
          (float[2, 3] neg, float[2, 3] sum, float[2, 3] swapped, int64[2, 3] quotient,
           float[2, 3] power, int64[2, 3] cube, float[2, 3] fmod, int64[2, 3] mod,
           bool[2, 3] less, bool[2, 3] isnan, bool[2, 3] isinf, bool[2, 3] logic,
           uint8[3] bits, float[2, 3] where, float16[2, 3] total, float16[2, 3] mean,
           float[2, 3] largest, int32[2, 3] cast, float16[2, 3] like)
        <int64 three = {3}, int64[1] two = {2}> {
          neg = Neg(x)
          sum = Add(x, y)
          swapped = Sub(y, x)
          quotient = Div(i, two)
          power = Pow(x, y)
          cube = Pow(i, three)
          fmod = Mod<fmod = 1>(x, y)
          mod = Mod(i, two)
          less = Less(x, y)
          isnan = IsNaN(x)
          isinf = IsInf<detect_negative = 0>(x)
          both = And(b, c)
          other = Not(both)
          logic = Xor(other, c)
          bits = BitwiseAnd(u, u)
          where = Where(c, x, y)
          total = Sum(h, k, h)
          mean = Mean(h, k)
          largest = Max(x, y)
          cast = Cast<to = 6>(x)
          like = CastLike(x, h)
        }"""
    )


@made_by
def activations():
    return model(
        """
        g (float16[4] x, float16[4] slope) =>
          (float16[4] relu, float16[4] gelu, float16[4] tanh, float16[4] swish,
           float16[4] scaled, float16[4] leaky, float16[4] prelu, float16[4] elu,
           float16[4] hard, float16[4] softplus, float16[4] fast) {
          relu = Relu(x)
          gelu = Gelu(x)
          tanh = Gelu<approximate = "tanh">(x)
          swish = Swish(x)
          scaled = Swish<alpha = 2.0>(x)
          leaky = LeakyRelu<alpha = 0.5>(x)
          prelu = PRelu(x, slope)
          elu = Elu(x)
          hard = HardSigmoid<alpha = 0.25>(x)
          softplus = Softplus(x)
          fast = com.microsoft.FastGelu(x, slope)
        }""",
        opset=24,
        com_microsoft=1,
    )


@made_by
def clip_legacy():
    return model(
        """
        g (float[4] x) => (float[4] both, float[4] high) {
          both = Clip<min = -1.0, max = 6.0>(x)
          high = Clip<max = 6.0>(x)
        }""",
        opset=6,
    )


@made_by
def clip():
    """Optional inputs that are left out, or given as constants of no elements."""
    made = model(
        """
        g (float[4] x) => (float[4] both, float[4] high, float[4] low, float[4] none)
        <float lo = {-1.0}, float hi = {6.0}> {
          both = Clip(x, lo, hi)
          high = Clip(x, "", hi)
          low = Clip(x, lo, empty)
          none = Clip(x)
        }"""
    )
    made.graph.initializer.append(
        numpy_helper.from_array(np.zeros([0], np.float32), "empty")
    )
    return made


# Matrix products.


@made_by
def matmul():
    return model(
        """
        g (float[3] v, float[3, 4] m, float[5, 2, 3] s, float[B, 1, 2, 3] t,
           float[5, 3, 4] r) =>
          (float dot, float[4] row, float[4] column, float[5, 2, 4] rows,
           float[5, 2] stack, float[B, 5, 2, 4] batch)
        {
          dot = MatMul(v, v)
          row = MatMul(v, m)
          turned = Transpose(m)
          column = MatMul(turned, v)
          rows = MatMul(s, m)
          stack = MatMul(s, v)
          batch = MatMul(t, r)
        }"""
    )


@made_by
def gemm():
    return model(
        """
        g (float16[8, 2] a, float16[4, 8] b, float16[4] c, float16[2, 1] d,
           float16 e) =>
          (float16[2, 4] plain, float16[2, 4] scaled, float16[2, 4] column,
           float16[2, 4] scalar) {
          plain = Gemm<transA = 1, transB = 1>(a, b)
          scaled = Gemm<transA = 1, transB = 1, alpha = 0.5, beta = 2.0>(a, b, c)
          column = Gemm<transA = 1, transB = 1>(a, b, d)
          scalar = Gemm<transA = 1, transB = 1>(a, b, e)
        }"""
    )


@made_by
def matmul_add_wider():
    """An addend that makes the product wider: fine as Add."""
    return model(
        """
        g (float[2, 3] a, float[3, 1] b, float[1, 5] c) => (float[2, 5] y) {
          p = MatMul(a, b)
          y = Add(p, c)
        }"""
    )


# Normalization.


@made_by
def softmax_11():
    return model(
        """
        g (float[2, 5, 3] x) =>
          (float[2, 5, 3] byDefault, float[2, 5, 3] first, float[2, 5, 3] last) {
          byDefault = Softmax(x)
          first = Softmax<axis = 0>(x)
          last = Softmax<axis = 2>(x)
        }""",
        opset=11,
    )


@made_by
def softmax_11_dynamic():
    return model(
        """
        g (float[N, 5, 3] x) => (float[N, 5, 3] rows, float[N, 5, 3] all) {
          rows = Softmax(x)
          all = LogSoftmax<axis = 0>(x)
        }""",
        opset=11,
    )


@made_by
def softmax_13():
    return model(
        """
        g (float[2, 5, 3] x) => (float[2, 5, 3] byDefault, float[2, 5, 3] middle) {
          byDefault = Softmax(x)
          middle = LogSoftmax<axis = -2>(x)
        }""",
        opset=13,
    )


@made_by
def norms():
    return model(
        """
        g (float[2, 3, 8] x, float[8] s, float[8] b, float[1, 1, 8] padded,
           float[3, 8] wide, float n, float16[2, 4, 6] c, float16[4] p) =>
          (float[2, 3, 8] layer, float[2, 3, 8] noBias, float[2, 3, 8] twoDims,
           float[2, 3, 8] broad, float[2, 3, 8] wider, float[2, 3, 8] rms,
           float[2, 3, 8] simple, float16[2, 4, 6] batch) {
          layer = LayerNormalization<epsilon = 0.5>(x, s, b)
          noBias = LayerNormalization(x, padded)
          twoDims = LayerNormalization<axis = 1>(x, wide, wide)
          broad = LayerNormalization<axis = 1>(x, s, n)
          wider = LayerNormalization(x, wide, b)
          rms = RMSNormalization(x, s)
          simple = SimplifiedLayerNormalization(x, s)
          batch = BatchNormalization(c, p, p, p, p)
        }""",
        opset=23,
    )


# Reductions.


@made_by
def reduce_11():
    return model(
        """
        g (float[2, 3, 4] x) =>
          (float[2, 1, 4] sum, float[2] mean, float[1, 1, 1] largest) {
          sum = ReduceSum<axes = [1]>(x)
          mean = ReduceMean<axes = [-1, 1], keepdims = 0>(x)
          largest = ReduceMax(x)
        }""",
        opset=11,
    )


@made_by
def reduce_20():
    return model(
        """
        g (float[2, 3, N] x, float16[2, 4] h, bool[2, 4] b, float[1, 2, 3, 3] image) =>
          (float[2, 3, 1] sum, float[2, N] product, float all, float[2, 3, N] none,
           float16[2] norm, float16[2, 4] squares, float16[2] logSum, bool[2] any,
           float[1, 2, 1, 1] pooled)
        <int64[1] last = {-1}, int64[1] one = {1}, int64[0] nothing = {}> {
          sum = ReduceSum(x, last)
          product = ReduceProd<keepdims = 0>(x, one)
          all = ReduceMin<keepdims = 0>(x, nothing)
          none = ReduceMean<noop_with_empty_axes = 1>(x)
          norm = ReduceL2<keepdims = 0>(h, one)
          squares = ReduceSumSquare<noop_with_empty_axes = 1>(h)
          logSum = ReduceLogSumExp<keepdims = 0>(h, one)
          any = ReduceMax<keepdims = 0>(b, one)
          pooled = GlobalAveragePool(image)
        }"""
    )


# Shapes.


@made_by
def shapes():
    return model(
        """
        g (float[2, 3, 4] x, float[1, 3, 1] y, float[0, 3] z) =>
          (float[2, 12] keep, float[0, 5] empty, float[6, 4] flat, float[24, 1] flatLast,
           float[3] squeezed, float[3, 1] squeezedOne, float[2, 1, 3, 4, 1] unsqueezed,
           float[5, 2, 3, 4] expanded, float[4, 3, 2] reversed, float[2, 6, 4] tiled,
           float[2, 3, 4] same, float[24] ones)
        <int64[2] keepDims = {0, -1}, int64[2] noZero = {0, 5}, int64[1] first = {0},
         int64[2] ends = {1, -1}, int64[4] target = {5, 1, 3, 1}, int64[3] twice = {1, 2, 1},
         int64[1] all = {-1}> {
          keep = Reshape(x, keepDims)
          empty = Reshape<allowzero = 1>(z, noZero)
          flat = Flatten<axis = 2>(x)
          flatLast = Flatten<axis = 3>(x)
          squeezed = Squeeze(y)
          squeezedOne = Squeeze(y, first)
          unsqueezed = Unsqueeze(x, ends)
          expanded = Expand(x, target)
          reversed = Transpose(x)
          tiled = Tile(x, twice)
          dropped = Dropout(x)
          same = Identity(dropped)
          size = Size(x)
          sizes = Unsqueeze(size, first)
          ones = ConstantOfShape<value = float[1] {1.0}>(sizes)
        }"""
    )


@made_by
def shapes_11():
    """Axes as attributes."""
    return model(
        """
        g (float[1, 3, 1] y) => (float[3, 1] squeezed, float[1, 1, 3, 1] unsqueezed) {
          squeezed = Squeeze<axes = [0]>(y)
          unsqueezed = Unsqueeze<axes = [-4]>(y)
        }""",
        opset=11,
    )


@made_by
def dynamic_shapes():
    """The arithmetic by which exporters make shapes."""
    return model(
        """
        g (float[batch, seq, 8] x, float[batch, seq, 8] other, float[batch, past, 8] cache) =>
          (float[batch, seq, 2, 4] heads, float[N, 8] rows, float[batch, seq, 8] back,
           float[M] filled, float[batch, seq, 8] added, float[K] joined)
        <int64 zero = {0}, int64 one = {1}, int64[1] first = {0}, int64[1] last = {-1},
         int64[2] split = {2, 4}, int64[1] eight = {8}, int64[1] start = {0},
         int64[1] end = {2}, int64[3] minus = {-1, -1, -1}> {
          shape = Shape(x)
          b = Gather(shape, zero)
          s = Gather(shape, one)
          b1 = Unsqueeze(b, first)
          s1 = Unsqueeze(s, first)
          target = Concat<axis = 0>(b1, s1, split)
          heads = Reshape(x, target)
          count = Mul(b1, s1)
          two = Concat<axis = 0>(count, last)
          rows = Reshape(x, two)
          leading = Slice(shape, start, end)
          whole = Concat<axis = 0>(leading, last)
          back = Reshape(heads, whole)
          wide = Cast<to = 7>(count)
          filled = ConstantOfShape(wide)
          isMinus = Equal(shape, minus)
          chosen = Where(isMinus, minus, shape)
          expanded = Expand(other, chosen)
          added = Add(x, expanded)
          past_shape = Shape<start = 1, end = 2>(cache)
          length = Add(past_shape, s1)
          joined = ConstantOfShape(length)
        }"""
    )


# Constants.


@made_by
def constants():
    """Every element type, as raw bytes and as numbers."""
    values = [
        ("f32", TensorProto.FLOAT, [0.5, -0.0, float("nan"), float("inf")]),
        ("f64", TensorProto.DOUBLE, [0.1, -1e300]),
        ("f16", TensorProto.FLOAT16, [0.1, -65504.0]),
        ("bf16", TensorProto.BFLOAT16, [0.1, 3.0]),
        ("i8", TensorProto.INT8, [-128, 127]),
        ("i16", TensorProto.INT16, [-32768, 32767]),
        ("i32", TensorProto.INT32, [-(2**31), 2**31 - 1]),
        ("i64", TensorProto.INT64, [-(2**63), 2**63 - 1]),
        ("u8", TensorProto.UINT8, [0, 255]),
        ("u16", TensorProto.UINT16, [0, 65535]),
        ("u32", TensorProto.UINT32, [0, 2**32 - 1]),
        ("u64", TensorProto.UINT64, [0, 2**64 - 1]),
        ("bool", TensorProto.BOOL, [True, False, True]),
    ]
    initializers, outputs = [], []
    for name, dtype, numbers in values:
        array = np.array(numbers, helper.tensor_dtype_to_np_dtype(dtype))
        typed = helper.make_tensor(name, dtype, array.shape, array)
        raw = numpy_helper.from_array(array, name + "_raw")
        for tensor in (typed, raw):
            initializers.append(tensor)
            outputs.append(
                helper.make_tensor_value_info(tensor.name, dtype, tensor.dims)
            )
    initializers.append(helper.make_tensor("none", TensorProto.FLOAT, [0, 2], []))
    outputs.append(helper.make_tensor_value_info("none", TensorProto.FLOAT, [0, 2]))
    graph = helper.make_graph([], "constants", [], outputs, initializers)
    return helper.make_model(
        graph, ir_version=8, opset_imports=[helper.make_opsetid("", 20)]
    )


@made_by
def large_constant():
    """More than 4 KiB; and as much of one value."""
    made = model(
        """
        g (float[1100] x) => (float[1100] y, float[1100] z) {
          y = Add(x, ramp)
          z = Add(x, same)
        }"""
    )
    ramp = np.arange(1100, dtype=np.float32)
    made.graph.initializer.append(numpy_helper.from_array(ramp, "layer.0.ramp"))
    made.graph.initializer.append(
        numpy_helper.from_array(np.full([1100], 0.25, np.float32), "same")
    )
    made.graph.node[0].input[1] = "layer.0.ramp"
    return made


@made_by
def constant_nodes():
    return model(
        """
        g (float[2] x) => (float[2] y, float[2] z, int64[2] i, int64[3] n) {
          f = Constant<value_float = 1.5>()
          y = Mul(x, f)
          fs = Constant<value_floats = [1.0, 2.0]>()
          z = Mul(x, fs)
          i = Constant<value = int64[2] {3, 4}>()
          n = Constant<value_ints = [5, 6, 7]>()
        }"""
    )


# Signatures.


@made_by
def unnamed_dims():
    """Dims without a name, one of whose names by place is taken."""
    made = model("g (float[A, B] x, bool[C] unused) => (float[A, B] y) { y = Relu(x) }")
    x, unused = (value.type.tensor_type.shape for value in made.graph.input)
    x.dim[0].ClearField("dim_param")
    x.dim[1].dim_value = -1
    unused.dim[0].dim_param = "x.0"
    return made


@made_by
def bad_outputs():
    return model(
        """
        g (float[N] x) => (float[N] nowhere, int64[1] sizes, float16[N] wrong) {
          sizes = Shape(x)
          wrong = Relu(x)
        }"""
    )


# Functions of the model.


@made_by
def functions():
    return onnx.parser.parse_model(
        """
        <ir_version: 10, opset_import: ["": 20, "local": 1]>
        g (float[4] x, float y) => (float[4] a, float b) {
          a = local.twice <slope = 0.25> (x, y)
          b = local.twice (y)
        }
        <domain: "local", opset_import: ["": 20, "local": 1]>
        twice <slope: float = 0.5> (p, q) => (r) {
          t = local.leaky <slope: float = @slope> (p)
          r = Clip(t, q)
        }
        <domain: "local", opset_import: ["": 20]>
        leaky <slope> (v) => (w) {
          w = LeakyRelu <alpha: float = @slope> (v)
        }"""
    )


# Ops that select and arrange elements.


@made_by
def movement():
    return model(
        """
        g (float[3, 5] x, float[3, 2] y, int64[2, 2] i, int64[3, 2] j, int32[4] k, float[batch, 4] d) =>
          (float[3, 2] strided, float[2, 5] backwards, float[3, 3] fromEnd, float[3, 7] joined,
           float[3, 2] head, float[3, 3] tail, float[3, 3] larger, float[3, 2] smaller,
           float[6, 6] padded, float[3, 9] reflected, float[7, 5] edge, float[3, 8] wrapped,
           float[2, 2, 5] rows, float[3, 4] columns, float[3, 2] elements,
           float[M, 4] twice, float[N, 4] rest, float[batch, 1] last)
        <int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}, int64[1] four = {4},
         int64[1] minusOne = {-1}, int64[1] minusTwo = {-2}, int64[1] minusFour = {-4},
         int64[1] least = {-9223372036854775807}, int64[1] most = {9223372036854775807},
         int64[2] sizes = {2, 3}, int64[4] around = {1, -1, 2, 2}, float value = {7.5},
         int64[2] both = {2, 2}, int64[4] before = {3, 0, 1, 0}, int64[4] cyclic = {0, 1, 0, 2}> {
          strided = Slice(x, one, four, one, two)
          backwards = Slice(x, most, zero, zero, minusOne)
          fromEnd = Slice(x, minusFour, minusOne, minusOne)
          joined = Concat<axis = -1>(x, y)
          head, tail = Split<axis = 1>(x, sizes)
          larger, smaller = Split<axis = 1, num_outputs = 2>(x)
          padded = Pad(x, around, value)
          reflected = Pad<mode = "reflect">(x, both, , one)
          edge = Pad<mode = "edge">(x, before)
          wrapped = Pad<mode = "wrap">(x, cyclic)
          rows = Gather(x, i)
          columns = Gather<axis = 1>(x, k)
          elements = GatherElements<axis = 1>(x, j)
          twice = Concat<axis = 0>(d, d)
          rest = Slice(d, one, most)
          last = Slice(d, minusOne, most, one)
        }"""
    )


@made_by
def positions():
    return model(
        """
        g (float[2, 4] x, int64[2, 3] i, int64[3] j, float16[2, 4] h) =>
          (int64[2000] range, float[2, 4] upper, float[2, 4] lower, float[2, 3, 5] hot,
           int64[5, 3] hotFirst, float[2, 4] sums, int64[2, 3] after, float16[2, 4] halves)
        <int64 start = {5}, int64 limit = {-5995}, int64 delta = {-3}, int64 minusOne = {-1},
         int64 one = {1}, int64 depth = {5}, float[2] offOn = {0.5, 2.0}, int64[2] ints = {7, 9},
         int64 zero = {0}> {
          range = Range(start, limit, delta)
          upper = Trilu(x, one)
          lower = Trilu<upper = 0>(x, minusOne)
          hot = OneHot(i, depth, offOn)
          hotFirst = OneHot<axis = 0>(j, depth, ints)
          sums = CumSum(x, one)
          after = CumSum<exclusive = 1, reverse = 1>(i, zero)
          halves = CumSum<reverse = 1>(h, one)
        }"""
    )


@made_by
def windows():
    return model(
        """
        g (float[2, 4, 7, 9] x, float[6, 4, 3, 3] w, float[6] b, float[4, 2, 3, 1] g, float[8, 1, 3, 3] d,
           float[batch, 4, 11] s, float[5, 4, 4] v, float[6, 4, 1, 1] p, float[1, 2, 4, 5, 3] c) =>
          (float[2, 6, 4, 8] asymmetric, float[2, 4, 3, 9] grouped, float[2, 8, 3, 5] depthwise,
           float[2, 6, 4, 5] same, float[2, 6, 7, 9] pointwise, float[2, 6, 3, 3] dilated,
           float[batch, 5, M] line, float[2, 4, 4, 5] largest, float[2, 4, 4, 5] ceil,
           float[2, 4, 4, 5] mean, float[2, 4, 4, 5] meanPadded, float[2, 4, 4, 5] meanCeil,
           float[1, 2, 3, 4, 2] cube, float[batch, 4, N] lineMean) {
          asymmetric = Conv<strides = [2, 1], pads = [1, 0, 2, 1]>(x, w, b)
          grouped = Conv<group = 2, strides = [2, 1]>(x, g)
          depthwise = Conv<group = 4, strides = [3, 2], pads = [1, 1, 1, 1]>(x, d)
          same = Conv<strides = [2, 2], auto_pad = "SAME_LOWER">(x, w)
          pointwise = Conv(x, p, b)
          dilated = Conv<dilations = [2, 3], strides = [1, 1]>(x, w)
          line = Conv<strides = [2], pads = [1, 1]>(s, v)
          largest = MaxPool<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]>(x)
          ceil = MaxPool<kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1>(x)
          mean = AveragePool<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]>(x)
          meanPadded = AveragePool<kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1], count_include_pad = 1>(x)
          meanCeil = AveragePool<kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1>(x)
          cube = MaxPool<kernel_shape = [2, 2, 2]>(c)
          lineMean = AveragePool<kernel_shape = [3], strides = [2]>(s)
        }"""
    )


@made_by
def dynamic_windows():
    """Sizes that only a run knows."""
    return model(
        """
        g (float[B, 4, H, W] x, float16[B, 4, H, W] h, float[6, 2, 3, 3] w, float16[4, 1, 3, 3] d,
           float[B, S] m, int64[K] i) =>
          (float[B, 6, P, Q] grouped, float16[B, 4, R, T] depthwise, float16[B, 4, U, V] largest,
           float16[B, 4, U, V] mean, float[B, L] middle, float[B, M] joined, float[B, K] columns,
           float[B, N] none)
        <int64[1] zero = {0}, int64[1] one = {1}, int64[1] minusTwo = {-2}> {
          grouped = Conv<group = 2, strides = [2, 1], pads = [1, 2, 0, 1]>(x, w)
          depthwise = Conv<group = 4, dilations = [1, 2], pads = [1, 1, 1, 1]>(h, d)
          largest = MaxPool<kernel_shape = [3, 2], strides = [2, 2], pads = [1, 0, 1, 1]>(h)
          mean = AveragePool<kernel_shape = [3, 2], strides = [2, 2], pads = [1, 0, 1, 1]>(h)
          middle = Slice(m, one, minusTwo, one)
          joined = Concat<axis = 1>(middle, m, middle)
          columns = Gather<axis = 1>(m, i)
          none = Slice(m, zero, zero, one)
        }"""
    )


# Branches.


@made_by
def branches():
    """A condition of the graph, one inside of a branch, and one that is known."""
    return model(
        """
        g (float[batch, 4] x, bool c, bool[1] d, float[4] b) =>
          (float[batch, 4] one, float[batch, 4] other, float[batch, 4] nested, float[K] known)
        <bool always = {1}> {
          one, other = If(c) <
            then_branch = t () => (float[batch, 4] p, float[batch, 4] q) <float[4] w = {1, 2, 3, 4}> {
              p = Mul(x, w)
              q = Softmax(p)
            },
            else_branch = e () => (float[batch, 4] r, float[batch, 4] s) {
              r = Add(x, b)
              s = Neg(r)
            }>
          nested = If(d) <
            then_branch = t () => (float[batch, 4] u) {
              u = If(c) <
                then_branch = t2 () => (float[batch, 4] v) { v = Exp(x) },
                else_branch = e2 () => (float[batch, 4] y) { y = Sin(one) }>
            },
            else_branch = e () => (float[batch, 4] z) { z = Abs(other) }>
          known = If(always) <
            then_branch = t () => (float[4] k) { k = Relu(b) },
            else_branch = e () => (float[1] l) { l = ReduceMax(b) }>
        }"""
    )


@made_by
def branches_differ():
    return model(
        """
        g (float[4] x, bool c) => (float[N] y) {
          [if] y = If(c) <
            then_branch = t () => (float[4] p) { p = Neg(x) },
            else_branch = e () => (float[8] q) { q = Concat<axis = 0>(x, x) }>
        }"""
    )


# What is refused.


@made_by
def refused():
    """Many faults, all of them to be named in one run."""
    return model(
        """
        g (float[1, 3, 8, 8] x, float[3] v, float[N] d, float[M] e, float16[3] h, int64[2] i) =>
          (float[3] last)
        <float[1, 3, 4, 4] c, float half = {0.5}, bool always = {1}> {
          [roi] c = MaxRoiPool<pooled_shape = [4, 4]>(x, x)
          [after_roi] r = Softmax<axis = 4>(c)
          [unknown_after_refused] q = Quantum(r)
          [foreign] f = com.example.Quantum(v)
          [sizes] s = Add(d, e)
          [types] t = Add(v, h)
          [shapes] u = Add(x, v)
          [attribute] a = Softmax<temperature = 2.0>(v)
          [kind] k = Softmax<axis = 1.0>(v)
          [axis] b = Softmax<axis = 1>(v)
          [count] n = Add(v)
          [extra] m, o = Relu(v)
          [user] p = Add(m, o)
          [elements] w = Gelu(i)
          [training] y = Dropout(v, half, always)
          [undefined] z = Relu(nowhere)
          [later] late = Relu(last)
          last = Relu(v)
        }"""
    )


@made_by
def refused_ops():
    """What each family cannot take, all named in one run."""
    return model(
        """
        g (float[1, 3, 8, 8] x, float[H, 3, W, 8] d, float[2, 3] m, float[4, 3, 3, 3] k,
           int64[2] i, uint8[2, 3] u, float[5, 2, 3] s, float[1, 16, 3] w, float[1, 16, 4] r,
           float[3, 4] rois, int64[3] of, float[1, 4, 4, 2] grid, float[2] q, double[17, 17] big) =>
          (float[2] last)
        <float[4] scales = {1.0, 1.0, 2.5, 2.0}, float half = {0.5}, bool always = {1}> {
          [window] a = ConvTranspose<auto_pad = "SAME">(x, k)
          [filters] b = ConvTranspose<group = 2>(x, k)
          [indices] c, ci = MaxPool<kernel_shape = [2, 2]>(d)
          [mode] e = Resize<mode = "area">(x, "", scales)
          [dynamic] f = Resize(d, "", scales)
          [square] g1 = Det(m)
          [large] g2 = Det(big)
          [letters] h = Einsum<equation = "ij,jk->ik">(m)
          [sizes] h2 = Einsum<equation = "ij,ij->i">(m, w)
          [groups] j = GroupNormalization<num_groups = 2>(x, q, q)
          [targets] l = NegativeLogLikelihoodLoss(x, i)
          [floats] n = DequantizeLinear(m, half)
          [zero] o = MatMulInteger(u, m)
          [state] p, p1 = LSTM<hidden_size = 5>(s, w, r)
          [function] p2, p3 = LSTM<activations = ["Sine", "Tanh", "Tanh"]>(s, w, r)
          [samples] t = RoiAlign(x, rois, of)
          [places] v = GridSample(d, grid)
          [axis] y = DFT<axis = 3>(x)
          [heads] z = Attention<q_num_heads = 5, kv_num_heads = 5>(s, s, s)
          [direction] z1 = BitShift<direction = "UP">(u, u)
          [random] z2 = Dropout(q, half, always)
          last = Relu(q)
        }""",
        opset=23,
    )


@made_by
def opset_too_old():
    return model("g (float[2] x) => (float[2] y) { [gelu] y = Gelu(x) }", opset=13)


@made_by
def opset_too_new():
    return model("g (float[2] x) => (float[2] y) { y = Relu(x) }", opset=99)


@made_by
def opset_missing():
    made = model("g (float[2] x) => (float[2] y) { y = Relu(x) }", com_microsoft=1)
    del made.opset_import[0]
    return made


@made_by
def gemm_wide_bias():
    return model(
        """
        g (float[2, 3] a, float[3, 1] b, float[1, 5] c) => (float[2, 5] y) {
          [gemm] y = Gemm(a, b, c)
        }"""
    )


@made_by
def names_twice():
    made = model(
        """
        g (float[2] x, float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
          [first] y = Relu(x)
          [second] y = Relu(w)
        }"""
    )
    made.graph.initializer.append(made.graph.initializer[0])
    return made


# Values that a model gets at run time, but that its import must know.


@made_by
def known_inputs():
    return model(
        """
        g (float[N, 6] x, int64[2] shape, int32[1] axes) => (float[M, 1] y) {
          whole = Reshape(x, shape)
          wide = Cast<to = 7>(axes)
          y = ReduceSum(whole, wide)
        }"""
    )


# Operator sets before 7: broadcasts by attributes.


@made_by
def legacy():
    return model(
        """
        g (float[2, 3, 4] x, float[3] c, float[4] last, float[3, 4] m, float[4, 5] w, float[5] b) =>
          (float[2, 3, 4] sum, float[2, 3, 4] product, float[2, 3, 4] slopes,
           float[3, 5] gemm, float[2, 3, 4] norm, float[2, 3, 4] least, bool[2, 3, 4] less) {
          sum = Add<broadcast = 1, axis = 1>(x, c)
          product = Mul<broadcast = 1>(x, last)
          slopes = PRelu(x, c)
          gemm = Gemm<broadcast = 1>(m, w, b)
          norm = BatchNormalization<is_test = 1>(x, c, c, c, c)
          least = Min(x, sum)
          less = Less<broadcast = 1, axis = -2>(x, c)
        }""",
        opset=6,
    )


@made_by
def legacy_refused():
    return model(
        """
        g (float[2, 3, 4] x, float[3] c) => (float[2, 3, 4] sum, float[2, 3, 4] past, float[2, 3, 4] train) {
          sum = Add(x, c)
          past = Add<broadcast = 1, axis = 3>(x, c)
          train = Dropout(x)
        }""",
        opset=6,
    )


@made_by
def cycle():
    return model(
        """
        g (float[2] x) => (float[2] y) {
          [one] a = Add(x, y)
          [two] y = Relu(a)
        }"""
    )


@made_by
def function_cycle():
    return onnx.parser.parse_model(
        """
        <ir_version: 10, opset_import: ["": 20, "local": 1]>
        g (float[4] x) => (float[4] y) { [call] y = local.self (x) }
        <domain: "local", opset_import: ["": 20, "local": 1]>
        self (p) => (r) { [again] r = local.self (p) }"""
    )


@made_by
def bad_inputs():
    made = model(
        """
        g (float[2] x, string[2] text, int4[2] narrow, seq(float[2]) list, float rankless,
           float[2] long, float[2] huge, float[2] negative) => (float[2] y) {
          y = Relu(x)
        }"""
    )
    inputs = {value.name: value.type.tensor_type for value in made.graph.input}
    inputs["rankless"].ClearField("shape")
    for _ in range(40):
        inputs["long"].shape.dim.add().dim_value = 1
    for size in (2**40, 2**40):
        inputs["huge"].shape.dim.add().dim_value = size
    inputs["negative"].shape.dim[0].dim_value = -7
    return made


@made_by
def bad_tensors():
    made = model("g (float[2] x) => (float[2] y) { y = Relu(x) }")

    def add(name, dims, dtype, **fields):
        made.graph.initializer.append(
            TensorProto(name=name, dims=dims, data_type=dtype, **fields)
        )

    add("short", [3], TensorProto.FLOAT, raw_data=b"\0" * 8)
    add("long", [1], TensorProto.INT64, int64_data=[1, 2])
    add("negative", [-1], TensorProto.FLOAT)
    add("huge", [2**40, 2**40], TensorProto.FLOAT)
    add("deep", [1] * 40, TensorProto.FLOAT, raw_data=b"\0" * 4)
    add("nibbles", [2], TensorProto.INT4, int32_data=[1])
    add("text", [1], TensorProto.STRING, string_data=[b"a"])
    return made


@made_by
def nested_deep():
    """Branches in branches, far past what protobuf follows."""

    def field(number, payload):
        size, prefix = len(payload), b""
        while size >= 0x80:
            prefix += bytes([size & 0x7F | 0x80])
            size >>= 7
        return bytes([number << 3 | 2]) + prefix + bytes([size]) + payload

    graph = b""
    for _ in range(300):
        attribute = field(1, b"then_branch") + field(6, graph)
        graph = field(1, field(4, b"If") + field(5, attribute))
    return b"\x08\x08" + field(7, graph) + field(8, b"\x10\x14")


# External data: the tensors are in external_data.bin, floats 0 to 7.


def external(location, offset=16, length=16):
    made = model("g (float[4] x) => (float[4] y) { y = Add(x, W) }")
    tensor = made.graph.initializer.add()
    tensor.name, tensor.data_type = "W", TensorProto.FLOAT
    tensor.dims.append(4)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(value)
    return made


@made_by
def external_data():
    return external("external_data.bin")


@made_by
def external_absolute():
    return external("/etc/passwd", 0)


@made_by
def external_parent():
    return external("sub/../../external_data.bin")


@made_by
def external_link():
    return external("link.bin")


@made_by
def external_past_end():
    return external("external_data.bin", 2**64 - 8)


@made_by
def external_short():
    return external("external_data.bin", 0, 12)


@made_by
def external_missing():
    return external("missing.bin")


def main():
    for name in sys.argv[1:] or MODELS:
        made = MODELS[name]()
        data = made if isinstance(made, bytes) else made.SerializeToString(True)
        with open(os.path.join(FOLDER, name + ".onnx"), "wb") as file:
            file.write(data)
    with open(os.path.join(FOLDER, "external_data.bin"), "wb") as file:
        file.write(np.arange(8, dtype=np.float32).tobytes())


if __name__ == "__main__":
    main()
