//===- Model.cpp - a program with its kernels and weights -----------------===//

#include "Model.h"

using namespace mlir::fusion::runtime;

//===----------------------------------------------------------------------===//
// Loading and preparing
//===----------------------------------------------------------------------===//

Outcome FusionModel::create(const FusionContext &parent,
                            const FusionProgram &program,
                            std::unique_ptr<Package> package,
                            std::unique_ptr<FusionModel> &model) {
  auto created = std::make_unique<FusionModel>();
  created->program = &program;
  created->package = std::move(package);
  created->context.device = parent.device;
  created->context.error = parent.error;
  Outcome outcome = checkProgram(program, *parent.device);
  if (!outcome.failed()) {
    outcome = Signature::create(program, created->signature);
  }
  if (!outcome.failed()) {
    outcome = parent.device->loadModule(program, created->module);
    created->context.module = created->module.get();
  }
  if (!outcome.failed()) {
    created->prepared = created->signature.getInitialBinding();
    created->pointers.resize(static_cast<size_t>(program.num_arguments));
    outcome = created->uploadConstants();
  }
  if (!outcome.failed()) {
    created->isPrepared =
        created->signature.getArguments(FUSION_WEIGHT).empty();
    model = std::move(created);
  }
  return outcome;
}

/// Places arrays after each other, aligned as device allocations are; writes
/// where each begins, and the total at the end.
static Outcome placeArrays(const std::vector<FusionArray> &arrays,
                           std::vector<int64_t> &begins) {
  constexpr int64_t alignment = 256;
  int64_t end = 0;
  for (const FusionArray &array : arrays) {
    begins.push_back(end);
    int64_t bytes = 0;
    Outcome outcome = checkData(array, bytes);
    if (outcome.failed()) {
      return outcome;
    }
    if (__builtin_add_overflow(end, bytes, &end) ||
        __builtin_add_overflow(end, alignment - 1, &end)) {
      return Outcome::failure("expected fewer than 2^63 bytes in all");
    }
    end -= end % alignment;
  }
  begins.push_back(end);
  return Outcome::success();
}

Outcome FusionModel::upload(FusionRole role,
                            const std::vector<FusionArray> &arrays,
                            Buffer &storage) {
  const std::vector<int32_t> &numbers = signature.getArguments(role);
  std::vector<int64_t> begins;
  Outcome outcome = placeArrays(arrays, begins);
  if (outcome.failed()) {
    // The array at fault is the last one that was placed.
    return std::move(outcome).within(
        signature.describe(numbers[begins.size() - 1]));
  }
  Buffer buffer;
  outcome = Buffer::create(*context.device, begins.back(), buffer);
  for (size_t i = 0; i < arrays.size() && !outcome.failed(); ++i) {
    int64_t bytes = 0;
    outcome = getByteSize(arrays[i], bytes);
    if (!outcome.failed()) {
      char *target = buffer.get() + begins[i];
      outcome = context.device->copyToDevice(target, arrays[i].data, bytes);
      pointers[numbers[i]] = target;
    }
  }
  storage = std::move(buffer);
  return outcome;
}

Outcome FusionModel::uploadConstants() {
  std::vector<FusionArray> arrays;
  for (int32_t number : signature.getArguments(FUSION_CONSTANT)) {
    const FusionArgument &argument = signature.getArgument(number);
    for (int32_t i = 0; i < argument.rank; ++i) {
      if (argument.dims[i] < 0) {
        return Outcome::failure("%s: expected static dims",
                                signature.describe(number).c_str());
      }
    }
    arrays.push_back({const_cast<void *>(argument.data), argument.dtype,
                      argument.rank, argument.dims});
  }
  return arrays.empty() ? Outcome::success()
                        : upload(FUSION_CONSTANT, arrays, constants);
}

Outcome FusionModel::prepare(const FusionArray *arrays, int32_t count) {
  Binding binding = signature.getInitialBinding();
  Outcome outcome = signature.bind(FUSION_WEIGHT, arrays, count, binding);
  if (outcome.failed() || count == 0) {
    return outcome;
  }
  if (isPrepared) {
    return Outcome::failure("expected the weights once, but this model has "
                            "them already");
  }
  outcome = upload(FUSION_WEIGHT, {arrays, arrays + count}, weights);
  if (!outcome.failed()) {
    prepared = std::move(binding);
    isPrepared = true;
  }
  return outcome;
}

//===----------------------------------------------------------------------===//
// The C interface
//===----------------------------------------------------------------------===//

FusionModel *fusionModelLoad(FusionContext *context, const char *path) {
  if (!context || !path) {
    reportNull(context ? "path" : "context");
    return nullptr;
  }
  std::unique_ptr<Package> package;
  std::unique_ptr<FusionModel> model;
  Outcome outcome = Package::load(path, package);
  if (!outcome.failed()) {
    const FusionProgram &program = package->getProgram();
    outcome = FusionModel::create(*context, program, std::move(package), model)
                  .within(format("cannot load the package '%s'", path));
  }
  context->report(outcome);
  return model.release();
}

FusionModel *fusionModelCreate(FusionContext *context,
                               const FusionProgram *program) {
  if (!context || !program) {
    reportNull(context ? "program" : "context");
    return nullptr;
  }
  std::unique_ptr<FusionModel> model;
  context->report(FusionModel::create(*context, *program, nullptr, model));
  return model.release();
}

void fusionModelDestroy(FusionModel *model) { delete model; }

const FusionProgram *fusionModelProgram(const FusionModel *model) {
  return model ? model->program : nullptr;
}

FusionStatus fusionModelPrepare(FusionModel *model, const FusionArray *weights,
                                int32_t count) {
  return model ? model->context.report(model->prepare(weights, count))
               : reportNull("model");
}

FusionStatus fusionModelRun(FusionModel *model, const FusionArray *inputs,
                            int32_t num_inputs, const FusionArray *results,
                            int32_t num_results, void *workspace,
                            void *stream) {
  return model
             ? model->context.report(model->run(inputs, num_inputs, results,
                                                num_results, workspace, stream))
             : reportNull("model");
}

FusionStatus fusionModelRunHost(FusionModel *model, const FusionArray *inputs,
                                int32_t num_inputs, const FusionArray *results,
                                int32_t num_results) {
  return model ? model->context.report(
                     model->runHost(inputs, num_inputs, results, num_results))
               : reportNull("model");
}

FusionStatus fusionModelResultDims(FusionModel *model,
                                   const FusionArray *inputs,
                                   int32_t num_inputs, int32_t index,
                                   int64_t *dims) {
  if (!model) {
    return reportNull("model");
  }
  const Signature &signature = model->signature;
  const std::vector<int32_t> &results = signature.getArguments(FUSION_RESULT);
  if (index < 0 || static_cast<size_t>(index) >= results.size()) {
    return model->context.report(
        Outcome::failure("expected the number of one of %zu results, but got "
                         "%d",
                         results.size(), index));
  }
  Binding binding;
  Outcome outcome = model->bind(inputs, num_inputs, binding);
  if (!outcome.failed()) {
    int32_t number = results[index];
    int64_t offset = signature.getDimsOffset(number);
    for (int32_t i = 0; i < signature.getArgument(number).rank; ++i) {
      dims[i] = binding.resultDims[offset + i];
    }
  }
  return model->context.report(outcome);
}

FusionStatus fusionModelWorkspaceSize(FusionModel *model,
                                      const FusionArray *inputs,
                                      int32_t num_inputs, int64_t *bytes) {
  if (!model) {
    return reportNull("model");
  }
  Binding binding;
  Outcome outcome = model->bind(inputs, num_inputs, binding);
  if (!outcome.failed()) {
    outcome = model->getWorkspaceSize(binding, *bytes);
  }
  return model->context.report(outcome);
}
