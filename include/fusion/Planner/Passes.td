//===- Passes.td - planning what becomes one kernel -----------------------===//

#ifndef FUSION_PLANNER_PASSES_TD
#define FUSION_PLANNER_PASSES_TD

include "mlir/Pass/PassBase.td"

def SinkReshapes : Pass<"fusion-sink-reshapes", "func::FuncOp"> {
  let summary = "Move renaming reshapes out from between linalg ops";
  let description = [{
    An elementwise op or reduction that reads the expanded result of a linalg op
    is rewritten to run on the collapsed shape, with the expansion after it; one
    whose result is collapsed for another such op runs on the collapsed shape too.
    Ops whose maps do not keep the collapsed dims together stay as they are. A
    result written at a constant position of a dim of size one loses that dim,
    and operands expanded by such dims are read without them. The
    number of linalg ops does not change. `fusion-form-groups` does this first.

    Example:
    ```mlir
    %0 = tensor.expand_shape %mm [[0, 1], [2]] output_shape [2, 8, 16]
         : tensor<16x16xf32> into tensor<2x8x16xf32>
    %1 = linalg.generic /* elementwise */ ins(%0 : tensor<2x8x16xf32>) ...
    ```
    becomes
    ```mlir
    %1 = linalg.generic /* elementwise */ ins(%mm : tensor<16x16xf32>) ...
    %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [2, 8, 16]
         : tensor<16x16xf32> into tensor<2x8x16xf32>
    ```
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def FormGroups : Pass<"fusion-form-groups", "func::FuncOp"> {
  let summary = "Gather linalg ops into groups that become one kernel each";
  let description = [{
    Puts every linalg op on tensors of the function's body into one
    `fusion.group`. Outside stay `tensor.empty`, renaming reshapes, `tensor.dim`,
    index arithmetic, constants that are not splats, and ops of other dialects.
    Fills, scalars and splat constants are cloned into the groups that use them;
    the marked rounding after a contraction stays with it.

    Two ops are fused where one kernel can hold them, no cycle would arise, and
    the cost model of `target` says that it is no slower:
    * vertical: a consumer with its producer. Elementwise ops in any chain or
      tree; elementwise ops after a contraction, over its result; reductions of
      the same trailing dims with elementwise ops before, between and after.
      Operands may be broadcast. A value with several users becomes a further
      result of its group; nothing is computed twice.
    * horizontal: contractions that share an operand, of equal shapes, whose
      results meet in an elementwise op.

    An op with the unit attribute `fusion.barrier` is never fused. Each pair of
    producer and consumer gives one remark of category `fusion`: passed, or missed
    with the reason; the reasons are also kept in the function's attribute
    `fusion.not_fused` for reports.

    Example:
    ```mlir
    %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
         -> tensor<8x4xf32>
    %1 = linalg.negf ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
         -> tensor<8x4xf32>
    ```
    becomes
    ```mlir
    %1 = fusion.group "exp+negf" kinds ["vertical"]
         ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%a: tensor<8x4xf32>, %d: tensor<8x4xf32>):
      %t = tensor.empty() : tensor<8x4xf32>
      %2 = linalg.exp ins(%a : tensor<8x4xf32>) outs(%t : tensor<8x4xf32>)
           -> tensor<8x4xf32>
      %3 = linalg.negf ins(%2 : tensor<8x4xf32>) outs(%d : tensor<8x4xf32>)
           -> tensor<8x4xf32>
      fusion.yield %3 : tensor<8x4xf32>
    } : tensor<8x4xf32>
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_90a\"",
           "Device whose cost model decides: h200, a100, sm_80, cpu, ...; the "
           "default is the main target">,
    Option<"fuse", "fuse", "std::string", /*default=*/"\"all\"",
           "What to fuse: all, none, or some of vertical, horizontal and "
           "conditional, separated by commas">
  ];
  let dependentDialects = ["FusionDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def ElideRoundings : Pass<"fusion-elide-roundings", "func::FuncOp"> {
  let summary = "Keep values of narrow types wide inside of groups";
  let description = [{
    Where, inside a `fusion.group`, an elementwise op ends in a rounding marked
    `fusion.rounding` and all ops of the group that read the result widen it back
    at once, they read the wide value instead. A result of the group is the
    rounding of that same value, so that all readers in a kernel see one value.
    Casts without the mark stay. Not to be run under `--numerics=strict`.

    Example:
    ```mlir
    ^bb0(%a: f32, %d: f16):                  ^bb0(%a: f32, %d: f32):
      %e = math.exp %a : f32                   %e = math.exp %a : f32
      %r = arith.truncf %e {fusion.rounding}   linalg.yield %e : f32
      linalg.yield %r : f16
    // ... its only reader:           becomes
    ^bb0(%x: f16, %d: f32):                  ^bb0(%x: f32, %d: f32):
      %w = arith.extf %x : f16 to f32          %n = arith.negf %x : f32
      %n = arith.negf %w : f32
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "tensor::TensorDialect"];
}

#endif // FUSION_PLANNER_PASSES_TD
