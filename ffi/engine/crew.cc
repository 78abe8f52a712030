#include "engine/crew.h"

#include "engine/hardware_queues.h"

namespace jaxdali::gpu {

Crew::Crew(DecodeSettings settings)
    : settings(settings), pipelining(hardware_queues >= kManyQueues ? Pipelining::kLibrary : Pipelining::kNone) {
  switch (settings.decoder) {
    case Decoder::kGpu:
      // Its kernels take as long for few images as for thousands, and leave much of the device free for other kernels.
      threads = 1, group = 2048, flights = 4, patient = true;
      break;
    case Decoder::kCuda:
      // Two of them keep a device busy with baseline files. Walks through progressive files take long and leave most of
      // the device free, so that others decode meanwhile, if they do not share the queues of the streams.
      threads = hardware_queues >= kManyQueues ? 6 : 2, group = 256, flights = 2, patient = false;
      most_at_work = 2;
      group_bytes = most_group_bytes;
      break;
    case Decoder::kHybrid:
      threads = 2, group = 128, flights = 2, patient = false;
      break;
    case Decoder::kHardware:
      // Every nvJPEG state creates streams, and there are too few queues for them.
      threads = 1, group = 256, flights = 1, patient = false;
      break;
    case Decoder::kCpu:
      threads = 1, group = kMostForHost, flights = 1, patient = false;
      break;
  }
  if (most_at_work == 0) most_at_work = threads;
}

}  // namespace jaxdali::gpu
