"""Prints one elementwise kernel for each element type, with the operations that
fusion-tiles-to-gpu may meet on it."""

LAYOUT = ("#tile.layout<reg = [[1], [2], [4], [8]], "
          "lane = [[16], [32], [64], [128], [256]], warp = [], repeat = [1]>")
FLOAT = ("addf subf mulf divf maximumf minimumf maxnumf minnumf negf").split()
INTEGER = ("addi subi muli divsi divui remsi remui maxsi minui shli shrsi xori "
           "floordivsi ceildivsi").split()
BIT = "andi ori xori".split()
FUNCTIONS = ("absf ceil floor roundeven sqrt rsqrt trunc exp exp2 expm1 log log2 log10 "
             "log1p tanh sinh cosh asinh acosh atanh erf erfc sin cos tan asin acos atan "
             "cbrt powf atan2 copysign").split()
BINARY_FUNCTIONS = ("powf", "atan2", "copysign")


def kernel(element):
    tile = f"tensor<512x{element}, #l>"
    memref = f"memref<?x{element}>"
    is_float = element.lstrip("b").startswith("f")
    operations = [f"arith.{name}" for name in
                  (FLOAT if is_float else BIT if element == "i1" else INTEGER)]
    if is_float and element != "f64":
        operations += ["arith.remf"] + [f"math.{name}" for name in FUNCTIONS]
    yield (f"gpu.func @k_{element}(%x: {memref}, %y: {memref}) "
           "kernel attributes {tile.warps = 1 : i32} {")
    yield "%c = arith.constant 512 : index"
    yield "%b = gpu.block_id x"
    yield "%o = arith.muli %b, %c : index"
    for value, source in (("v0", "x"), ("w", "y")):
        yield (f"%{value} = tile.load %{source}[%o] dims [0] in_bounds [false] "
               f": {memref} -> {tile}")
    for number, name in enumerate(operations):
        unary = name == "arith.negf" or (
            name.startswith("math.") and name[5:] not in BINARY_FUNCTIONS)
        operands = f"%v{number}" + ("" if unary else ", %w")
        yield f"%v{number + 1} = {name} {operands} : {tile}"
    yield (f"tile.store %v{len(operations)}, %y[%o] dims [0] in_bounds [false] "
           f": {tile}, {memref}")
    yield "gpu.return\n}"


print(f"#l = {LAYOUT}\ngpu.module @kernels {{")
for name in "i1 i8 i16 i32 i64 f16 bf16 f32 f64".split():
    print("\n".join(kernel(name)))
print("}")
