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
      threads = 2, group = 256, flights = 2, patient = false;
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
}

}  // namespace jaxdali::gpu
