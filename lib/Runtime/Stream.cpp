//===- Stream.cpp - streams, events and graphs ----------------------------===//

#include "Context.h"

using namespace mlir::fusion::runtime;

FusionStatus fusionStreamCreate(FusionContext *context, void **stream) {
  *stream = nullptr;
  return context ? context->report(context->device->createStream(stream))
                 : reportNull("context");
}

void fusionStreamDestroy(FusionContext *context, void *stream) {
  if (context) {
    context->device->destroyStream(stream);
  }
}

FusionStatus fusionStreamSynchronize(FusionContext *context, void *stream) {
  return context ? context->report(context->device->synchronize(stream))
                 : reportNull("context");
}

FusionStatus fusionEventCreate(FusionContext *context, void **event) {
  *event = nullptr;
  return context ? context->report(context->device->createEvent(event))
                 : reportNull("context");
}

void fusionEventDestroy(FusionContext *context, void *event) {
  if (context) {
    context->device->destroyEvent(event);
  }
}

FusionStatus fusionEventRecord(FusionContext *context, void *event,
                               void *stream) {
  if (!context || !event) {
    return reportNull(context ? "event" : "context");
  }
  return context->report(context->device->recordEvent(event, stream));
}

FusionStatus fusionEventElapsedMs(FusionContext *context, void *start,
                                  void *end, float *milliseconds) {
  if (!context || !start || !end) {
    return reportNull(context ? "event" : "context");
  }
  return context->report(context->device->getElapsed(start, end, milliseconds));
}

FusionStatus fusionGraphBegin(FusionContext *context, void *stream) {
  return context ? context->report(context->device->beginGraph(stream))
                 : reportNull("context");
}

FusionStatus fusionGraphEnd(FusionContext *context, void *stream,
                            void **graph) {
  *graph = nullptr;
  return context ? context->report(context->device->endGraph(stream, graph))
                 : reportNull("context");
}

FusionStatus fusionGraphLaunch(FusionContext *context, void *graph,
                               void *stream) {
  if (!context || !graph) {
    return reportNull(context ? "graph" : "context");
  }
  return context->report(context->device->launchGraph(graph, stream));
}

FusionStatus fusionGraphNodeCount(FusionContext *context, void *graph,
                                  int64_t *count) {
  if (!context || !graph) {
    return reportNull(context ? "graph" : "context");
  }
  return context->report(context->device->countGraphNodes(graph, count));
}

void fusionGraphDestroy(FusionContext *context, void *graph) {
  if (context) {
    context->device->destroyGraph(graph);
  }
}
