//===- Compiler.h - the compiler, from C ------------------------*- C -*-===//
//
// Compiles a model in memory to a package (see Runtime.h) or to what any stage
// before it gives, and reports what was fused. Link libFusionCompiler.so.
//
// Every function may be called from any thread, also at the same time; one
// FusionCompiled is for one thread at a time. Nothing a caller or a model says
// ends the process: failures are a status and diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_C_COMPILER_H
#define FUSION_C_COMPILER_H

#include "fusion-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FusionCompileStatus {
  FUSION_COMPILE_OK = 0,
  /// An option is not one of those that there are.
  FUSION_COMPILE_INVALID_OPTION = 1,
  /// The model cannot be read or imported.
  FUSION_COMPILE_INVALID_MODEL = 2,
  /// The model is valid, but something in it cannot be compiled, or a tool or
  /// the temporary folder is missing.
  FUSION_COMPILE_FAILED = 3
} FusionCompileStatus;

typedef enum FusionSeverity {
  FUSION_NOTE = 0, /* belongs to the diagnostic before it */
  FUSION_REMARK = 1,
  FUSION_WARNING = 2,
  FUSION_ERROR = 3
} FusionSeverity;

/// What the compiler has to say. The strings live as long as the call.
typedef struct FusionDiagnostic {
  FusionSeverity severity;
  const char *location; /* "model.mlir:3:7", "node 'conv1'", or "" */
  const char *message;
} FusionDiagnostic;

/// Is called by one thread at a time, which may be one of the compiler's.
typedef void (*FusionDiagnosticHandler)(const FusionDiagnostic *diagnostic,
                                        void *user_data);

/// A size for a dynamic dim of that name.
typedef struct FusionNamedDim {
  const char *name;
  int64_t size;
} FusionNamedDim;

/// What to compile to. Zero means the default for every field but struct_size.
typedef struct FusionCompileOptions {
  size_t struct_size; /* sizeof(FusionCompileOptions) */
  /// Stands for the model's path in diagnostics and reports; external data is
  /// looked for beside it. Default: "model".
  const char *name;
  const char *target;   /* sm_90a, sm_80, ..., cpu (the default) */
  const char *emit;     /* graph, ..., ptx, object, package (the default) */
  const char *fuse;     /* all (default), none, vertical,horizontal,... */
  const char *numerics; /* default, strict, fast */
  /// Globs over the names of inputs that are weights; "!GLOB" excludes.
  const char *const *weights;
  size_t num_weights;
  const FusionNamedDim *dims;
  size_t num_dims;
  FusionDiagnosticHandler handler;
  void *user_data;
  /// Not 0: a remark for each pair of operations that may share a kernel.
  int32_t remarks;
  /// Not 0: uses no thread but the caller's.
  int32_t single_threaded;
} FusionCompileOptions;

/// What a compilation gave.
typedef struct FusionCompiled FusionCompiled;

/// The version of the compiler, e.g. "0.1.0".
FUSION_API const char *fusionCompilerVersion(void);

/// Compiles the `size` bytes of `model`: ONNX, or MLIR as text or bytecode.
/// `options` may be null. Sets `*result` to null unless it returns
/// FUSION_COMPILE_OK; the caller destroys it.
FUSION_API FusionCompileStatus
fusionCompile(const void *model, size_t size,
              const FusionCompileOptions *options, FusionCompiled **result);
FUSION_API void fusionCompiledDestroy(FusionCompiled *compiled);

/// The bytes of the package, object or text; they live as long as `compiled`.
FUSION_API const void *fusionCompiledData(const FusionCompiled *compiled,
                                          size_t *size);
/// Writes these bytes to a file. Returns 0, or an errno.
FUSION_API int32_t fusionCompiledWrite(const FusionCompiled *compiled,
                                       const char *path);
/// A C header that names the positions of inputs, weights and results; "" for
/// stages before tiles.
FUSION_API const char *fusionCompiledHeader(const FusionCompiled *compiled);
/// What was fused, and why the rest was not: as JSON, or as a page for a
/// browser. Empty groups for stages before groups.
FUSION_API const char *fusionCompiledReport(FusionCompiled *compiled);
FUSION_API const char *fusionCompiledReportPage(FusionCompiled *compiled);
/// Why the operations that these names mean are or are not in one kernel; null
/// where a name means none or several, and the reason in `*error` if that is
/// not null. The strings live until the next call.
FUSION_API const char *fusionCompiledExplain(FusionCompiled *compiled,
                                             const char *producer,
                                             const char *consumer,
                                             const char **error);

#ifdef __cplusplus
}
#endif

#endif /* FUSION_C_COMPILER_H */
