//===- Passes.td - passes inside the fusion dialect -----------------------===//

#ifndef FUSION_DIALECT_FUSION_TRANSFORMS_PASSES_TD
#define FUSION_DIALECT_FUSION_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Decompose : Pass<"fusion-decompose"> {
  let summary = "Take softmax, normalizations and branches apart";
  let description = [{
    Rewrites `softmax`, `log_softmax`, `layer_norm` and `rms_norm` as elementwise
    operations, reductions and broadcasts, in the numerically safe form: softmax
    subtracts the row's largest element first, and the variance is computed from
    differences to the mean. On f16 and bf16 all of it is in f32, with one
    conversion at each end; the last one is marked `rounding`, since it is there
    only because the graph's value has that type.

    A `conv_transpose` becomes one `conv` of stride 1, whose filters are those of
    all places that a stride jumps over, and a transpose that puts these side by
    side: nothing is multiplied by zeros but where the stride does not divide the
    window.

    A `fusion.if` whose regions hold a few elementwise operations on small tensors
    becomes both of them and one `select` per result: nothing in them has effects
    or traps. Others stay, as do those one region of which alone needs a product or a
    reduction from before the branch: the planner lets the device branch.

    A `fusion.loop` becomes as many copies of its body as it has iterations; one
    that would become more than a million operations is refused.

    Nothing else changes.

    ```mlir
    %r = fusion.softmax %x dim = 1 : tensor<4x8xf32>
    // becomes
    %m = fusion.reduce max, %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
    %b = fusion.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x8xf32>
    %d = fusion.sub %x, %b : tensor<4x8xf32>
    %e = fusion.exp %d : tensor<4x8xf32>
    %s = fusion.reduce sum, %e dims = [1] : tensor<4x8xf32> to tensor<4xf32>
    %c = fusion.broadcast %s dims = [0] : tensor<4xf32> to tensor<4x8xf32>
    %r = fusion.div %e, %c : tensor<4x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::fusion::FusionDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def Canonicalize : Pass<"fusion-canonicalize"> {
  let summary = "Canonicalize, but fold no function of constants";
  let description = [{
    Upstream's `canonicalize`, with its default options, but for the functions of
    the math dialect whose last bit depends on who computes them (`exp`, `sin`,
    `pow`, ...): those stay where their operands are constants, too, until
    `fusion-expand-math` has written them out. MLIR would call the C library of
    the machine that compiles, and whether a value is a constant depends on what
    was fused. Exact functions (`floor`, `sqrt`, `fma`, ...) fold.

    ```mlir
    %c = arith.constant 2.5 : f32
    %0 = math.floor %c : f32
    %1 = math.cosh %0 : f32
    // becomes
    %0 = arith.constant 2.0 : f32
    %1 = math.cosh %0 : f32
    ```
  }];
}

def CSE : Pass<"fusion-cse"> {
  let summary = "Eliminate common subexpressions, in linear time";
  let description = [{
    Upstream's `cse`, which takes time by the square of the number of ops that are
    alike but for what their regions read from outside (joined tensors, slices at
    computed positions). Ops that are equal once what they read has become one are
    eliminated, too.

    ```mlir
    %0 = linalg.generic ... outs(%e) { %x = tensor.extract %a[...] ... }
    %1 = linalg.generic ... outs(%e) { %x = tensor.extract %a[...] ... }
    // becomes
    %0 = linalg.generic ... outs(%e) { %x = tensor.extract %a[...] ... }
    ```
  }];
}

#endif // FUSION_DIALECT_FUSION_TRANSFORMS_PASSES_TD
