// A libnvjpeg for a machine without a GPU: an "image" is one byte computed from the file, in every place. It writes
// after the call is over, and if a call fails, wrong pixels even later. Its states report it if two use them at once,
// or if they are destroyed too early. For stress_engine.cc, which says how it is to behave.
#include "tests/host_nvjpeg.h"

#include <nvjpeg.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct State {
  int count = 0;
  std::atomic<int> in_use{0};
};

void Demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::atomic<long> calls{0};

// Runs one task after another.
class Device {
 public:
  Device() {
    std::thread([this] { Work(); }).detach();
  }
  void Do(std::function<void()> task) {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
    wake_.notify_one();
  }

 private:
  void Work() {
    for (std::unique_lock<std::mutex> lock(mutex_);;) {
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
};

bool TakeOne(std::atomic<long>& left) {
  for (long value = left; value > 0;) {
    if (left.compare_exchange_weak(value, value - 1)) return true;
  }
  return false;
}

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
nvjpegStatus_t nvjpegJpegStateDestroy(nvjpegJpegState_t handle) {
  const State* const state = reinterpret_cast<State*>(handle);
  Demand(state->in_use == 0, "a state of nvJPEG is destroyed while the device is at it");
  delete state;
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
  Demand(state.in_use++ == 0, "a state of nvJPEG is used by two at once");
  const long period = host_nvjpeg.failure_period;
  const bool lacks = TakeOne(host_nvjpeg.failures) || ++calls % (period == 0 ? 1L << 62 : period) == 0;
  const bool refuses = !lacks && TakeOne(host_nvjpeg.refusals);
  const bool fails = lacks || refuses;
  const auto count = static_cast<size_t>(state.count);
  const std::vector<const unsigned char*> kept_files(files, files + count);
  const std::vector<size_t> kept_sizes(sizes, sizes + count);
  const std::vector<nvjpegImage_t> kept_images(images, images + count);
  const auto write = [=, &state] {
    usleep(fails ? 5000 : 500);
    for (size_t index = 0; index < count; ++index) {
      const nvjpegImage_t& image = kept_images[index];
      const uint8_t pixel = PixelOf(kept_files[index], kept_sizes[index]);
      std::memset(image.channel[0], fails ? ~pixel : pixel, image.pitch[0] * kHostHeight);
    }
    --state.in_use;
  };
  if (fails) {
    ++host_nvjpeg.astray;
    std::thread([write] {
      write();
      --host_nvjpeg.astray;
    }).detach();
  } else {
    ++host_nvjpeg.begun;
    static Device* const device = new Device;
    device->Do([write] {
      write();
      ++host_nvjpeg.done;
    });
  }
  return lacks ? NVJPEG_STATUS_ALLOCATOR_FAILURE : refuses ? NVJPEG_STATUS_BAD_JPEG : NVJPEG_STATUS_SUCCESS;
}

}  // extern "C"
