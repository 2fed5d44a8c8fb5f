/* Runs a kernel on the CPU, one POSIX thread for each GPU thread. What the
 * kernel asks of the GPU (ids, barriers, shuffles) are the functions below;
 * emulate.py renames the intrinsics. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 1024
#define LANES 32

/* Dynamic shared memory of the running block. */
char smem[232448] __attribute__((aligned(1024)));

static _Thread_local int32_t thread;
static _Thread_local const int64_t *block;
static int32_t threads;
static int64_t grid[3];
static pthread_barrier_t all, warps[MAX_THREADS / LANES];
static int32_t exchange[MAX_THREADS];

int32_t emu_tid_x(void) { return thread; }
int32_t emu_ctaid_x(void) { return block[0]; }
int32_t emu_ctaid_y(void) { return block[1]; }
int32_t emu_ctaid_z(void) { return block[2]; }
int32_t emu_nctaid_x(void) { return grid[0]; }
int32_t emu_nctaid_y(void) { return grid[1]; }
int32_t emu_nctaid_z(void) { return grid[2]; }
float emu_exp2(float x) { return exp2f(x); }
float emu_exp2_normal(float x) { return exp2f(x); }
float emu_reciprocal(float x) { return 1.0f / x; }
float emu_divide(float x, float y) { return x / y; }

void emu_barrier(int32_t id) { pthread_barrier_wait(&all); }
void emu_warp_barrier(int32_t mask) {
  pthread_barrier_wait(&warps[thread / LANES]);
}

int32_t emu_shuffle_i32(int32_t mask, int32_t value, int32_t lanes,
                        int32_t clamp) {
  exchange[thread] = value;
  pthread_barrier_wait(&warps[thread / LANES]);
  int32_t result = exchange[thread ^ lanes];
  pthread_barrier_wait(&warps[thread / LANES]);
  return result;
}

float emu_shuffle_f32(int32_t mask, float value, int32_t lanes, int32_t clamp) {
  int32_t bits;
  memcpy(&bits, &value, 4);
  bits = emu_shuffle_i32(mask, bits, lanes, clamp);
  memcpy(&value, &bits, 4);
  return value;
}

typedef void (*Kernel)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                       int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

static Kernel kernel;
static int64_t args[12];

static void *run_thread(void *number) {
  thread = (int32_t)(intptr_t)number;
  for (int64_t z = 0; z < grid[2]; ++z) {
    for (int64_t y = 0; y < grid[1]; ++y) {
      for (int64_t x = 0; x < grid[0]; ++x) {
        int64_t here[3] = {x, y, z};
        block = here;
        pthread_barrier_wait(&all);
        if (thread == 0) {
          memset(smem, 0xFF, sizeof smem);
        }
        pthread_barrier_wait(&all);
        kernel(args[0], args[1], args[2], args[3], args[4], args[5], args[6],
               args[7], args[8], args[9], args[10], args[11]);
      }
    }
  }
  return NULL;
}

/* All parameters are integers or pointers of 64 bits. */
void launch(Kernel function, const int64_t *grid_size, int32_t block_size,
            const int64_t *values, int32_t count) {
  pthread_t handles[MAX_THREADS];
  pthread_attr_t small;
  kernel = function;
  threads = block_size;
  memcpy(grid, grid_size, sizeof grid);
  memcpy(args, values, count * sizeof *values);
  pthread_barrier_init(&all, NULL, threads);
  for (int32_t warp = 0; warp < threads / LANES; ++warp) {
    pthread_barrier_init(&warps[warp], NULL, LANES);
  }
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 18);
  for (intptr_t i = 0; i < threads; ++i) {
    pthread_create(&handles[i], &small, run_thread, (void *)i);
  }
  for (int32_t i = 0; i < threads; ++i) {
    pthread_join(handles[i], NULL);
  }
}
