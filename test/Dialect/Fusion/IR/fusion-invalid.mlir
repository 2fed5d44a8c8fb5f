// The dialect's attributes on arguments and results.
// RUN: fusion-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected 'fusion.name' to be a string}}
func.func private @name(tensor<4xf32> {fusion.name})

// -----

// expected-error @below {{expected 'fusion.weight' to be a unit attribute}}
func.func private @weight(tensor<4xf32> {fusion.weight = 1})

// -----

// expected-error @below {{expected 'fusion.donated' to be a unit attribute}}
func.func private @donated(tensor<4xf32> {fusion.donated = "yes"})

// -----

// expected-error @below {{expected 'fusion.dims' to be an array of strings}}
func.func private @dims_kind(tensor<?xf32> {fusion.dims = [1]})

// -----

// expected-error @below {{expected 'fusion.dims' to have 2 names, but got 1}}
func.func private @dims_count(tensor<?x4xf32> {fusion.dims = ["batch"]})

// -----

// expected-error @below {{expected no name in 'fusion.dims' for static dim 1, but got "n"}}
func.func private @dims_static(tensor<?x4xf32> {fusion.dims = ["batch", "n"]})

// -----

// expected-error @below {{expected 'fusion.dims' on a ranked type, but got 'f32'}}
func.func private @dims_type(f32 {fusion.dims = []})

// -----

// expected-error @below {{expected 'fusion.dtype' to be a string}}
func.func private @result() -> (tensor<4xi8> {fusion.dtype = 8})
