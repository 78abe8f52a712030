// A libnvjpeg for a machine without a GPU: an "image" is one byte that follows from the file, in every place. Its
// states tell when they are used by two at once. For stress_engine.cc, which says how it is to behave.
#include "tests/host_nvjpeg.h"

#include <nvjpeg.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct State {
  int count = 0;
  std::atomic<bool> in_use{false};
};

std::atomic<long> calls{0};

}  // namespace

extern "C" {

HostNvjpeg host_nvjpeg;

nvjpegStatus_t nvjpegCreateEx(nvjpegBackend_t, nvjpegDevAllocator_t*, nvjpegPinnedAllocator_t*, unsigned,
                              nvjpegHandle_t* handle) {
  *handle = static_cast<nvjpegHandle_t>(std::malloc(1));
  return NVJPEG_STATUS_SUCCESS;
}
nvjpegStatus_t nvjpegDestroy(nvjpegHandle_t handle) {
  std::free(handle);
  return NVJPEG_STATUS_SUCCESS;
}
nvjpegStatus_t nvjpegJpegStateCreate(nvjpegHandle_t, nvjpegJpegState_t* state) {
  *state = reinterpret_cast<nvjpegJpegState_t>(new State);
  return NVJPEG_STATUS_SUCCESS;
}
nvjpegStatus_t nvjpegJpegStateDestroy(nvjpegJpegState_t state) {
  delete reinterpret_cast<State*>(state);
  return NVJPEG_STATUS_SUCCESS;
}
nvjpegStatus_t nvjpegJpegStreamCreate(nvjpegHandle_t, nvjpegJpegStream_t*) { return NVJPEG_STATUS_SUCCESS; }
nvjpegStatus_t nvjpegJpegStreamDestroy(nvjpegJpegStream_t) { return NVJPEG_STATUS_SUCCESS; }
nvjpegStatus_t nvjpegJpegStreamParse(nvjpegHandle_t, const unsigned char*, size_t, int, int, nvjpegJpegStream_t) {
  return NVJPEG_STATUS_SUCCESS;
}
nvjpegStatus_t nvjpegDecodeBatchedSupported(nvjpegHandle_t, nvjpegJpegStream_t, int*) { return NVJPEG_STATUS_SUCCESS; }
nvjpegStatus_t nvjpegDecodeBatchedInitialize(nvjpegHandle_t, nvjpegJpegState_t state, int count, int,
                                             nvjpegOutputFormat_t) {
  reinterpret_cast<State*>(state)->count = count;
  return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeBatched(nvjpegHandle_t, nvjpegJpegState_t handle, const unsigned char* const* files,
                                   const size_t* sizes, nvjpegImage_t* images, cudaStream_t) {
  State& state = *reinterpret_cast<State*>(handle);
  if (state.in_use.exchange(true)) {
    std::fprintf(stderr, "a state of nvJPEG is used by two at once\n");
    std::abort();
  }
  usleep(500);
  for (int index = 0; index < state.count; ++index) {
    std::memset(images[index].channel[0], PixelOf(files[index], sizes[index]), images[index].pitch[0] * kHostHeight);
  }
  const long period = host_nvjpeg.failure_period;
  const bool fails = ++calls % (period == 0 ? 1L << 62 : period) == 0;
  state.in_use = false;
  return fails ? NVJPEG_STATUS_ALLOCATOR_FAILURE : NVJPEG_STATUS_SUCCESS;
}

}  // extern "C"
