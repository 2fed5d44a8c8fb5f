// Shuffles, votes, ldmatrix and stmatrix, mma.sync.
// RUN: fusion-emulate %s --kernel=shuffles --block=32 unwritten:32xi32 unwritten:32xi32 unwritten:32xi32 --print=0,1,2 --most=32 | FileCheck %s --check-prefix=SHUFFLES
// RUN: fusion-emulate %s --kernel=votes --block=32 unwritten:2xi32 --print=0 | FileCheck %s --check-prefix=VOTES
// RUN: not fusion-emulate %s --kernel=divergent --block=32 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// RUN: fusion-emulate %s --kernel=transpose --block=32 unwritten:64xi16 --print=0 --most=12 | FileCheck %s --check-prefix=TRANSPOSE
// RUN: fusion-emulate %s --kernel=multiply --block=32 unwritten:16x8xf32 --print=0 --most=10 | FileCheck %s --check-prefix=MULTIPLY

llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// SHUFFLES: argument 0: 5 4 7 6 1 0
// SHUFFLES-NEXT: argument 1: 0 0 1 2 3 4
// SHUFFLES-NEXT: argument 2: 3 3 3 3 7 7 7 7 11
llvm.func @shuffles(%xor: !llvm.ptr<1>, %up: !llvm.ptr<1>, %index: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %all = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %whole = arith.constant 31 : i32
  // Segments of four lanes: 0x1c00 | 31.
  %segments = arith.constant 7199 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %a = nvvm.shfl.sync bfly %all, %thread, %c5, %whole : i32 -> i32
  %b = nvvm.shfl.sync up %all, %thread, %c1, %zero : i32 -> i32
  %c = nvvm.shfl.sync idx %all, %thread, %c3, %segments : i32 -> i32
  %p = llvm.getelementptr %xor[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %q = llvm.getelementptr %up[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %r = llvm.getelementptr %index[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %a, %p : i32, !llvm.ptr<1>
  llvm.store %b, %q : i32, !llvm.ptr<1>
  llvm.store %c, %r : i32, !llvm.ptr<1>
  llvm.return
}

// VOTES: argument 0: 7 1
llvm.func @votes(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %all = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %low = arith.cmpi ult, %thread, %c3 : i32
  %ballot = nvvm.vote.sync ballot %all, %low -> i32
  %any = nvvm.vote.sync any %all, %low -> i1
  %word = arith.extui %any : i1 to i32
  %first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %first {
    %next = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %ballot, %out : i32, !llvm.ptr<1>
    llvm.store %word, %next : i32, !llvm.ptr<1>
  }
  llvm.return
}

// DIVERGENT: divergent warp-synchronous op: kernel 'divergent', 'nvvm.shfl.sync', block (0, 0, 0), thread 0: the mask names the lanes 0xFFFFFFFF, but the lanes 0x7 are here
llvm.func @divergent() attributes {nvvm.kernel} {
  %all = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %whole = arith.constant 31 : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %low = arith.cmpi ult, %thread, %c3 : i32
  scf.if %low {
    %a = nvvm.shfl.sync bfly %all, %thread, %c1, %whole : i32 -> i32
  }
  llvm.return
}

// Stored as it stands, loaded transposed.
// TRANSPOSE: argument 0: 0 8 16 24 32 40 48 56 1 9 17 25 ...
llvm.func @transpose(%out: !llvm.ptr<1>) attributes {nvvm.kernel, fusion.shared_bytes = 128 : i32} {
  %all = arith.constant -1 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c16 = arith.constant 16 : i32
  %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %even = arith.shli %thread, %c1 : i32
  %odd = arith.addi %even, %c1 : i32
  %high = arith.shli %odd, %c16 : i32
  %pair = arith.ori %even, %high : i32
  %row = arith.andi %thread, %c7 : i32
  %bytes = arith.muli %row, %c16 : i32
  %at = llvm.getelementptr %smem[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.stmatrix %at, %pair {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
  nvvm.bar.warp.sync %all : i32
  %turned = nvvm.ldmatrix %at {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  %to = llvm.getelementptr %out[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %turned, %to : i32, !llvm.ptr<1>
  llvm.return
}

// a(m, k) = m where k = 0, else 0; b(k, n) = n + 1 where k = 0: d = m (n + 1) + 1.
// MULTIPLY: argument 0: 1 1 1 1 1 1 1 1 2 3 ...
llvm.func @multiply(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %zero = arith.constant 0.0 : f16
  %one = arith.constant 1.0 : f32
  %lane = nvvm.read.ptx.sreg.tid.x : i32
  %group = arith.shrui %lane, %c2 : i32
  %pair = arith.andi %lane, %c3 : i32
  %isFirst = arith.cmpi eq, %pair, %c0 : i32
  %below = arith.addi %group, %c8 : i32
  %next = arith.addi %group, %c1 : i32
  %x = arith.sitofp %group : i32 to f16
  %y = arith.sitofp %below : i32 to f16
  %z = arith.sitofp %next : i32 to f16
  %x0 = arith.select %isFirst, %x, %zero : f16
  %y0 = arith.select %isFirst, %y, %zero : f16
  %z0 = arith.select %isFirst, %z, %zero : f16
  %a0 = vector.from_elements %x0, %zero : vector<2xf16>
  %a1 = vector.from_elements %y0, %zero : vector<2xf16>
  %b0 = vector.from_elements %z0, %zero : vector<2xf16>
  %none = vector.from_elements %zero, %zero : vector<2xf16>
  %d = nvvm.mma.sync A[%a0, %a1, %none, %none] B[%b0, %none] C[%one, %one, %one, %one] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
  %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32, f32, f32)>
  %row = arith.muli %group, %c8 : i32
  %column = arith.muli %pair, %c2 : i32
  %place = arith.addi %row, %column : i32
  %to = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %both = vector.from_elements %d0, %d1 : vector<2xf32>
  llvm.store %both, %to : vector<2xf32>, !llvm.ptr<1>
  llvm.return
}
