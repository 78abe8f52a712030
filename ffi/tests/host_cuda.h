// What stress_engine.cc and its CUDA know of each other.
#ifndef JAXDALI_TESTS_HOST_CUDA_H_
#define JAXDALI_TESTS_HOST_CUDA_H_

#include <atomic>

// All that works on streams and events, or allocates, fails.
inline std::atomic<bool> host_cuda_broken{false};

#endif  // JAXDALI_TESTS_HOST_CUDA_H_
