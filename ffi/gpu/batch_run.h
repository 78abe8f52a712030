// Takes the rows of one call through the decoders of a GPU and the host.
#ifndef JAXDALI_GPU_BATCH_RUN_H_
#define JAXDALI_GPU_BATCH_RUN_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "common/decode_attributes.h"
#include "common/encoded_operands.h"
#include "cpu/affinity.h"
#include "cpu/row_checks.h"
#include "gpu/decode_settings.h"
#include "gpu/decode_stream.h"

namespace jaxdali::gpu {

// What is wrong with what operands say of the whole call.
class InvalidOperands : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The files of a call, and its rows, on whichever side; where statuses go.
struct FileOperands {
  cpu::EncodedBytes encoded;
  const int32_t* rows;
  int64_t count;
  int32_t* statuses;
};

inline FileOperands FileOperandsOf(Bytes bytes, Rows rows, Statuses status) {
  return {{bytes.typed_data(), bytes.dimensions()[1]}, rows.typed_data(), rows.dimensions()[0], status->typed_data()};
}

// Stored pixels of a row in the memory of a decode stream, dense.
struct Arrival {
  int64_t index;
  const Row* row;
  const uint8_t* pixels;
};

// Pixels of 8 bits that a device makes of files. kOther: the host makes everything.
enum class StoredPixels : uint8_t { kRgb, kLuma, kOther };

// What becomes of the pixels of a call. Functions for different rows are called at the same time.
class Sink {
 public:
  virtual ~Sink() = default;

  // Queues on XLA's stream what must be done or read before anything else; `decode_stream` is kept until the end of the
  // call.
  virtual void Prepare(DecodeStream& decode_stream, cudaStream_t stream) = 0;
  // The same where nothing is waited for: `Examine` then says what it can without reading operands, and `Finish` writes
  // the statuses of images that fail for what they say: to both, of which the second may be null.
  virtual void PrepareAhead(int32_t* statuses, int32_t* late, cudaStream_t stream) = 0;
  // What `Prepare` queued is done. Throws InvalidOperands.
  virtual void HavePrepared() {}
  // What images are made of.
  virtual StoredPixels Takes() const { return StoredPixels::kRgb; }
  // Whether operands on the device say what must hold.
  virtual bool ReadsOperands() const = 0;
  // What must hold of a row, or else its image is not decoded.
  virtual cpu::RowResult Examine(int64_t index, const Row& row) const = 0;

  // Where stored pixels go at once; no pixels where they have to pass through the memory of a decode stream.
  virtual Spot Place(int64_t index, const Row& row) const = 0;
  // Queues what is done with those that are there.
  virtual void Finish(const std::vector<Arrival>& arrivals, cudaStream_t stream) const = 0;

  // The bytes of what the host makes of a row, if it is the host that decodes it.
  virtual size_t StagedBytes(const Row& row) const = 0;
  virtual cpu::RowResult MakeOnHost(int64_t index, const Row& row, uint8_t* staged) const noexcept = 0;
  virtual void Upload(int64_t index, const Row& row, const uint8_t* staged, cudaStream_t stream) const = 0;

  // Queues zeros in the place of a row that failed.
  virtual void Clear(int64_t index, cudaStream_t stream) const = 0;
};

// What XLA says of a call, and what its attributes say.
struct CallContext {
  const char* target;
  cudaStream_t stream;
  int32_t device;
  bool raise_on_error;
  int32_t threads;
  Decoder decoder;
  bool fancy_upsampling;
  cpu::Affinity affinity;

  DecodeSettings Settings(const Sink& sink) const {
    return {decoder, fancy_upsampling, sink.Takes() == StoredPixels::kLuma};
  }
};

// Runs a call, and returns when the device is done with it: neither files nor rows are read after that. Operands are
// checked.
ffi::Error RunBatch(const CallContext& context, const FileOperands& files, Sink& sink) noexcept;

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_BATCH_RUN_H_
