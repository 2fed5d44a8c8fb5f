#!/usr/bin/env python3
"""Makes the ONNX models of test/Regression: make_cases.py [NAME...].

As make_models.py, beside it, whose syntax this uses. Needs onnx.
"""

import make_models
from make_models import made_by, model

make_models.MODELS.clear()


@made_by
def resize_nearest():
    """Every rounding of nearest under half_pixel, and where corners are aligned."""
    half = 'mode = "nearest", coordinate_transformation_mode = "half_pixel"'
    roundings = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    names = ["floored", "raised", "below", "above"]
    nodes = "\n".join(f'{name} = Resize<{half}, nearest_mode = "{rounding}">(x, "", scales)'
                      for name, rounding in zip(names, roundings))
    kinds = ", ".join(f"float[1, 1, 1, 7] {name}" for name in names)
    return model(
        f"""
        g (float[1, 1, 1, 5] x, float[2, 3, 1, 4] planes) =>
          ({kinds}, float[1, 1, 1, 10] corners, float[2, 3, 1, 2] halved)
        <float[4] scales = {{1, 1, 1, 1.5}}, float[4] half = {{1, 1, 1, 0.5}},
         float[4] twice = {{1, 1, 1, 2}}> {{
          {nodes}
          corners = Resize<mode = "nearest", coordinate_transformation_mode = "align_corners">
                    (x, "", twice)
          halved = Resize<{half}>(planes, "", half)
        }}"""
    )


@made_by
def resize_empty_inputs():
    """Operator set 11, as exporters write it: regions and scales are empty constants."""
    return model(
        """
        g (float[N, 1, 2, 2] x, float[4] c) =>
          (float[N, 1, 4, 4] y, float[N, 1, 4, 4] named, float[4] most, float[4] least,
           float[4] both)
        <float[0] none = {}, float[0] empty = {}, int64[1] zero = {0}, int64[1] two = {2},
         int64[2] size = {4, 4}, float six = {6}> {
          shape = Shape(x)
          kept = Slice(shape, zero, two)
          sizes = Concat<axis = 0>(kept, size)
          y = Resize<mode = "nearest", coordinate_transformation_mode = "asymmetric",
                     nearest_mode = "floor">(x, none, empty, sizes)
          named = Resize<mode = "nearest", coordinate_transformation_mode = "asymmetric",
                         nearest_mode = "floor">(x, none, "", sizes)
          most = Clip(c, "", six)
          least = Clip(c, six)
          both = Clip(c, "", "")
        }""",
        opset=11,
    )


@made_by
def ceil_mode_pools():
    """Windows that end outside of the input, and those that begin there."""
    return model(
        """
        g (float[1, 1, 8] line, float[1, 1, 4, 4] plane, float[1, 1, 2, 3, 4] cube,
           float[1, 1, 7] odd) =>
          (float[1, 1, 4] lineMax, float[1, 1, 4] lineMean, float[1, 1, 2, 2] planeMax,
           float[1, 1, 2, 2] planeMean, float[1, 1, 1, 2, 2] cubeMax,
           float[1, 1, 1, 2, 2] cubeMean, float[1, 1, 4] oddMax, float[1, 1, 4] oddMean) {
          lineMax = MaxPool<kernel_shape = [3], strides = [2], ceil_mode = 1>(line)
          lineMean = AveragePool<kernel_shape = [3], strides = [2], ceil_mode = 1>(line)
          planeMax = MaxPool<kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1>(plane)
          planeMean = AveragePool<kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1>(plane)
          cubeMax = MaxPool<kernel_shape = [2, 2, 3], strides = [1, 2, 2], ceil_mode = 1>(cube)
          cubeMean = AveragePool<kernel_shape = [2, 2, 3], strides = [1, 2, 2], ceil_mode = 1>(cube)
          oddMax = MaxPool<kernel_shape = [2], strides = [2], pads = [1, 1], ceil_mode = 1>(odd)
          oddMean = AveragePool<kernel_shape = [2], strides = [2], pads = [1, 1], ceil_mode = 1>(odd)
        }"""
    )


@made_by
def batch_norm_modes():
    """Given statistics, and those of the batch, which move the running ones."""
    return model(
        """
        g (float[2, 1] x, float[2, 2, 1, 2] planes) =>
          (float[2, 1] given, float[2, 1] own, float[1] mean, float[1] var,
           float[2, 2, 1, 2] channels, float[2] means, float[2] vars)
        <float[1] scale = {2}, float[1] bias = {1}, float[1] zero = {0}, float[1] four = {4},
         float[2] ones = {1, 1}, float[2] zeros = {0, 0}> {
          given = BatchNormalization<epsilon = 0.0>(x, scale, bias, zero, four)
          own, mean, var = BatchNormalization<epsilon = 0.0, momentum = 0.9, training_mode = 1>
                           (x, scale, bias, zero, four)
          channels, means, vars = BatchNormalization<epsilon = 0.0, momentum = 0.5, training_mode = 1>
                                  (planes, ones, zeros, zeros, ones)
        }""",
        opset=15,
    )


@made_by
def branch_of_outer_value():
    """A branch that yields a value of the graph around it; one that would trap."""
    return model(
        """
        g (float[2, 6] x, bool c, int32 d, float[8, 4] table, int64[1] i) =>
          (float[2, 6] a, float[2, 6] b, float[2, 6] same, float[2, 6] e, int32 q, float[1, 4] row)
        <float seven = {7}, int32 seven_i = {7}, int32 none = {0}, float[1, 4] zeros = {0, 0, 0, 0}> {
          a = If(c) <
            then_branch = t () => (float[2, 6] t0) { t0 = Add(x, seven) },
            else_branch = f () => (float[2, 6] f0) { f0 = Identity(x) }>
          b = If(c) <
            then_branch = t () => (float[2, 6] x) { },
            else_branch = f () => (float[2, 6] f1) { f1 = Add(x, seven) }>
          same = If(c) <
            then_branch = t () => (float[2, 6] x) { },
            else_branch = f () => (float[2, 6] x) { }>
          e = Neg(a)
          q = If(c) <
            then_branch = t () => (int32 t3) { t3 = Div(seven_i, d) },
            else_branch = f () => (int32 f3) { f3 = Identity(none) }>
          row = If(c) <
            then_branch = t () => (float[1, 4] t4) { t4 = Gather<axis = 0>(table, i) },
            else_branch = f () => (float[1, 4] f4) { f4 = Identity(zeros) }>
        }"""
    )


@made_by
def malformed_conv():
    """A convolution with a weight and a bias of impossible rank."""
    return model(
        """
        g (float[1, 3, 8, 8] x, float w, float[1, 1, 1, 1, 2] b, float[2, 3, 3, 3] k, float[2, 3] m)
          => (float[1, 2, 6, 6] y) {
          [rank] y0 = Conv(x, w, b)
          [bias] y1 = Conv(x, k, b)
          [flat] y2 = Conv(x, m)
          [domain] y3 = org.unknown.Magic(x)
          y = Conv(x, k)
        }""",
        org_unknown=3,
    )


@made_by
def untyped_input():
    """An input of a node that has no type."""
    made = model("g (float[4] x) => (float[4] y) { [first] y = Relu(x) }")
    made.graph.input[0].ClearField("type")
    return made


@made_by
def slice_updates():
    """Two updates of one base, at starts that are known at run time only."""
    return model(
        """
        g (float[8] base, int64[1] i, int64[1] j, float[2] a, float[2] b) =>
          (float[8] u, float[8] v, float[8] sum)
        <int64[2] steps = {0, 1}> {
          p = Add(steps, i)
          q = Add(steps, j)
          u = ScatterElements<axis = 0>(base, p, a)
          v = ScatterElements<axis = 0>(base, q, b)
          sum = Add(u, v)
        }"""
    )


if __name__ == "__main__":
    make_models.main()
