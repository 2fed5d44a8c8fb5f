//===- Passes.td - planning what becomes one kernel -----------------------===//

#ifndef FUSION_PLANNER_PASSES_TD
#define FUSION_PLANNER_PASSES_TD

include "mlir/Pass/PassBase.td"

def AdoptLinalg : Pass<"fusion-adopt-linalg", "func::FuncOp"> {
  let summary = "Bring Linalg of other compilers into the form of stage 2";
  let description = [{
    What other compilers write between linalg ops becomes linalg ops and branches:
    * slices, insertions, concatenations and generated tensors of the tensor dialect:
      elementwise ops that read where their positions are inside;
    * arithmetic on whole tensors: elementwise ops;
    * ops that stand for several (`linalg.softmax`): these;
    * an `scf.if` or `scf.index_switch` that gives tensors: a `fusion.if` on a condition in memory;
    * an `scf.if` that asks for sizes, and repeats a tensor along a dim or takes it as it
      is: a read at a position that the host picks, or the tensor where its size decides;
    * results that are parts of an array (a diagonal, a column, each second row): arrays
      of their own, which elementwise ops put there; diagonals that are summed up: taken
      out first;
    * destinations that elementwise ops read: operands; branches in bodies: choices;
    * scalars made of elements of tensors (predicates, starts of slices, factors):
      code in the bodies that use them, since a host does not read a GPU's memory;
    * products and sums that begin with what an elementwise op makes (a bias): these
      begin with zero, and an elementwise op adds that behind them;
    * divisions of integers, which trap or are undefined for some operands: the values of
      docs/Numerics.md for all;
    * sums and products of f16 and bf16 that accumulate in that type: they accumulate in
      f32 and are rounded once.

    What has effects stays as it is, and a remark says why; effects in a `fusion.if`
    are an error.

    Example:
    ```mlir
    %p = tensor.extract %c[] : tensor<i1>
    %0 = tensor.extract_slice %x[4, 0] [2, 8] [1, 1]
         : tensor<8x8xf32> to tensor<2x8xf32>
    %1 = scf.if %p -> tensor<2x8xf32> {
      %2 = linalg.exp ins(%0 : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>)
           -> tensor<2x8xf32>
      scf.yield %2 : tensor<2x8xf32>
    } else {
      scf.yield %0 : tensor<2x8xf32>
    }
    ```
    becomes
    ```mlir
    %0 = linalg.generic ... outs(%d : tensor<2x8xf32>) { // reads %x at (i + 4, j)
      ...
    } -> tensor<2x8xf32>
    %1 = fusion.if %c : tensor<i1> -> tensor<2x8xf32> {
      %2 = linalg.exp ins(%0 : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>)
           -> tensor<2x8xf32>
      fusion.yield %2 : tensor<2x8xf32>
    } else {
      fusion.yield %0 : tensor<2x8xf32>
    }
    ```
  }];
  let dependentDialects = ["FusionDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def SinkReshapes : Pass<"fusion-sink-reshapes", "func::FuncOp"> {
  let summary = "Move renaming reshapes out from between linalg ops";
  let description = [{
    An elementwise op or reduction that reads the expanded result of a linalg op
    is rewritten to run on the collapsed shape, with the expansion after it; one
    whose result is collapsed for another such op runs on the collapsed shape too.
    Ops whose maps do not keep the collapsed dims together stay as they are. A
    result written at a constant position of a dim of size one loses that dim,
    and operands expanded by such dims are read without them. Where the shape of
    neither side fits both (16x324, then a factor for each channel of 2x32x9x9),
    both run on the coarsest shape that both consist of, 2x8x4x9x9, and the ops
    beside them too; not so the loops of contractions and their epilogues. What reads
    a dot product as a scalar runs on its dims of size one. The
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

def SinkTransposes : Pass<"fusion-sink-transposes", "func::FuncOp"> {
  let summary = "Move transposes down through elementwise ops to contractions";
  let description = [{
    An elementwise op whose result only contractions read, perhaps through more such
    ops, runs in the order of the tensor that a transpose makes its operand from;
    the transpose comes after it, where the contraction reads through it
    (`fusion-fold-transposes`), and the op can join what makes the tensor. The
    number of ops does not change.

    Example: queries scaled after their heads were moved,
    ```mlir
    %t = linalg.transpose ins(%q : tensor<128x12x64xf16>) ... permutation = [1, 0, 2]
    %s = linalg.generic /* elementwise */ ins(%t : tensor<12x128x64xf16>) ...
    ```
    become
    ```mlir
    %s = linalg.generic /* elementwise */ ins(%q : tensor<128x12x64xf16>) ...
    %t = linalg.transpose ins(%s : tensor<128x12x64xf16>) ... permutation = [1, 0, 2]
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def FoldTransposes : Pass<"fusion-fold-transposes", "func::FuncOp"> {
  let summary = "Read through transposes and broadcasts of contractions' operands";
  let description = [{
    A contraction whose operand only rearranges another tensor (a transpose, a
    broadcast, chains of them) reads that tensor itself, through the composed
    index map; rearrangements that nothing reads any more go away. It is refused,
    with a missed remark, where the innermost dim of the tensor would be no k and
    not the innermost m or n of the contraction: each block would then read it one
    element at a time. The expansion of a slice becomes a slice of the expanded
    tensor, so that only transposes and slices stand before the contraction.
    `fusion-form-groups` does this after `fusion-sink-reshapes`.

    Example:
    ```mlir
    %t = linalg.transpose ins(%k : tensor<2x128x12x64xf16>) ... permutation = [0, 2, 3, 1]
    %s = linalg.batch_matmul-like generic ins(%q, %t) ... // reads %t at (b, h, k, n)
    ```
    becomes
    ```mlir
    %s = linalg.generic ins(%q, %k) ...                   // reads %k at (b, n, h, k)
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "tensor::TensorDialect"];
}

def SplitProducts : Pass<"fusion-split-products", "func::FuncOp"> {
  let summary = "Let products run on the shape in which their results are stored";
  let description = [{
    Where the result of a product, perhaps with elementwise ops after it, is
    expanded for ops that read it in another order (the heads of queries, keys and
    values), the loops of all of them are cut as the result is, those of ops that
    make the operands too. What reorders can then be the end of the product's
    kernel, whose tiles run along rows and columns as before: stores split places
    themselves. `fusion-form-groups` does this for GPUs, after
    `fusion-fold-transposes`.

    Refused, with a missed remark, where inner sizes are known only at run time,
    where a loop to be cut is part of a sum of loops (the places of convolutions), or
    ops around the product would be cut in different ways. What contractions read as
    it is stays so.

    Example: heads of 5 columns,
    ```mlir
    %y = linalg.generic /* (m, n, k) */ ins(%x, %w : tensor<14x31xf32>,
         tensor<31x15xf32>) ... -> tensor<14x15xf32>
    %e = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [2, 7, 3, 5]
         : tensor<14x15xf32> into tensor<2x7x3x5xf32>
    %t = linalg.transpose ins(%e : ...) outs(... : tensor<2x3x7x5xf32>)
         permutation = [0, 2, 1, 3]
    ```
    becomes
    ```mlir
    %y = linalg.generic /* (b, s, h, d, k) */ ins(%x0, %w0 : tensor<2x7x31xf32>,
         tensor<31x3x5xf32>) ... -> tensor<2x7x3x5xf32>
    %t = linalg.transpose ins(%y : ...) outs(... : tensor<2x3x7x5xf32>)
         permutation = [0, 2, 1, 3]
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "tensor::TensorDialect"];
}

def SliceProducts : Pass<"fusion-slice-products", "func::FuncOp"> {
  let summary = "Let products make the parts that are cut out of their results";
  let description = [{
    Where all that is read of the result of a product, perhaps with elementwise ops
    and reshapes after it, are parts of it (the gates of a recurrent cell, the halves
    of a gated unit, queries, keys and values, the last rows), each part becomes a
    product of parts of the operands, with what follows it. What computes with the
    parts can then be the end of the product's kernel, and what nobody reads is not
    made. `fusion-form-groups` does this for GPUs, before reshapes move.

    Refused, with a missed remark, where parts overlap, where there are more than 8,
    where a part needs all of a product or a reshape joins what is cut with other
    dims, where places of a convolution are cut that are not the first ones, where
    operands of sizes known only at run time would be cut, and where, of parts that
    are the whole together, a contraction reads one in place, or a softmax would be
    computed for each.

    Example: a product of two halves,
    ```mlir
    %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>)
         outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
    %a = linalg.generic ... outs(%e : tensor<4x3xf32>) { // reads %y at (i, j)
      ...
    } -> tensor<4x3xf32>
    %b = linalg.generic ... outs(%e : tensor<4x3xf32>) { // reads %y at (i, j + 3)
      ...
    } -> tensor<4x3xf32>
    ```
    becomes
    ```mlir
    %v = linalg.generic ... outs(%f : tensor<8x3xf32>) { // reads %w at (i, j)
      ...
    } -> tensor<8x3xf32>
    %a = linalg.matmul ins(%x, %v : tensor<4x8xf32>, tensor<8x3xf32>)
         outs(%d : tensor<4x3xf32>) -> tensor<4x3xf32>
    %u = linalg.generic ... outs(%f : tensor<8x3xf32>) { // reads %w at (i, j + 3)
      ...
    } -> tensor<8x3xf32>
    %b = linalg.matmul ins(%x, %u : tensor<4x8xf32>, tensor<8x3xf32>)
         outs(%d : tensor<4x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "tensor::TensorDialect"];
}

def LayOutWindows : Pass<"fusion-lay-out-windows", "func::FuncOp"> {
  let summary = "Put channels side by side where convolutions read windows";
  let description = [{
    A contraction of f16 or bf16 that reads windows of an image fetches it element
    by element where neighbours in memory are places. With the channels, a dim of
    its k, last, it fetches 16 bytes at a time. Where that is estimated to be
    faster on `target`, copies of the image and the filters included, the
    contraction reads these and writes its result with the filters last.
    Elementwise ops, poolings and further contractions that read the result, or
    padding of it, keep that order, so that a chain of convolutions turns its
    image once; what needs the old order reads a transpose. Nothing is done on
    CPUs, without tensor cores, and for ops with directives. A missed remark has
    the estimates. `fusion-form-groups` does this after `fusion-fold-transposes`.

    Example, where `%pad` pads `%x`:
    ```mlir
    %r = linalg.generic /* contraction */ ins(%pad, %w : tensor<8x64x58x58xf16>,
         tensor<64x64x3x3xf16>) ... -> tensor<8x64x56x56xf32>
    ```
    becomes, where `%p` pads the transpose of `%x`,
    ```mlir
    %f = linalg.transpose ins(%w : tensor<64x64x3x3xf16>) ... permutation = [0, 2, 3, 1]
    %t = linalg.generic /* contraction */ ins(%p, %f : tensor<8x58x58x64xf16>,
         tensor<64x3x3x64xf16>) ... -> tensor<8x56x56x64xf32>
    %r = linalg.transpose ins(%t : tensor<8x56x56x64xf32>) ... permutation = [0, 3, 1, 2]
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_90a\"",
           "The device that estimates are for">,
    Option<"always", "always", "bool", /*default=*/"false",
           "Whatever the estimates say, for tests of what it makes">,
  ];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def PlaceParts : Pass<"fusion-place-parts", "func::FuncOp"> {
  let summary = "Let what makes the parts of a concatenation write them in place";
  let description = [{
    An elementwise op that only lays tensors side by side becomes a copy of each of
    them and a `tensor.concat`. The copy is an elementwise op on what makes the part:
    a convolution, a product or a pooling takes it as the end of its kernel.
    `tensor.concat` stays outside of groups and does nothing: each part is a result
    that lies in the array of the concatenation (`fusion-outline-groups`). Neighbours
    that are all slices of one tensor are one part.

    The op stays as it is, with a missed remark, where no part is made by a kernel;
    where several parts would be copied by launches of their own (arguments aside,
    which one launch copies); where a part would be copied and what reads the
    concatenation computes with its elements, which it does reading the parts; in
    branches; and where a directive of the graph places it. Parts have known sizes
    along the joined dim.

    Example:
    ```mlir
    %c = linalg.generic /* %a, then %b, along dim 1 */ -> tensor<1x48x8x8xf32>
    ```
    becomes
    ```mlir
    %0 = linalg.generic /* copy */ ins(%a : tensor<1x16x8x8xf32>) ...
    %1 = linalg.generic /* copy */ ins(%b : tensor<1x32x8x8xf32>) ...
    %c = tensor.concat dim(1) %0, %1 : (...) -> tensor<1x48x8x8xf32>
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def InlineReads : Pass<"fusion-inline-reads", "func::FuncOp"> {
  let summary = "Compute what is read at computed positions where it is read";
  let description = [{
    Where the body of an elementwise op reads an element of what another op makes
    from one element of one tensor (a slice, a transpose, a cast, a negation: a few
    cheap ops), it computes that element itself. A concatenation of slices becomes
    one op that way. Under a condition only the tensor's element is read under it;
    what follows is computed in any case and selected.
    What joins or pads tensors, each read under its condition, is computed so where
    elementwise ops alone read it: tensors joined twice (a roll along two dims), or in
    another shape (a channel shuffle), are one op. What one op reads once, in whole or
    as a part of what it joins, may take several elements and more than a few ops,
    unless it is the end of the kernel of a reduction or a product.
    Elements that are picked from what is computed with one element of each row too
    (a log-softmax at labels) are computed where they are picked; that element becomes
    an operand, so that the kernel which makes it can pick.

    Example: a body with
    ```mlir
    %e = tensor.extract %slice[%i, %j]   // %slice is %x from row 4 on
    ```
    reads
    ```mlir
    %r = arith.addi %i, %c4
    %e = tensor.extract %x[%r, %j]
    ```
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def ExpandRepeats : Pass<"fusion-expand-repeats", "func::FuncOp"> {
  let summary = "Give heads that share keys and values a dim of their own";
  let description = [{
    Where an operand of attention (a contraction, a softmax of its rows, a
    contraction over its columns) is a tensor repeated along a dim that is then
    merged with another, as for query heads that share the heads of keys and
    values, all ops of the attention, and the elementwise ops that follow, run over
    the two dims apart. The contraction then reads the tensor that was repeated
    (`fusion-fold-transposes`).

    Example: with keys of 2 heads, each repeated 6 times,
    ```mlir
    %r = linalg.generic ... : tensor<2x128x64xf16> -> tensor<2x6x128x64xf16>
    %k = tensor.collapse_shape %r [[0, 1], [2], [3]]
         : tensor<2x6x128x64xf16> into tensor<12x128x64xf16>
    %s = linalg.generic ... ins(%q, %k) -> tensor<12x128x128xf32>
    ```
    the contraction makes a `tensor<2x6x128x128xf32>` from `%r`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def ExpandBlocks : Pass<"fusion-expand-blocks", "func::FuncOp"> {
  let summary = "Give blocks of k that each have a factor a dim of their own";
  let description = [{
    Where an operand of a contraction is computed by blocks of k (weights with one
    factor for each 32 rows) and then seen in one piece, the contraction and the
    elementwise ops before it run over blocks and within them. Only for blocks of a
    known size, and values with one reader: the contraction's kernel may then compute
    the operand.

    Example: with factors that are read at (k / 32, n),
    ```mlir
    %w = linalg.generic ... -> tensor<4x32x64xf16>
    %c = tensor.collapse_shape %w [[0, 1], [2]]
         : tensor<4x32x64xf16> into tensor<128x64xf16>
    %y = linalg.generic /* (m, n, k) */ ins(%x, %c) ...
    ```
    becomes
    ```mlir
    %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 4, 32]
         : tensor<8x128xf16> into tensor<8x4x32xf16>
    %y = linalg.generic /* (m, n, block, k) */ ins(%e, %w) ...
    ```
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def SplitReductions : Pass<"fusion-split-reductions", "func::FuncOp"> {
  let summary = "Do reductions with few results in two steps";
  let description = [{
    A reduction whose results give work to few blocks is done in parts: one reduction
    with a result for each part, and one of these. A loop of a known size is cut; the
    number of the part is the first dim of what the first writes. Only where that is
    estimated to save time on `target`, a GPU, by the time of a launch at least; where
    what follows needs all elements again (a softmax, a norm), which is one kernel
    otherwise, it must save more. Ops with directives stay as they are, and so do
    softmaxes between contractions, which one kernel walks over.

    Which elements a part has follows from sizes alone, so that sums have one order.

    Example:
    ```mlir
    %s = linalg.generic /* (k, n): x[k, n] -> s[n] */ ins(%x : tensor<65536x64xf32>)
    ```
    becomes
    ```mlir
    %p = linalg.generic /* (k, n): x[k, n] -> p[k floordiv 256, n] */ ins(%x ...)
         -> tensor<256x64xf32>
    %s = linalg.generic /* (p, n): p[p, n] -> s[n] */ ins(%p : tensor<256x64xf32>)
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_90a\"",
           "Device whose cost model decides: h200, a100, sm_80, cpu, ...; the "
           "default is the main target">
  ];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "tensor::TensorDialect"];
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
      the same dims with elementwise ops before, between and after.
      Operands may be broadcast. A value with several users becomes a further
      result of its group. What other groups read of one without contractions
      they compute again where that saves time (`recompute`).
    * horizontal: contractions that share an operand, of equal shapes, whose
      results meet in an elementwise op.
    * a contraction, a softmax of its rows and a contraction over its columns
      (attention, told by its dataflow), with any elementwise ops between: one
      kernel that never writes the scores. For GPUs only, and not with `strict`.

    Attributes on an op overrule the planner: `fusion.no_fuse` (unit) gives it a
    kernel of its own; ops with the same `fusion.fuse_with = "name"` share one
    kernel wherever that is legal, whether it pays or not; `fusion.schedule =
    {...}` pins the schedule of its kernel, which nothing joins that the schedule
    is not for.

    Each pair of producer and consumer gives one remark of category `fusion`:
    passed, or missed with the reason. The function's attributes
    `fusion.not_fused` and `fusion.fused` keep the pairs for reports, with both
    estimated times where the cost model was asked.

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
           "What to fuse: all, none, or some of vertical, horizontal, "
           "conditional, prologue and recompute, separated by commas; '-' "
           "before a kind leaves it out">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Every value of the graph is rounded to its type: no softmax between "
           "contractions is computed in one walk, which rescales sums">
  ];
  let dependentDialects = ["FusionDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def PrepareConditionals : Pass<"fusion-prepare-conditionals", "func::FuncOp"> {
  let summary = "Bring branches into the form that groups need";
  let description = [{
    For each `fusion.if` of the function, in stage 2: what both regions compute
    alike moves before it; a linalg op before it that only one region reads moves
    into this one, and an elementwise one that only both read into both, since only
    one of them runs; an elementwise op that alone reads a result moves to the ends
    of both regions, as do several whose results meet in one, such as an activation
    that reads its argument twice; results that nothing reads are dropped; constants and
    fills are copied into the regions that read them. Nothing is computed that was not
    computed before, but for small elementwise code that the condition needs as well: the
    region that runs computes it again, so that before the branch nothing but the
    condition is left.
    Regions whose results have sizes of different names are refused with an error: the
    host does not know the condition.

    Example:
    ```mlir
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
         -> tensor<4xf32>
    %1 = fusion.if %c : tensor<i1> -> tensor<4xf32> {
      fusion.yield %0 : tensor<4xf32>
    } else {
      fusion.yield %x : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    %1 = fusion.if %c : tensor<i1> -> tensor<4xf32> {
      %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>)
           -> tensor<4xf32>
      fusion.yield %0 : tensor<4xf32>
    } else {
      fusion.yield %x : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["FusionDialect", "linalg::LinalgDialect",
                           "tensor::TensorDialect"];
}

def MergeArms : Pass<"fusion-merge-arms", "func::FuncOp"> {
  let summary = "Compute what both arms of a branch compute once, on chosen operands";
  let description = [{
    Where both regions of a `fusion.if` hold the same ops on different operands,
    one op replaces each two, before the branch: operands from outside become a
    choice, a pointer that the predicate picks on the device, and what the ops have
    in common below them is merged in the same way. Elementwise code between and
    after these ops that differs is computed for both arms and selected element by
    element; code generation branches around what is expensive. A branch inside of a
    region is merged first, so that a `case` of n ways becomes one op too. A result
    that no op but linalg ops reads, and whose arms only pass values through, becomes
    a choice.

    Ops are the same if name, attributes, bodies and types are; sizes must be known
    to be equal (static, of one name in `fusion.dims`, or one value). Refused, with a
    missed remark: ops without a counterpart in the other arm, other element types or
    shapes, elementwise code alone, a value that one arm passes through and the other
    computes; for CPUs, which have both arms as real branches, elementwise code that
    differs.

    Example:
    ```mlir
    %r = fusion.if %c : tensor<i1> -> tensor<16x16xf32> {
      %0 = linalg.matmul ins(%x, %a : ...) outs(%f : ...) -> tensor<16x16xf32>
      fusion.yield %0 : tensor<16x16xf32>
    } else {
      %1 = linalg.matmul ins(%y, %b : ...) outs(%f : ...) -> tensor<16x16xf32>
      fusion.yield %1 : tensor<16x16xf32>
    }
    ```
    becomes
    ```mlir
    %p = tensor.extract %c[] : tensor<i1>
    %xy = arith.select %p, %x, %y : tensor<16x16xf32>
    %ab = arith.select %p, %a, %b : tensor<16x16xf32>
    %r = linalg.matmul ins(%xy, %ab : ...) outs(%f : ...) -> tensor<16x16xf32>
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_90a\"",
           "Device that the code is for: h200, a100, sm_80, cpu, ...; the "
           "default is the main target">,
    Option<"fuse", "fuse", "std::string", /*default=*/"\"all\"",
           "What to fuse: all, none, or some of vertical, horizontal and "
           "conditional, separated by commas">
  ];
  let dependentDialects = ["FusionDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "tensor::TensorDialect"];
}

def FlattenConditionals : Pass<"fusion-flatten-conditionals", "func::FuncOp"> {
  let summary = "Turn branches between groups into conditions of groups";
  let description = [{
    Each `fusion.if` whose regions hold groups becomes a row of groups at the level
    of the function, each under a `fusion.if` of its own, which reads the condition
    from memory. A result of the branch is one destination that the groups of both
    regions write: what the one does not run leaves it to the other. Nested branches
    become nested conditions.

    Example:
    ```mlir
    %r = fusion.if %c : tensor<i1> -> tensor<4xf32> {
      %a = fusion.group "a" kinds [] ins(%x : ...) outs(%d : ...) {...}
      fusion.yield %a : tensor<4xf32>
    } else {
      %b = fusion.group "b" kinds [] ins(%y : ...) outs(%e : ...) {...}
      fusion.yield %b : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    %a = fusion.group "a" kinds ["conditional"] ins(%c, %x : ...) outs(%d : ...) {
    ^bb0(%p: tensor<i1>, %x0: tensor<4xf32>, %d0: tensor<4xf32>):
      %0 = fusion.if %p : tensor<i1> -> tensor<4xf32> {
        %1 = fusion.group "a" kinds [] ins(%x0 : ...) outs(%d0 : ...) {...}
        fusion.yield %1 : tensor<4xf32>
      } else {
        fusion.yield %d0 : tensor<4xf32>
      }
      fusion.yield %0 : tensor<4xf32>
    }
    %r = fusion.group "b" kinds ["conditional"] ins(%c, %y : ...) outs(%a : ...) {
      ... the other way round ...
    }
    ```
  }];
  let dependentDialects = ["FusionDialect", "tensor::TensorDialect"];
}

def PlacePredicates : Pass<"fusion-place-predicates", "func::FuncOp"> {
  let summary = "Decide where predicates are computed";
  let description = [{
    A group that makes nothing but single values, and decides with one of them which
    code of other groups runs, which tensors these read, or which values they select, is
    marked with
    `fusion.each_block` where it is estimated to take less time in each block of the
    launches that read it than as a launch of its own, on the cost model of `target`.
    Who else reads the values reads an equal group, which is not marked. The groups
    are in the form that `fusion-flatten-conditionals` leaves;
    `fusion-inline-predicates` moves the marked ones.

    Refused, with a remark: predicates that large data, a matrix product or a kernel
    with other results makes; those that both sides of a branch make; groups with
    `fusion.no_fuse`; and on a CPU, where nothing is saved, all.

    Example: the mean of 512 numbers decides.
    ```mlir
    %p = fusion.group "mean > 0" kinds ["vertical"] ins(%x : tensor<512xf32>)
         outs(%e : tensor<i1>) {...}
    // becomes
    %p = fusion.group "mean > 0" kinds ["vertical"] ins(%x : tensor<512xf32>)
         outs(%e : tensor<i1>) attributes {fusion.each_block} {...}
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
  let dependentDialects = ["FusionDialect"];
}

def ExplainEdges : Pass<"fusion-explain-edges", "func::FuncOp"> {
  let summary = "Record why launches hand tensors over where no pass was asked";
  let description = [{
    The passes that plan record why ops are apart that they were asked about. This one,
    the last of the plan, looks at each tensor that one launch makes and another reads,
    and records a reason where there is none: predicates, choices, joined tensors and
    what crosses the border of a branch lie in memory; a reshape between two ops, which
    the loops of both cannot follow; copies. They are in the attribute
    `fusion.not_fused` of the function, and each such pair gives a missed remark of
    category `fusion`. Results that became one value meanwhile are copied first. What fusion was to be asked about stays without a reason: that is
    a fault, which `fusion-fuzz --reasons` finds.

    Example: `%r` is returned twice.
    ```mlir
    %r = fusion.group "abs" kinds [] ins(%x : ...) outs(%d : ...) {...}
    %s = fusion.group "copy" kinds [] ins(%r : ...) outs(%e : ...) {...}
    return %r, %s : ...
    ```
    The function gets
    ```mlir
    fusion.not_fused = [ {producer = "abs", consumer = "copy", reason = "..."} ]
    ```
  }];
  let dependentDialects = ["FusionDialect"];
}

def InlinePredicates : Pass<"fusion-inline-predicates", "func::FuncOp"> {
  let summary = "Move marked predicates into the launches that read them";
  let description = [{
    Each group that reads what groups marked with `fusion.each_block` make becomes a
    composite with these as parts before its own, which read their results: each
    block of the launch computes them for itself. Equal parts are there once. The
    marked groups are erased.

    Example:
    ```mlir
    %p = fusion.group "p" kinds [] ins(%x : ...) outs(%e : tensor<i1>)
         attributes {fusion.each_block} {...}
    %r = fusion.group "a" kinds ["conditional"] ins(%p, %x : ...) outs(%d : ...) {
    ^bb0(%p0: tensor<i1>, %x0: tensor<4xf32>, %d0: tensor<4xf32>):
      %0 = fusion.if %p0 : tensor<i1> -> tensor<4xf32> {...}
      fusion.yield %0 : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    %r:2 = fusion.group "a" kinds ["conditional"] ins(%x : ...) outs(%d, %e : ...) {
    ^bb0(%x0: tensor<4xf32>, %d0: tensor<4xf32>, %e0: tensor<i1>):
      %p0 = fusion.group "p" kinds [] ins(%x0 : ...) outs(%e0 : tensor<i1>) {...}
      %0 = fusion.if %p0 : tensor<i1> -> tensor<4xf32> {...}
      fusion.yield %0, %p0 : tensor<4xf32>, tensor<i1>
    }
    ```
  }];
  let dependentDialects = ["FusionDialect"];
}

def PackLaunches : Pass<"fusion-pack-launches", "func::FuncOp"> {
  let summary = "Put independent groups into one launch";
  let description = [{
    Merges groups that do not need one another into one composite group, which
    becomes one launch with several bodies: groups that read a common value, other
    independent ones that could run at the same time, and the groups of both sides
    of a condition. No merge makes a cycle, and parameters stay within the
    device's limit. A merge must pay on the cost model of `target`: launches saved
    and waves filled against memory-bound bodies that share a multiprocessor with
    matrix products. Sizes that are asked of another launch's results are found
    without it first, and values that are returned twice are copied. Last, launches
    that need as many others before them as one another, and were not tried with any
    of these, are tried with the nearest.

    Groups with the attribute `fusion.no_fuse` keep their own launch, and those with
    `fusion.each_block` have none: the others are merged as if these were not there.
    Each other group gives remarks of category `fusion`: missed ones with the reason why
    it shares no launch with others that it was tried with, the most promising first, and
    a passed one if it shares one.

    Example: products of unequal widths that share an operand.
    ```mlir
    %p = fusion.group "p" kinds [] ins(%x, %a : tensor<64x96xf16>,
         tensor<96x128xf16>) outs(%d : tensor<64x128xf32>) {...}
    %q = fusion.group "q" kinds [] ins(%x, %b : tensor<64x96xf16>,
         tensor<96x32xf16>) outs(%e : tensor<64x32xf32>) {...}
    ```
    become
    ```mlir
    %r:2 = fusion.group "p | q" kinds ["horizontal"]
           ins(%x, %a, %b : ...) outs(%d, %e : ...) {
    ^bb0(%x0: tensor<64x96xf16>, ...):
      %p = fusion.group "p" kinds [] ins(%x0, %a0 : ...) outs(%d0 : ...) {...}
      %q = fusion.group "q" kinds [] ins(%x0, %b0 : ...) outs(%e0 : ...) {...}
      fusion.yield %p, %q : tensor<64x128xf32>, tensor<64x32xf32>
    } : tensor<64x128xf32>, tensor<64x32xf32>
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
    Where one of them needs the rounded value (a product's kernel, a cast), the
    rounding stays, without its mark: no kernel leaves it out. Not to be run under `--numerics=strict`.

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
