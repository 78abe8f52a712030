// What stress_engine.cc and its CUDA share.
#ifndef JAXDALI_TESTS_HOST_CUDA_H_
#define JAXDALI_TESTS_HOST_CUDA_H_

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>

#include "tests/host_nvjpeg.h"

// While set, everything that works on streams and events, or allocates, fails; only the device can be waited for.
inline std::atomic<bool> host_cuda_broken{false};
// After so many more recorded events, `host_cuda_broken` is set.
inline std::atomic<int> host_cuda_records_left{INT_MAX};
// What the machine has.
inline std::atomic<size_t> host_cuda_device_bytes{SIZE_MAX};
inline std::atomic<bool> host_cuda_has_pinned{true}, host_cuda_has_streams{true};
// While held, walks through progressive files do not end; so many batches wait for theirs.
inline std::atomic<bool> host_walks_held{false};
inline std::atomic<int> host_walks_waiting{0};
// Copies that were made.
inline std::atomic<int> host_cuda_copies{0};
// Device memory that is in use.
inline std::atomic<size_t> host_cuda_device_bytes_used{0};
// The library whose work streams and the device wait for.
inline HostNvjpeg* host_cuda_nvjpeg = nullptr;

#endif  // JAXDALI_TESTS_HOST_CUDA_H_
