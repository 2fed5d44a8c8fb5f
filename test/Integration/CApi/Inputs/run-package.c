/* Loads a package with input x[batch, 2], weight w[2] and result y[batch, 2].
 */
#include "fusion-c/Runtime.h"
#include <stdio.h>

int main(int argc, char **argv) {
  float x[3][2] = {{1, 2}, {3, 4}, {5, 6}}, w[2] = {10, 20}, y[3][2] = {0};
  int64_t rows[] = {3, 2}, columns[] = {2};
  FusionArray input = {x, FUSION_F32, 2, rows},
              result = {y, FUSION_F32, 2, rows};
  FusionArray weight = {w, FUSION_F32, 1, columns};
  FusionContext *context = fusionContextCreate(FUSION_CPU, 0);
  FusionModel *model = fusionModelLoad(context, argc > 1 ? argv[1] : "");
  int failed = fusionModelPrepare(model, &weight, 1) ||
               fusionModelRunHost(model, &input, 1, &result, 1);
  printf("%s%g %g\n", failed ? fusionLastError(0) : "", y[0][0], y[2][1]);
  fusionModelDestroy(model);
  fusionContextDestroy(context);
  return failed;
}
