#include "gpu_decoding/decode_stream.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace jaxdali::gpu {
namespace {

using Key = std::pair<int, DecodeSettings>;

// The most decode streams on loan per device and settings. Further calls wait: the device has only one engine, and a
// decode stream holds much memory.
constexpr int kMostDecodeStreams = 2;

constexpr size_t kPixelBytes = size_t{512} << 20;

struct DecodeStreams {
  std::vector<std::unique_ptr<DecodeStream>> idle;
  int lent = 0;
};

std::mutex mutex;
std::condition_variable returned;
std::map<Key, DecodeStreams>& All() {
  // Never destroyed: at the end of the process, CUDA may be gone first.
  static auto* const all = new std::map<Key, DecodeStreams>();
  return *all;
}

}  // namespace

DecodeStream::DecodeStream(const DecodeSettings& settings, Pipelining pipelining, size_t flights)
    : settings_(settings), pipelining_(pipelining), flights_(flights) {
  int lowest = 0, highest = 0;
  Check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
  // Our kernels take precedence over those of a training step: those are long, ours are short.
  Check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, highest), "cudaStreamCreateWithPriority");
}

DecodeStream::~DecodeStream() { cudaStreamDestroy(stream_); }

std::vector<size_t> DecodeStream::Decode(const std::vector<Picture>& pictures) {
  if (settings_.decoder != Decoder::kCuda) return DecodeByNvjpeg(pictures);
  if (!own_) own_.emplace(settings_);
  try {
    return own_->Decode(pictures, stream_);
  } catch (...) {
    // Waits for everything that was queued, before its memory is freed.
    AwaitDevice();
    own_.reset();
    throw;
  }
}

std::vector<size_t> DecodeStream::DecodeByNvjpeg(const std::vector<Picture>& pictures) {
  for (bool is_new = !nvjpeg_;; is_new = true) {
    if (!nvjpeg_) nvjpeg_.emplace(settings_.decoder, settings_.fancy_upsampling, pipelining_, flights_);
    try {
      return nvjpeg_->Decode(pictures, stream_);
    } catch (const OutOfDeviceMemory&) {
      // nvJPEG does not promise that a decoder still works after that, and it holds memory.
      AwaitDevice();
      nvjpeg_.reset();
      // Retries with a new decoder. One that has served fewer images may find no memory for more where a new one
      // succeeds: nvJPEG's decoder for the JPEG engine has failed like this without asking CUDA for memory.
      if (is_new) throw;
    }
  }
}

uint8_t* DecodeStream::Pixels(size_t size) {
  // nvJPEG writes from streams of its own, which do not wait for ours, so memory must not be reused while a kernel
  // still reads it.
  if (used_ + size > pixels_.capacity()) {
    Synchronize();
    used_ = 0;
    // Asks for extra room, so that waiting is rare; if there is none, makes do with what was requested.
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

DecodeStreamLoan::DecodeStreamLoan(int device, const DecodeSettings& settings) : device_(device), settings_(settings) {
  {
    std::unique_lock<std::mutex> lock(mutex);
    DecodeStreams& decode_streams = All()[{device, settings}];
    returned.wait(lock, [&decode_streams] { return decode_streams.lent < kMostDecodeStreams; });
    ++decode_streams.lent;
    if (!decode_streams.idle.empty()) {
      decode_stream_ = std::move(decode_streams.idle.back());
      decode_streams.idle.pop_back();
      return;
    }
  }
  try {
    decode_stream_ = std::make_unique<DecodeStream>(settings);
  } catch (...) {
    Return();
    throw;
  }
}

DecodeStreamLoan::~DecodeStreamLoan() {
  if (cudaStreamSynchronize(decode_stream_->stream()) != cudaSuccess) AwaitDevice();
  Return();
}

void DecodeStreamLoan::Return() {
  std::lock_guard<std::mutex> lock(mutex);
  DecodeStreams& decode_streams = All()[{device_, settings_}];
  --decode_streams.lent;
  if (decode_stream_ != nullptr) decode_streams.idle.push_back(std::move(decode_stream_));
  returned.notify_all();
}

size_t DestroyIdleDecodeStreams() {
  std::lock_guard<std::mutex> lock(mutex);
  size_t count = 0;
  for (auto& [key, decode_streams] : All()) {
    if (decode_streams.idle.empty()) continue;
    OnDevice current(key.first);
    count += decode_streams.idle.size();
    decode_streams.idle.clear();
  }
  return count;
}

}  // namespace jaxdali::gpu
