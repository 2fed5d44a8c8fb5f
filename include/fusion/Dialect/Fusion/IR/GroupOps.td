//===- GroupOps.td - fused groups -----------------------------------------===//

#ifndef FUSION_DIALECT_FUSION_IR_GROUPOPS_TD
#define FUSION_DIALECT_FUSION_IR_GROUPOPS_TD

include "fusion/Dialect/Fusion/IR/FusionBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Fusion_GroupOp : Fusion_Op<"group", [
    AttrSizedOperandSegments, IsolatedFromAbove, RecursiveMemoryEffects,
    SingleBlock, DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>,
    DestinationStyleOpInterface]> {
  let summary = "operations that become one kernel";
  let description = [{
    Holds, on tensors, what one launch computes. The body sees nothing from
    outside but its arguments: first the inputs, then one destination per
    result, which gives the result's shape and is overwritten by it. `name` is
    for people; `kinds` says which fusions made the group (`"vertical"`,
    `"horizontal"`, `"conditional"`; none for a single operation); `schedule`,
    where present, pins the schedule.

    Constraints:
    * (C1) The body's arguments have the types of `inputs` and `inits`, in that
      order.
    * (C2) Each result has the type of its destination.
    * (C3) `fusion.yield` ends the body, with the types of the results.

    Example:
    ```mlir
    %r = fusion.group "neg" kinds [] ins(%x : tensor<4xf32>)
         outs(%d : tensor<4xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %v = linalg.negf ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>)
           -> tensor<4xf32>
      fusion.yield %v : tensor<4xf32>
    } : tensor<4xf32>

    // Invalid (C2): the result is not of its destination's type.
    %s = fusion.group "id" kinds [] ins(%x : tensor<4xf32>)
         outs(%d : tensor<8xf32>) {
    ^bb0(%a: tensor<4xf32>, %b: tensor<8xf32>):
      fusion.yield %a : tensor<4xf32>
    } : tensor<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, StrArrayAttr:$kinds,
                       OptionalAttr<DictionaryAttr>:$schedule,
                       Variadic<AnyType>:$inputs,
                       Variadic<AnyRankedTensor>:$inits);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [
    /// Makes a group with an empty body block that has its arguments; the
    /// results have the types of `inits`.
    OpBuilder<(ins "::llvm::StringRef":$name,
                   "::llvm::ArrayRef<::llvm::StringRef>":$kinds,
                   "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$inits,
                   CArg<"::mlir::DictionaryAttr", "{}">:$schedule)>
  ];
  let assemblyFormat = [{
    $name `kinds` $kinds (`schedule` `=` $schedule^)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $inits^ `:` type($inits) `)`)?
    attr-dict-with-keyword $body (`:` type($results)^)?
  }];
  let extraClassDeclaration = [{
    /// The body's block, and its arguments for inputs and for destinations.
    ::mlir::Block *getBodyBlock() { return &getBody().front(); }
    ::mlir::Block::BlockArgListType getInputArguments() {
      return getBodyBlock()->getArguments().take_front(getInputs().size());
    }
    ::mlir::Block::BlockArgListType getInitArguments() {
      return getBodyBlock()->getArguments().take_back(getInits().size());
    }
    /// The terminator of the body.
    YieldOp getYield();

    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Fusion_YieldOp : Fusion_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["GroupOp", "IfOp", "LoopOp"]> /*C1*/]> {
  let summary = "end of a group, branch or loop body";
  let description = [{
    Hands over the results of the enclosing `fusion.group`, `fusion.if` or
    `fusion.loop`.

    Constraints:
    * (C1) The enclosing operation is one of these.

    Example:
    ```mlir
    fusion.yield %v : tensor<4xf32>

    // Invalid (C1): not in a group.
    func.func @f(%x: tensor<4xf32>) {
      fusion.yield %x : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let builders = [OpBuilder<(ins), [{ /* yields nothing */ }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // FUSION_DIALECT_FUSION_IR_GROUPOPS_TD
