//===- ControlOps.td - branches and loops of the graph --------------------===//

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

def Fusion_LoopOp : Fusion_Op<"loop", [RecursiveMemoryEffects, SingleBlock,
    RangedTypesMatchWith<"results have the types of the initial values", "results",
                   "inits", "$_self"> /*C2*/]> {
  let summary = "a subgraph that is computed again and again";
  let description = [{
    Computes the body `count` times. Its first argument is the number of the
    iteration, from 0 on; the others hold `inits` at first, then what the iteration
    before yielded. The results are what the last one yielded, or `inits` if there
    was none. The body sees values from outside.

    Constraints:
    * (C1) `count` is not negative.
    * (C2) The results have the types of `inits`.
    * (C3) The body's arguments are a tensor<i64>, then values of these types.
    * (C4) The body ends in a `fusion.yield` of values of these types. Dynamic dims
      keep their sizes.

    Example:
    ```mlir
    %r = fusion.loop 4 iter(%x) : tensor<8xf32> {
    ^bb0(%i: tensor<i64>, %a: tensor<8xf32>):
      %e = fusion.exp %a : tensor<8xf32>
      fusion.yield %e : tensor<8xf32>
    }

    // Invalid (C3): where is the number of the iteration?
    %s = fusion.loop 4 iter(%x) : tensor<8xf32> {
    ^bb0(%a: tensor<8xf32>):
      fusion.yield %a : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$count, Variadic<Fusion_Tensor>:$inits);
  let results = (outs Variadic<Fusion_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $count `iter` `(` $inits `)` `:` type($results) attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    /// The terminator of the body.
    YieldOp getYield();
  }];
  let hasVerifier = 1;
}

#endif // FUSION_DIALECT_FUSION_IR_CONTROLOPS_TD
