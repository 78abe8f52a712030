#include <cstdint>

#include "calls/draws/kernels.h"

namespace jaxdali::gpu {
namespace {

constexpr unsigned kThreads = 128;

unsigned BlocksOf(int64_t items) { return static_cast<unsigned>((items + kThreads - 1) / kThreads); }

__global__ void __launch_bounds__(kThreads) WordsKernel(const ThreefryCall call) {
  const int64_t item = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (item >= call.samples * call.draws) return;
  const int64_t sample = item / call.draws;
  call.Draw(call.OfSample(sample), sample, item - sample * call.draws);
}

__global__ void __launch_bounds__(kThreads) WindowsKernel(const WindowCall call) {
  const int64_t sample = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (sample < call.samples) call.Draw(sample);
}

}  // namespace

cudaError_t QueueWords(const ThreefryCall& call, cudaStream_t stream) {
  const int64_t items = call.samples * call.draws;
  if (items > 0) WordsKernel<<<BlocksOf(items), kThreads, 0, stream>>>(call);
  return cudaGetLastError();
}

cudaError_t QueueWindows(const WindowCall& call, cudaStream_t stream) {
  if (call.samples > 0) WindowsKernel<<<BlocksOf(call.samples), kThreads, 0, stream>>>(call);
  return cudaGetLastError();
}

}  // namespace jaxdali::gpu
