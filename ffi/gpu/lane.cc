#include "gpu/lane.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace jaxdali::gpu {
namespace {

using Key = std::pair<int, DecodeSettings>;

// More calls at a time on one device wait for each other: its engine is one, and a lane holds much memory.
constexpr int kMostLanes = 2;

constexpr size_t kPixelBytes = size_t{512} << 20;

struct Lanes {
  std::vector<std::unique_ptr<Lane>> idle;
  int lent = 0;
};

std::mutex mutex;
std::condition_variable returned;
std::map<Key, Lanes>& All() {
  // Never destroyed: at the end of the process CUDA may be gone before it.
  static auto* const all = new std::map<Key, Lanes>();
  return *all;
}

}  // namespace

Lane::Lane(const DecodeSettings& settings, Pipelining pipelining, size_t flights)
    : settings_(settings), pipelining_(pipelining), flights_(flights) {
  int lowest = 0, highest = 0;
  Check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
  // Before the kernels of a training step: they are long, ours are short.
  Check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, highest), "cudaStreamCreateWithPriority");
}

Lane::~Lane() { cudaStreamDestroy(stream_); }

std::vector<size_t> Lane::Decode(const std::vector<Picture>& pictures) {
  if (settings_.decoder != Decoder::kCuda) return DecodeByNvjpeg(pictures);
  if (!own_) own_.emplace(settings_);
  try {
    return own_->Decode(pictures, stream_);
  } catch (...) {
    // What was queued is over, and the memory that it had goes.
    AwaitDevice();
    own_.reset();
    throw;
  }
}

std::vector<size_t> Lane::DecodeByNvjpeg(const std::vector<Picture>& pictures) {
  for (bool is_new = !nvjpeg_;; is_new = true) {
    if (!nvjpeg_) nvjpeg_.emplace(settings_.decoder, settings_.fancy_upsampling, pipelining_, flights_);
    try {
      return nvjpeg_->Decode(pictures, stream_);
    } catch (const OutOfDeviceMemory&) {
      // Nobody says that a decoder is of use after that, and it holds memory.
      AwaitDevice();
      nvjpeg_.reset();
      // One that is used to fewer images may find no memory for more of them where a new one does: nvJPEG's decoder for
      // the JPEG engine has failed so without asking CUDA for any.
      if (is_new) throw;
    }
  }
}

uint8_t* Lane::Pixels(size_t size) {
  // nvJPEG writes from streams of its own, which do not wait for ours: what a kernel still reads is not given again.
  if (used_ + size > pixels_.capacity()) {
    Synchronize();
    used_ = 0;
    // Room for some more of the kind, so that it is seldom waited for; if there was none, with what there is.
    if (!cramped_ || size > pixels_.capacity()) {
      try {
        pixels_.Reserve(std::max(size, std::min(4 * size, kPixelBytes)));
        cramped_ = false;
      } catch (const OutOfDeviceMemory&) {
        pixels_.ReserveExactly(size);
        cramped_ = true;
      }
    }
  }
  uint8_t* const pixels = pixels_.Reserve(0) + used_;
  used_ += size;
  return pixels;
}

LaneLoan::LaneLoan(int device, const DecodeSettings& settings) : device_(device), settings_(settings) {
  {
    std::unique_lock<std::mutex> lock(mutex);
    Lanes& lanes = All()[{device, settings}];
    returned.wait(lock, [&lanes] { return lanes.lent < kMostLanes; });
    ++lanes.lent;
    if (!lanes.idle.empty()) {
      lane_ = std::move(lanes.idle.back());
      lanes.idle.pop_back();
      return;
    }
  }
  try {
    lane_ = std::make_unique<Lane>(settings);
  } catch (...) {
    Return();
    throw;
  }
}

LaneLoan::~LaneLoan() {
  if (cudaStreamSynchronize(lane_->stream()) != cudaSuccess) AwaitDevice();
  Return();
}

void LaneLoan::Return() {
  std::lock_guard<std::mutex> lock(mutex);
  Lanes& lanes = All()[{device_, settings_}];
  --lanes.lent;
  if (lane_ != nullptr) lanes.idle.push_back(std::move(lane_));
  returned.notify_all();
}

size_t DestroyIdleLanes() {
  std::lock_guard<std::mutex> lock(mutex);
  size_t count = 0;
  for (auto& [key, lanes] : All()) {
    if (lanes.idle.empty()) continue;
    OnDevice current(key.first);
    count += lanes.idle.size();
    lanes.idle.clear();
  }
  return count;
}

}  // namespace jaxdali::gpu
