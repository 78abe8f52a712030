// How many queues the GPU has for the streams of this process.
#ifndef JAXDALI_ENGINE_HARDWARE_QUEUES_H_
#define JAXDALI_ENGINE_HARDWARE_QUEUES_H_

#include <atomic>

namespace jaxdali::gpu {

// CUDA distributes streams over CUDA_DEVICE_MAX_CONNECTIONS queues, 8 if that is not set, and reads the variable once.
// A stream waits for whatever is ahead of it in its queue. nvJPEG has 15 streams for its JPEG engines: with 8 queues
// some of them share the queue of XLA's compute stream, which a training step keeps full.
constexpr int kFewQueues = 8;
inline std::atomic<int> hardware_queues{kFewQueues};

// Enough for each stream of XLA's and of one decoder to have its own.
constexpr int kManyQueues = 32;

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_HARDWARE_QUEUES_H_
