#include <algorithm>

#include "handling/statuses.h"

namespace jaxdali::gpu {
namespace {

constexpr size_t kSome = 1024;

struct Some {
  uint8_t at[kSome];
};

__global__ void Write(Some some, int32_t* target) { target[threadIdx.x] = some.at[threadIdx.x]; }

}  // namespace

cudaError_t WriteStatuses(const std::vector<uint8_t>& statuses, int32_t* target, cudaStream_t stream) {
  for (size_t first = 0; first < statuses.size(); first += kSome) {
    const size_t count = std::min(statuses.size() - first, kSome);
    Some some;
    std::copy_n(statuses.begin() + static_cast<std::ptrdiff_t>(first), count, some.at);
    Write<<<1, static_cast<unsigned>(count), 0, stream>>>(some, target + first);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace jaxdali::gpu
