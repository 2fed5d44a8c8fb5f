// RUN: fusion-opt %s -fusion-host-to-llvm -split-input-file | FileCheck %s

// The contract of a program on the CPU.
// CHECK-LABEL: llvm.func internal @main(
// CHECK:         %[[STATUS:.*]] = llvm.call @group(
// CHECK:         %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK:         llvm.cond_br %[[OK]], ^[[REST:.*]], ^[[EXIT:.*]](%[[STATUS]] : i32)
// CHECK:       ^[[REST]]:
// CHECK:         llvm.return %{{.*}} : i32
// CHECK:       ^[[EXIT]](%[[FIRST:.*]]: i32):
// CHECK:         llvm.return %[[FIRST]] : i32
func.func @main(%x: memref<?x4xf32> {fusion.name = "x", fusion.dims = ["rows", ""]},
                %w: memref<4xf32> {fusion.name = "w", fusion.weight},
                %k: memref<2xi1> {fusion.constant = dense<[true, false]> : tensor<2xi1>},
                %y: memref<?x4xf32> {fusion.name = "y", fusion.result}) {
  func.call @group(%x, %y) : (memref<?x4xf32>, memref<?x4xf32>) -> ()
  return
}
func.func private @main_result_dims(%rows: index, %four: index, %n: index, %m: index) -> (index, index) {
  return %rows, %four : index, index
}

// A parallel call: captures in a struct, the range of iterations in a function.
// CHECK-LABEL: llvm.func internal @group(
// CHECK-SAME:      %[[CONTEXT:[^:]*]]: !llvm.ptr, %{{.*}}: !llvm.ptr,
// CHECK:         %[[ENV:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>)>
// CHECK:         llvm.store %{{.*}}, %[[ENV]]
// CHECK:         %[[RANGE:.*]] = llvm.mlir.addressof @body_range
// CHECK:         llvm.call @fusionRtParallelFor(%[[CONTEXT]], %{{.*}}, %[[RANGE]], %[[ENV]])
func.func private @group(%x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  func.call @body(%c0, %n, %y) {fusion.parallel} : (index, index, memref<?x4xf32>) -> ()
  return
}
// CHECK-LABEL: llvm.func internal @body(
// CHECK-LABEL: llvm.func internal @body_range(
// CHECK-SAME:      %[[ENV:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK:         llvm.load %[[ENV]]
// CHECK:         llvm.call @body(%[[BEGIN]], %[[END]],
func.func private @body(%begin: index, %end: index, %y: memref<?x4xf32>) {
  return
}

// CHECK-LABEL: llvm.func @fusion_workspace_size(%{{.*}}: !llvm.ptr) -> i64
// CHECK-LABEL: llvm.func @fusion_run(
// CHECK-SAME:      !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK:         llvm.call @main_result_dims(
// CHECK:         llvm.call @main(
// CHECK-LABEL: llvm.func @fusion_result_dims(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32

// CHECK:       @fusion_argument_0_dim_0_name("rows\00")
// CHECK:       @fusion_argument_0_name("x\00")
// CHECK:       llvm.mlir.global internal constant @fusion_argument_0_dims() {{.*}} : !llvm.array<2 x i64> {
// CHECK:         llvm.mlir.constant(-1 : i64)
// CHECK:       @fusion_argument_2_data("\01\00")
// CHECK:       llvm.mlir.global internal constant @fusion_arguments() {{.*}} : !llvm.array<4 x struct<(ptr, i32, i32, ptr, ptr, i32, i32, ptr)>>
// CHECK:       @fusion_target("cpu\00")
// CHECK:       llvm.mlir.global external constant @fusion_program()

// -----

// A GPU program: parameters are pointers, dynamic dims, tensor maps, scalars.
// CHECK-NOT:   gpu.module
module attributes {fusion.image = "// ptx"} {
  gpu.module @kernels {
    llvm.func @other() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64>} {
      llvm.return
    }
    llvm.func @copy(%x: !llvm.ptr<1>, %n: i64) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>, fusion.shared_bytes = 4096 : i32} {
      llvm.return
    }
  }
  func.func @main(%x: memref<?x8xf16> {fusion.name = "x"}, %y: memref<?x8xf16> {fusion.name = "y", fusion.result}) {
    func.call @group(%x, %y) : (memref<?x8xf16>, memref<?x8xf16>) -> ()
    return
  }
  func.func private @main_result_dims(%n: index, %m: index) -> (index, index) {
    return %n, %m : index, index
  }
  // CHECK-LABEL: llvm.func internal @group(
  // CHECK-SAME:      %[[CONTEXT:[^:]*]]: !llvm.ptr, %[[STREAM:[^:]*]]: !llvm.ptr,
  // CHECK:         %[[MAPPED:.*]] = llvm.call @fusionRtTensorMap(%[[CONTEXT]], %[[MAP:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK:         llvm.icmp "eq" %[[MAPPED]]
  // CHECK:         llvm.cond_br
  // CHECK:         llvm.store %[[MAP]], %{{.*}} : !llvm.ptr, !llvm.ptr
  // CHECK:         %[[LAUNCHED:.*]] = llvm.call @fusionRtLaunch(%[[CONTEXT]], %[[NUMBER:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[STREAM]])
  // CHECK:         llvm.icmp "eq" %[[LAUNCHED]]
  func.func private @group(%x: memref<?x8xf16>, %y: memref<?x8xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %x, %c0 : memref<?x8xf16>
    %map = tile.tensor_map %x : memref<?x8xf16> -> !tile.tensor_map<16x8xf16, swizzle = 0>
    tile.launch @kernels::@copy grid(%n, %c1, %c1) args(%map, %y, %n : !tile.tensor_map<16x8xf16, swizzle = 0>, memref<?x8xf16>, index)
    return
  }
}
// CHECK:       @fusion_kernel_0_name("other\00")
// CHECK:       @fusion_kernel_1_name("copy\00")
// CHECK:       @fusion_image("// ptx\00")
