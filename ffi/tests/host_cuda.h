// What stress_engine.cc and its CUDA know of each other.
#ifndef JAXDALI_TESTS_HOST_CUDA_H_
#define JAXDALI_TESTS_HOST_CUDA_H_

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>

#include "tests/host_nvjpeg.h"

// All that works on streams and events, or allocates, fails; and nothing but the device can be waited for.
inline std::atomic<bool> host_cuda_broken{false};
// Becomes so when so many more events are recorded.
inline std::atomic<int> host_cuda_records_left{INT_MAX};
// What there is.
inline std::atomic<size_t> host_cuda_device_bytes{SIZE_MAX};
inline std::atomic<bool> host_cuda_has_pinned{true}, host_cuda_has_streams{true};
// What is in use on the device.
inline std::atomic<size_t> host_cuda_device_bytes_used{0};
// Whose work streams and the device wait for.
inline HostNvjpeg* host_cuda_nvjpeg = nullptr;

#endif  // JAXDALI_TESTS_HOST_CUDA_H_
