//===- Runtime.h - the C contract of compiled programs ----------*- C -*-===//
//
// What a compiled program offers (FusionProgram), what it calls
// (fusionRt*), and what an application uses (fusion*). No MLIR in it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_C_RUNTIME_H
#define FUSION_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

/// What libFusionRuntime.so exports.
#if defined(__GNUC__)
#define FUSION_API __attribute__((visibility("default")))
#else
#define FUSION_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the structs and calls below; a program of another version
/// is refused.
#define FUSION_ABI_VERSION 1

/// Element types; the numbers are part of the contract.
typedef enum FusionDType {
  FUSION_F32 = 1,
  FUSION_F16 = 2,
  FUSION_BF16 = 3,
  FUSION_F64 = 4,
  FUSION_I1 = 5, /* one byte, 0 or 1 */
  FUSION_I8 = 6,
  FUSION_I16 = 7,
  FUSION_I32 = 8,
  FUSION_I64 = 9,
  FUSION_U8 = 10,
  FUSION_U16 = 11,
  FUSION_U32 = 12,
  FUSION_U64 = 13
} FusionDType;

typedef enum FusionDevice { FUSION_CPU = 0, FUSION_CUDA = 1 } FusionDevice;

/// 0 is success; the message of a failure is in fusionLastError(context).
typedef int32_t FusionStatus;

/// Bytes of one element, or 0 where `dtype` is not a FusionDType.
FUSION_API int64_t fusionDTypeSize(int32_t dtype);
/// "f32", "bf16", "u8"..., or "unknown" where `dtype` is not a FusionDType.
FUSION_API const char *fusionDTypeName(int32_t dtype);

/// One argument of a program: dense, row-major. A dim of -1 is dynamic.
typedef struct FusionArgument {
  const char *name;
  int32_t dtype; /* FusionDType */
  int32_t rank;
  const int64_t *dims;          /* rank entries */
  const char *const *dim_names; /* rank entries, "" where unnamed */
  int32_t role;                 /* FusionRole */
  int32_t donated;              /* 1: `run` may overwrite it */
  const void *data;             /* bytes of a constant, else null */
} FusionArgument;

typedef enum FusionRole {
  FUSION_INPUT = 0,
  FUSION_WEIGHT = 1,
  FUSION_CONSTANT = 2, /* embedded in the program */
  FUSION_RESULT = 3
} FusionRole;

/// A kernel of the program's one GPU image.
typedef struct FusionKernel {
  const char *name;
  int32_t block_size;   /* threads, x only */
  int32_t shared_bytes; /* dynamic shared memory */
} FusionKernel;

typedef struct FusionContext FusionContext;

/// A compiled program, the symbol `fusion_program` of a package.
/// `args` below are pointers in the order of `arguments` (inputs, weights,
/// constants, results as they come there); `dims` are all dims of all
/// arguments that are not results, flattened in that order, static ones too.
typedef struct FusionProgram {
  uint32_t abi_version; /* FUSION_ABI_VERSION */
  int32_t device;       /* FusionDevice */
  const char *version;  /* of the compiler */
  const char *target;   /* sm_90a, ..., cpu */
  int32_t
      least_driver; /* CUDA driver version needed, e.g. 12040; 0 on the CPU */
  int32_t num_arguments;
  const FusionArgument *arguments;
  int32_t num_kernels;
  const FusionKernel *kernels;
  const void *image; /* PTX text (NUL-terminated) or cubin; null on the CPU */
  int64_t image_size;
  /// Bytes of workspace that `run` needs for these dims.
  int64_t (*workspace_size)(const int64_t *dims);
  /// Writes the dims of all results, flattened. Non-zero: dims do not fit.
  int32_t (*result_dims)(const int64_t *dims, int64_t *result);
  /// Enqueues the program on `stream` (CPU: runs it). Never synchronizes.
  int32_t (*run)(FusionContext *context, void *const *args, const int64_t *dims,
                 void *workspace, void *stream);
} FusionProgram;

//===----------------------------------------------------------------------===//
// What an application calls
//===----------------------------------------------------------------------===//

typedef struct FusionModel FusionModel;

/// A dense array on the host or on the model's device.
typedef struct FusionArray {
  void *data;
  int32_t dtype; /* FusionDType */
  int32_t rank;
  const int64_t *dims;
} FusionArray;

// A call that is given a null context or model fails and leaves the message of
// the failure that made it null in fusionLastError(NULL).

/// Opens a device. `ordinal` counts GPUs; the CPU takes 0. Null on failure,
/// with the reason in fusionLastError(NULL) (of the calling thread). A GPU is
/// used through its primary context; the driver is opened at run time from
/// $FUSION_CUDA_DRIVER, by default libcuda.so.1.
FUSION_API FusionContext *fusionContextCreate(FusionDevice device,
                                              int32_t ordinal);
/// Before the first GPU is opened: `lookup` gives the entry points of the CUDA
/// driver by their names (null: it has none of that name), and no library is
/// opened.
FUSION_API void fusionUseCudaDriver(void *(*lookup)(const char *symbol));
FUSION_API void fusionContextDestroy(FusionContext *context);
/// The last failure on `context`, or of this thread where it is null; "" where
/// there is none. The text lives until this thread's next call of this
/// function.
FUSION_API const char *fusionLastError(FusionContext *context);

/// Loads a package (a shared library that `fusion-compile -o` wrote).
FUSION_API FusionModel *fusionModelLoad(FusionContext *context,
                                        const char *path);
/// Wraps a program that is already in the process.
FUSION_API FusionModel *fusionModelCreate(FusionContext *context,
                                          const FusionProgram *program);
FUSION_API void fusionModelDestroy(FusionModel *model);
FUSION_API const FusionProgram *fusionModelProgram(const FusionModel *model);

/// Hands over the weights (host arrays, in the order in which the program
/// lists them): copies them and the constants to the device, once. All later
/// runs use them. Not needed for a program without weights.
FUSION_API FusionStatus fusionModelPrepare(FusionModel *model,
                                           const FusionArray *weights,
                                           int32_t count);

/// Runs on device arrays: inputs and results in the program's order, results
/// allocated by the caller (fusionModelResultDims). `workspace` has the size
/// of fusionModelWorkspaceSize and is aligned to 256 bytes (null where that is
/// 0); arrays are aligned to 16 bytes; results overlap nothing else. `stream`
/// is a CUstream of the device's primary context. Never synchronizes, never
/// allocates (but for the first runs of a program with parameter tables, see
/// docs/Runtime.md); may be called from several threads, with a workspace each.
FUSION_API FusionStatus fusionModelRun(FusionModel *model,
                                       const FusionArray *inputs,
                                       int32_t num_inputs,
                                       const FusionArray *results,
                                       int32_t num_results, void *workspace,
                                       void *stream);
/// Writes the dims of result `index` for these inputs (rank entries).
FUSION_API FusionStatus fusionModelResultDims(FusionModel *model,
                                              const FusionArray *inputs,
                                              int32_t num_inputs, int32_t index,
                                              int64_t *dims);
FUSION_API FusionStatus fusionModelWorkspaceSize(FusionModel *model,
                                                 const FusionArray *inputs,
                                                 int32_t num_inputs,
                                                 int64_t *bytes);
/// The easy way: host arrays in and out (results already allocated), copies,
/// runs and waits.
FUSION_API FusionStatus fusionModelRunHost(FusionModel *model,
                                           const FusionArray *inputs,
                                           int32_t num_inputs,
                                           const FusionArray *results,
                                           int32_t num_results);

// Device memory and streams, for callers without a CUDA toolkit of their own.
// On the CPU these are aligned allocations and plain copies, a stream is null,
// and everything has happened when its call returns.

/// Allocates `bytes` on the device, aligned to 256; 0 bytes give a pointer too.
FUSION_API FusionStatus fusionAlloc(FusionContext *context, int64_t bytes,
                                    void **out);
FUSION_API void fusionFree(FusionContext *context, void *pointer);
/// Copies and waits until the copy is done. It does not wait for work on
/// streams: synchronize the stream that wrote the data first.
FUSION_API FusionStatus fusionCopyToDevice(FusionContext *context, void *dst,
                                           const void *src, int64_t bytes);
FUSION_API FusionStatus fusionCopyToHost(FusionContext *context, void *dst,
                                         const void *src, int64_t bytes);
/// Enqueues setting `bytes` bytes of device memory to `value` (0 to 255); over
/// a buffer larger than the L2 cache it flushes that cache.
FUSION_API FusionStatus fusionFill(FusionContext *context, void *dst,
                                   int32_t value, int64_t bytes, void *stream);
/// Enqueues a copy within the device.
FUSION_API FusionStatus fusionCopy(FusionContext *context, void *dst,
                                   const void *src, int64_t bytes,
                                   void *stream);
/// Creates a stream that does not synchronize with the null stream.
FUSION_API FusionStatus fusionStreamCreate(FusionContext *context,
                                           void **stream);
FUSION_API void fusionStreamDestroy(FusionContext *context, void *stream);
FUSION_API FusionStatus fusionStreamSynchronize(FusionContext *context,
                                                void *stream);

//===----------------------------------------------------------------------===//
// What tools call: device properties, timing, graphs
//===----------------------------------------------------------------------===//

/// What is known of a device; 0 where it does not apply or is not told.
typedef struct FusionDeviceInfo {
  char name[256];
  int32_t compute_major; /* compute capability */
  int32_t compute_minor;
  int32_t multiprocessors;   /* on the CPU the threads of a parallel loop */
  int32_t driver_version;    /* CUDA version that the driver offers, 12040 */
  int32_t clock_khz;         /* of the multiprocessors, at most */
  int32_t memory_clock_khz;  /* at most */
  int32_t memory_bus_bits;   /* width of the memory bus */
  int32_t threads_per_block; /* at most */
  int32_t threads_per_multiprocessor;
  int32_t registers_per_multiprocessor;
  int32_t shared_bytes_per_block; /* at most, opted in */
  int32_t shared_bytes_per_multiprocessor;
  int64_t l2_bytes;
  int64_t memory_bytes;
} FusionDeviceInfo;

FUSION_API FusionStatus fusionDeviceInfo(FusionContext *context,
                                         FusionDeviceInfo *info);

/// Events mark points of a stream. On the CPU they note the time of the call.
FUSION_API FusionStatus fusionEventCreate(FusionContext *context, void **event);
FUSION_API void fusionEventDestroy(FusionContext *context, void *event);
FUSION_API FusionStatus fusionEventRecord(FusionContext *context, void *event,
                                          void *stream);
/// Waits for `end` and writes the milliseconds from `start` to it.
FUSION_API FusionStatus fusionEventElapsedMs(FusionContext *context,
                                             void *start, void *end,
                                             float *milliseconds);

// Graphs record what is enqueued on a stream and launch it as one; CUDA only.

/// Begins to record `stream` (not the null stream), for this thread's calls.
FUSION_API FusionStatus fusionGraphBegin(FusionContext *context, void *stream);
/// Ends the record and makes a graph of it that can be launched.
FUSION_API FusionStatus fusionGraphEnd(FusionContext *context, void *stream,
                                       void **graph);
FUSION_API FusionStatus fusionGraphLaunch(FusionContext *context, void *graph,
                                          void *stream);
/// The number of kernels, copies and fills that the graph launches.
FUSION_API FusionStatus fusionGraphNodeCount(FusionContext *context,
                                             void *graph, int64_t *count);
FUSION_API void fusionGraphDestroy(FusionContext *context, void *graph);

//===----------------------------------------------------------------------===//
// What compiled host code calls
//===----------------------------------------------------------------------===//

// `context` is what `run` was given: it knows the running program's kernels and
// is not the context that the application opened.

/// Launches kernel number `kernel` of the running program. `params` points at
/// the values, one each, as cuLaunchKernel wants them. A grid with a zero in
/// it launches nothing and succeeds.
FUSION_API int32_t fusionRtLaunch(FusionContext *context, int32_t kernel,
                                  int64_t grid_x, int64_t grid_y,
                                  int64_t grid_z, void **params, void *stream);

/// Points `table` at device memory with the `count` entries, for a kernel that
/// is launched on `stream` next. `memory` is room for them in device memory,
/// aligned to 8 bytes, which need not be used: a table that is used again is
/// kept with the model, and so is one of a run that a graph records.
FUSION_API int32_t fusionRtParameterTable(FusionContext *context,
                                          const int64_t *entries, int64_t count,
                                          void *memory, void *stream,
                                          void **table);

/// Encodes a tiled tensor map into `out` (128 bytes, aligned to 64), cached by
/// its arguments. `dims` are innermost first; `strides` are in bytes, for dims
/// 1.. (rank - 1 entries), multiples of 16; `box` has rank entries of 1 to 256;
/// `swizzle` is 0, 32, 64 or 128 bytes. Out-of-bounds elements read as zero. An
/// empty tensor (a dim of 0) gets a map that must not be read through.
FUSION_API int32_t fusionRtTensorMap(FusionContext *context, void *out,
                                     void *base, int32_t dtype, int32_t rank,
                                     const int64_t *dims,
                                     const int64_t *strides, const int32_t *box,
                                     int32_t swizzle);

/// Calls body(env, begin, end) over disjoint pieces that cover [0, n), on all
/// cores; returns when all are done. The pieces depend on the number of threads
/// ($FUSION_NUM_THREADS, by default the cores that the process may use), the
/// results must not. Inside of `body` it calls the inner body in one piece.
FUSION_API int32_t fusionRtParallelFor(FusionContext *context, int64_t n,
                                       void (*body)(void *env, int64_t begin,
                                                    int64_t end),
                                       void *env);

/// The number of multiprocessors of the context's GPU (1 on the CPU).
FUSION_API int64_t fusionRtMultiprocessors(FusionContext *context);

#ifdef __cplusplus
}
#endif

#endif // FUSION_C_RUNTIME_H
