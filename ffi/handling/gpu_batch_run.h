// Runs the rows of one call through the decoders of a GPU and the host.
#ifndef JAXDALI_HANDLING_GPU_BATCH_RUN_H_
#define JAXDALI_HANDLING_GPU_BATCH_RUN_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/affinity.h"
#include "gpu_decoding/decode_settings.h"
#include "gpu_decoding/decode_stream.h"
#include "handling/encoded_operands.h"
#include "rows/decoder.h"
#include "rows/row_checks.h"

namespace jaxdali::gpu {

// An error in operands that concern the whole call.
class InvalidOperands : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A call's files, its rows (in host or device memory), and where its statuses go.
struct FileOperands {
  cpu::EncodedBytes encoded;
  const int32_t* rows;
  int64_t count;
  int32_t* statuses;
};

inline FileOperands FileOperandsOf(Bytes bytes, Rows rows, Statuses status) {
  return {{bytes.typed_data(), bytes.dimensions()[1]}, rows.typed_data(), rows.dimensions()[0], status->typed_data()};
}

// A row's stored pixels, dense, in the memory of a decode stream.
struct Arrival {
  int64_t index;
  const Row* row;
  const uint8_t* pixels;
};

// The 8-bit pixels that a device makes from files. kOther: the host makes everything.
enum class StoredPixels : uint8_t { kRgb, kLuma, kOther };

// What a call does with its decoded pixels. Functions for different rows are called concurrently.
class PixelReceiver {
 public:
  virtual ~PixelReceiver() = default;

  // Queues on XLA's stream what must be done or read first. `decode_stream` lives until the end of the call.
  virtual void Prepare(DecodeStream& decode_stream, cudaStream_t stream) = 0;
  // The same for a call that does not wait. `Examine` then checks only what it can without reading operands, and
  // `Finish` writes the statuses of images that fail because of operands to both arrays. The second array may be null.
  virtual void PrepareAhead(int32_t* statuses, int32_t* late, cudaStream_t stream) = 0;
  // Called when what `Prepare` queued is done. Throws InvalidOperands.
  virtual void HavePrepared() {}
  // Returns the form of pixels that the call's images are made from.
  virtual StoredPixels Takes() const { return StoredPixels::kRgb; }
  // Whether there are operands on the device that need checking.
  virtual bool ReadsOperands() const = 0;
  // Checks a row. If the check fails, the image is not decoded.
  virtual cpu::RowResult Examine(int64_t index, const Row& row) const = 0;

  // Returns where stored pixels go directly; null pixels if they have to pass through the memory of a decode stream.
  virtual Spot Place(int64_t index, const Row& row) const = 0;
  // Queues the work on the pixels that have arrived.
  virtual void Finish(const std::vector<Arrival>& arrivals, cudaStream_t stream) const = 0;

  // Returns how many bytes the host produces for a row that it decodes.
  virtual size_t StagedBytes(const Row& row) const = 0;
  virtual cpu::RowResult MakeOnHost(int64_t index, const Row& row, uint8_t* staged) const noexcept = 0;
  virtual void Upload(int64_t index, const Row& row, const uint8_t* staged, cudaStream_t stream) const = 0;

  // Queues zeros in place of a row that failed.
  virtual void Clear(int64_t index, cudaStream_t stream) const = 0;
};

// What XLA and the attributes say about a call.
struct CallContext {
  const char* target;
  cudaStream_t stream;
  int32_t device;
  bool raise_on_error;
  int32_t threads;
  Decoder decoder;
  bool fancy_upsampling;
  cpu::Affinity affinity;

  DecodeSettings Settings(const PixelReceiver& receiver) const {
    return {decoder, fancy_upsampling, receiver.Takes() == StoredPixels::kLuma};
  }
};

// Makes the context of a call whose attributes include those of decoding.
template <typename Attributes>
CallContext ContextOf(const char* target, cudaStream_t stream, int32_t device, const Attributes& attributes) {
  return {target,
          stream,
          device,
          attributes.raise_on_error,
          attributes.threads,
          static_cast<Decoder>(attributes.decoder),
          attributes.fancy_upsampling,
          {attributes.affinity.begin(), attributes.affinity.size()}};
}

// Runs a call, and returns when the device is done with it: neither files nor rows are read after that. The caller has
// checked the operands.
ffi::Error RunBatch(const CallContext& context, const FileOperands& files, PixelReceiver& receiver) noexcept;

}  // namespace jaxdali::gpu

#endif  // JAXDALI_HANDLING_GPU_BATCH_RUN_H_
