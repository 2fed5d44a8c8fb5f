// RUN: fusion-opt %s -fusion-set-limits=limits=shared=16384,grid=7 | FileCheck %s --check-prefix=SET
// RUN: fusion-opt %s -fusion-set-limits=limits=registers=40,parameters=64,threads=128 | FileCheck %s --check-prefix=REST
// RUN: fusion-opt %s -fusion-set-limits | FileCheck %s --check-prefix=KEPT

// Those that are asked for replace those of the module.
// SET:  module attributes {fusion.limits = {grid = 7 : i64, shared = 16384 : i64}} {
// REST: module attributes {fusion.limits = {parameters = 64 : i64, registers = 40 : i64, threads = 128 : i64}} {
// KEPT: module attributes {fusion.limits = {grid = 3 : i64}} {
module attributes {fusion.limits = {grid = 3}} {
}
