// An scf.index_switch of another compiler's Linalg on an element of a tensor.
//
// RUN: fusion-compile %s --target=sm_90a --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// RUN: fusion-compile %s --target=sm_80 --emit=gpu -o - | FileCheck %s --check-prefix=HOST
// HOST-LABEL:   func.func @main(
// HOST-NOT:     memref.load
// HOST-COUNT-1: tile.launch
// HOST-NOT:     {{tile.launch|memref.load}}
// HOST:         gpu.module
//
// RUN: fusion-run %s --device=cpu --verify --input k=randint:0:1 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input k=randint:0:1 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input k=randint:0:1 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input k=randint:1:2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input k=randint:1:2 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input k=randint:1:2 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input k=randint:-7:-6 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input k=randint:-7:-6 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input k=randint:-7:-6 | FileCheck %s
// RUN: fusion-run %s --device=cpu --verify --input k=randint:2:3 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_80 --verify --input k=randint:2:3 | FileCheck %s
// RUN: fusion-run %s --device=emulator --target=sm_90a --verify --input k=randint:2:3 | FileCheck %s
// CHECK: verify: all {{[1-9].*}} agree

func.func @main(%x: tensor<16x40xf32> {fusion.name="x"}, %k: tensor<3xi32> {fusion.name="k"}) -> (tensor<16x40xf32> {fusion.name="y"}) {
  %c1 = arith.constant 1 : index
  %e = tensor.extract %k[%c1] : tensor<3xi32>
  %i = arith.index_cast %e : i32 to index
  %d = tensor.empty() : tensor<16x40xf32>
  %y = scf.index_switch %i -> tensor<16x40xf32>
  case 0 {
    %0 = linalg.exp ins(%x : tensor<16x40xf32>) outs(%d : tensor<16x40xf32>) -> tensor<16x40xf32>
    scf.yield %0 : tensor<16x40xf32>
  }
  case 1 {
    %zero = arith.constant 0.0 : f32
    %f0 = tensor.empty() : tensor<40xf32>
    %f = linalg.fill ins(%zero : f32) outs(%f0 : tensor<40xf32>) -> tensor<40xf32>
    %s = linalg.reduce ins(%x : tensor<16x40xf32>) outs(%f : tensor<40xf32>) dimensions = [0] (%a: f32, %b: f32) {
      %q = arith.addf %a, %b : f32
      linalg.yield %q : f32
    }
    %t = linalg.broadcast ins(%s : tensor<40xf32>) outs(%d : tensor<16x40xf32>) dimensions = [0]
    scf.yield %t : tensor<16x40xf32>
  }
  case -7 {
    %0 = linalg.tanh ins(%x : tensor<16x40xf32>) outs(%d : tensor<16x40xf32>) -> tensor<16x40xf32>
    %1 = linalg.add ins(%0, %x : tensor<16x40xf32>, tensor<16x40xf32>) outs(%d : tensor<16x40xf32>) -> tensor<16x40xf32>
    scf.yield %1 : tensor<16x40xf32>
  }
  default {
    scf.yield %x : tensor<16x40xf32>
  }
  return %y : tensor<16x40xf32>
}
