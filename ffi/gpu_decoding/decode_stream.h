// A stream of our own with everything that decoding on it needs, kept between calls.
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

// Used by one thread at a time; its device is current.
class DecodeStream {
 public:
  // `flights`: groups of images that may be on the device at once.
  explicit DecodeStream(const DecodeSettings& settings, Pipelining pipelining = Pipelining::kLibrary,
                        size_t flights = 2);
  ~DecodeStream();
  DecodeStream(const DecodeStream&) = delete;
  DecodeStream& operator=(const DecodeStream&) = delete;

  const DecodeSettings& settings() const { return settings_; }
  cudaStream_t stream() const { return stream_; }
  // Waits for all that was queued on the stream.
  void Synchronize() { Check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }
  // As BatchDecoder or ParallelDecoder does, on the stream, with one that is made when first needed.
  std::vector<size_t> Decode(const std::vector<Picture>& pictures);
  // Device memory for pixels in transit that nothing else uses since the last `Restart`; exclusively the caller's from
  // now on.
  uint8_t* Pixels(size_t size);
  // Declares all of that memory free: nothing is queued.
  void Restart() { used_ = 0; }

  PinnedArena rows;      // rows that were on the device
  PinnedArena operands;  // other operands of the call
  PinnedArena staging;   // what the host made
  PinnedArena statuses;  // int32 a row

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
  bool cramped_ = false;  // `pixels_` has room for no more than what was asked for
};

// A decode stream that nobody else uses, by device and settings. Waits if too many are on loan.
class DecodeStreamLoan {
 public:
  DecodeStreamLoan(int device, const DecodeSettings& settings);
  // Whatever happened, nothing is left running on the stream.
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

// Destroys the decode streams that are not in use, and returns how many there were.
size_t DestroyIdleDecodeStreams();

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_DECODE_STREAM_H_
