//===- Model.h - a program with its kernels and weights ---------*- C++ -*-===//

#ifndef FUSION_LIB_RUNTIME_MODEL_H
#define FUSION_LIB_RUNTIME_MODEL_H

#include "Context.h"
#include "Module.h"
#include "Package.h"
#include "Signature.h"

#include <memory>
#include <vector>

/// A program on a device. After prepare() nothing in it changes, so runs may be
/// concurrent.
struct FusionModel {
  using Outcome = mlir::fusion::runtime::Outcome;
  using Binding = mlir::fusion::runtime::Binding;
  using Buffer = mlir::fusion::runtime::Buffer;

  /// Makes a model in `parent`; `package`, where given, keeps `program` alive.
  static Outcome create(const FusionContext &parent,
                        const FusionProgram &program,
                        std::unique_ptr<mlir::fusion::runtime::Package> package,
                        std::unique_ptr<FusionModel> &model);

  Outcome prepare(const FusionArray *weights, int32_t count);
  /// Checks the inputs and infers the dims of everything.
  Outcome bind(const FusionArray *inputs, int32_t count,
               Binding &binding) const;
  Outcome getWorkspaceSize(const Binding &binding, int64_t &bytes) const;
  Outcome run(const FusionArray *inputs, int32_t numInputs,
              const FusionArray *results, int32_t numResults, void *workspace,
              void *stream);
  Outcome runHost(const FusionArray *inputs, int32_t numInputs,
                  const FusionArray *results, int32_t numResults);

  /// What `program->run` is given.
  FusionContext context;
  const FusionProgram *program = nullptr;
  mlir::fusion::runtime::Signature signature;

private:
  /// Copies arrays of a role to one allocation of the device.
  Outcome upload(FusionRole role, const std::vector<FusionArray> &arrays,
                 Buffer &storage);
  Outcome uploadConstants();

  std::unique_ptr<mlir::fusion::runtime::Package> package;
  std::unique_ptr<mlir::fusion::runtime::Module> module;
  Buffer constants;
  Buffer weights;
  bool isPrepared = false;
  /// What every run begins with: the dims and the pointers of the weights and
  /// constants.
  Binding prepared;
  std::vector<void *> pointers;
};

#endif // FUSION_LIB_RUNTIME_MODEL_H
