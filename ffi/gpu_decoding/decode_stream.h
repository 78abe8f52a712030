// A CUDA stream of our own with everything that decoding on it needs, kept between calls.
#ifndef JAXDALI_GPU_DECODING_DECODE_STREAM_H_
#define JAXDALI_GPU_DECODING_DECODE_STREAM_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu_decoding/batch_decoder.h"
#include "gpu_decoding/decode_settings.h"
#include "gpu_decoding/memory.h"
#include "gpu_decoding/parallel_decoder.h"

namespace jaxdali::gpu {

// Limit on the pinned memory for images that the host makes together; a larger image is made alone.
inline constexpr size_t kRoundBytes = size_t{64} << 20;

// To be used by one thread at a time, with its device current.
class DecodeStream {
 public:
  // `flights` is how many groups of images may be on the device at once.
  explicit DecodeStream(const DecodeSettings& settings, Pipelining pipelining = Pipelining::kLibrary,
                        size_t flights = 2);
  ~DecodeStream();
  DecodeStream(const DecodeStream&) = delete;
  DecodeStream& operator=(const DecodeStream&) = delete;

  const DecodeSettings& settings() const { return settings_; }
  cudaStream_t stream() const { return stream_; }
  // Waits for everything that was queued on the stream.
  void Synchronize() { Check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }
  // Decodes on the stream with a BatchDecoder or ParallelDecoder, which it makes when first needed; see their Decode.
  std::vector<size_t> Decode(const std::vector<Picture>& pictures);
  // Returns device memory for pixels in transit that no unfinished work uses. If there is no more room, waits for the
  // stream and reuses what it returned earlier, so the work on that must have been queued.
  uint8_t* Pixels(size_t size);
  // Declares all of that memory free; no queued work may use it.
  void Restart() { used_ = 0; }

  PinnedArena rows;      // copies of rows that are on the device
  PinnedArena operands;  // copies of other operands of the call
  PinnedArena staging;   // results that the host made
  PinnedArena statuses;  // an int32 per row

 private:
  std::vector<size_t> DecodeByNvjpeg(const std::vector<Picture>& pictures);

  const DecodeSettings settings_;
  Pipelining pipelining_;
  size_t flights_;
  cudaStream_t stream_ = nullptr;
  std::optional<BatchDecoder> nvjpeg_;
  std::optional<ParallelDecoder> own_;
  DeviceArena pixels_;
  size_t used_ = 0;
  bool cramped_ = false;  // `pixels_` got no extra room, only what was requested
};

// Lends a decode stream for a device and settings that nothing else uses meanwhile. Waits if too many are on loan.
class DecodeStreamLoan {
 public:
  DecodeStreamLoan(int device, const DecodeSettings& settings);
  // Waits until nothing is running on the stream, whatever happened.
  ~DecodeStreamLoan();
  DecodeStreamLoan(const DecodeStreamLoan&) = delete;
  DecodeStreamLoan& operator=(const DecodeStreamLoan&) = delete;
  DecodeStream* operator->() const { return decode_stream_.get(); }
  DecodeStream& operator*() const { return *decode_stream_; }

 private:
  void Return();

  int device_;
  DecodeSettings settings_;
  std::unique_ptr<DecodeStream> decode_stream_;
};

// Destroys the decode streams that are not in use. Returns how many there were.
size_t DestroyIdleDecodeStreams();

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_DECODE_STREAM_H_
