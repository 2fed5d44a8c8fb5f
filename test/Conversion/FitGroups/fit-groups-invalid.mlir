// RUN: fusion-opt %s -fusion-fit-groups=target=cpu -split-input-file -verify-diagnostics

// expected-error @below {{expected a GPU as target, but got 'cpu'}}
module {
}
