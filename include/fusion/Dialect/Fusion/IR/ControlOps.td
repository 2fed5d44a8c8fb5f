//===- ControlOps.td - branches of the graph ------------------------------===//

#ifndef FUSION_DIALECT_FUSION_IR_CONTROLOPS_TD
#define FUSION_DIALECT_FUSION_IR_CONTROLOPS_TD

include "fusion/Dialect/Fusion/IR/FusionBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Fusion_IfOp : Fusion_Op<"if", [
    NoRegionArguments, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "one of two subgraphs";
  let description = [{
    Gives what the first region yields where `condition` holds, else what the
    second one does. The regions see values from outside. Since nothing in them
    has effects or traps, both may be computed.

    Constraints:
    * (C1) `condition` is a tensor of rank 0.
    * (C2) Each region ends in a `fusion.yield` of values of the results' types.
      Dynamic dims are equal at run time.

    Example:
    ```mlir
    %r = fusion.if %c : tensor<i1> -> tensor<4xf32> {
      %a = fusion.exp %x : tensor<4xf32>
      fusion.yield %a : tensor<4xf32>
    } else {
      fusion.yield %x : tensor<4xf32>
    }

    // Invalid (C1): which element decides?
    %s = fusion.if %d : tensor<4xi1> -> tensor<4xf32> {
      fusion.yield %x : tensor<4xf32>
    } else {
      fusion.yield %x : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Fusion_BoolTensor:$condition);
  let results = (outs Variadic<Fusion_Tensor>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition `:` type($condition) `->` type($results) attr-dict-with-keyword
    $thenRegion `else` $elseRegion
  }];
  let extraClassDeclaration = [{
    /// The terminators of the regions.
    YieldOp getThenYield();
    YieldOp getElseYield();
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

#endif // FUSION_DIALECT_FUSION_IR_CONTROLOPS_TD
