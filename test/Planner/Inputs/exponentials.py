"""Prints a function of N exponentials that need nothing of each other: exponentials.py N."""

import sys

count = int(sys.argv[1])
names = range(count)
print("!t = tensor<8xf32>")
print(f"func.func @main({', '.join(f'%x{name}: !t' for name in names)})")
print(f"    -> ({', '.join(['!t'] * count)}) {{")
print("  %e = tensor.empty() : !t")
for name in names:
    print(f"  %{name} = linalg.exp ins(%x{name} : !t) outs(%e : !t) -> !t")
print(f"  return {', '.join(f'%{name}' for name in names)} : {', '.join(['!t'] * count)}")
print("}")
