// nvJPEG on one device, with what it keeps from call to call.
#ifndef JAXDALI_GPU_BATCH_DECODER_H_
#define JAXDALI_GPU_BATCH_DECODER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "common/decode_attributes.h"
#include "gpu/memory.h"
#include "gpu/nvjpeg_library.h"

namespace jaxdali::gpu {

// One file for nvJPEG: where its bytes are on the host, and where its pixels go on the device, `pitch` bytes a row.
struct Picture {
  const uint8_t* bytes;
  size_t size;
  uint8_t* target;
  size_t pitch;
};

// Used by one call at a time; its device is current.
class BatchDecoder {
 public:
  BatchDecoder(Decoder decoder, bool fancy_upsampling);
  ~BatchDecoder();
  BatchDecoder(const BatchDecoder&) = delete;
  BatchDecoder& operator=(const BatchDecoder&) = delete;

  // Decodes on `stream` to interleaved RGB; returns when all is queued. The pictures that nvJPEG refused, by index.
  std::vector<size_t> Decode(const std::vector<Picture>& pictures, cudaStream_t stream);

  DeviceArena turned;    // pictures that are to be turned
  PinnedArena staging;   // pictures that the host decoded
  PinnedArena statuses;  // int32 a row
  PinnedArena rows;      // rows that were on the device

 private:
  nvjpegStatus_t DecodeSome(const Picture* pictures, size_t count, cudaStream_t stream);

  nvjpegHandle_t handle_ = nullptr;
  nvjpegJpegState_t state_ = nullptr;
  size_t prepared_ = 0;  // batch size that state_ is set up for
};

// Decoders that nobody uses at the moment, by device and settings.
class DecoderLoan {
 public:
  DecoderLoan(int device, Decoder decoder, bool fancy_upsampling);
  ~DecoderLoan();
  DecoderLoan(const DecoderLoan&) = delete;
  DecoderLoan& operator=(const DecoderLoan&) = delete;
  BatchDecoder* operator->() const { return decoder_.get(); }

 private:
  int device_;
  Decoder kind_;
  bool fancy_;
  std::unique_ptr<BatchDecoder> decoder_;
};

// Destroys the decoders that are not in use, and how many those were.
size_t DestroyIdleDecoders();

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_BATCH_DECODER_H_
