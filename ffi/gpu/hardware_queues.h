// How many queues the GPU has for the streams of this process.
#ifndef JAXDALI_GPU_HARDWARE_QUEUES_H_
#define JAXDALI_GPU_HARDWARE_QUEUES_H_

#include <atomic>

namespace jaxdali::gpu {

// CUDA deals streams out to as many as CUDA_DEVICE_MAX_CONNECTIONS says, 8 where nothing is said, and reads that once.
// A stream stands behind whatever is in its queue. nvJPEG has 15 for its JPEG engines: with 8 queues some of them share
// that of XLA's compute stream, which a training step keeps full.
inline std::atomic<int> hardware_queues{8};

// So many that each stream of XLA's and of one decoder has its own.
constexpr int kManyQueues = 32;

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_HARDWARE_QUEUES_H_
