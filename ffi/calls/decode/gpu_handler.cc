#include "calls/decode/gpu_handler.h"

#include <cuda_runtime_api.h>

#include "calls/decode/operands.h"
#include "calls/decode/orient.h"
#include "decoding/decode_row.h"
#include "gpu_decoding/memory.h"
#include "handling/gpu_batch_run.h"

namespace jaxdali::gpu {
namespace {

using cpu::Canvas;
using cpu::EncodedBytes;
using cpu::RowResult;

// Puts images into the top left corners of canvases.
class Canvases : public PixelReceiver {
 public:
  Canvases(const EncodedBytes& encoded, const Canvas& first, int64_t count)
      : encoded_(encoded), first_(first), count_(count) {}

  void Prepare(DecodeStream&, cudaStream_t stream) override { PrepareAhead(nullptr, nullptr, stream); }

  void PrepareAhead(int32_t*, int32_t*, cudaStream_t stream) override {
    Check(cudaMemsetAsync(first_.pixels, 0, static_cast<size_t>(first_.Bytes() * count_), stream), "cudaMemsetAsync");
  }

  bool ReadsOperands() const override { return false; }

  RowResult Examine(int64_t, const Row& row) const override { return CheckRow(row, encoded_, first_); }

  Spot Place(int64_t index, const Row& row) const override {
    if (row.orientation != 1) return {nullptr, 0};
    return {CanvasOf(index), static_cast<size_t>(first_.Stride())};
  }

  void Finish(const std::vector<Arrival>& arrivals, cudaStream_t stream) const override {
    for (const Arrival& arrival : arrivals) {
      const Row& row = *arrival.row;
      Check(CopyOriented(arrival.pixels, row.height, row.width, row.orientation, CanvasOf(arrival.index),
                         first_.Stride(), stream),
            "turning an image");
    }
  }

  size_t StagedBytes(const Row& row) const override { return static_cast<size_t>(row.height * row.width * kChannels); }

  RowResult MakeOnHost(int64_t, const Row& row, uint8_t* staged) const noexcept override {
    int32_t fields[kRowFields];
    StoreRow(row, fields);
    return cpu::DecodeRow(fields, encoded_, {staged, cpu::ShownHeight(row), cpu::ShownWidth(row)});
  }

  void Upload(int64_t index, const Row& row, const uint8_t* staged, cudaStream_t stream) const override {
    const size_t width = static_cast<size_t>(cpu::ShownWidth(row) * kChannels);
    Check(cudaMemcpy2DAsync(CanvasOf(index), first_.Stride(), staged, width, width, cpu::ShownHeight(row),
                            cudaMemcpyHostToDevice, stream),
          "cudaMemcpy2DAsync");
  }

  void Clear(int64_t index, cudaStream_t stream) const override {
    Check(cudaMemsetAsync(CanvasOf(index), 0, first_.Bytes(), stream), "cudaMemsetAsync");
  }

 private:
  uint8_t* CanvasOf(int64_t index) const { return first_.pixels + first_.Bytes() * index; }

  EncodedBytes encoded_;
  Canvas first_;
  int64_t count_;
};

ffi::Error Decode(cudaStream_t stream, int32_t device, DecodeAttributes attributes, Bytes bytes, Rows rows,
                  Pixels pixels, Statuses status) noexcept {
  if (ffi::Error error = CheckDecodeOperands(attributes, bytes, rows, pixels, status); error.failure()) return error;
  const Canvas first = {pixels->typed_data(), pixels->dimensions()[1], pixels->dimensions()[2]};
  Canvases canvases({bytes.typed_data(), bytes.dimensions()[1]}, first, rows.dimensions()[0]);
  const CallContext context = ContextOf(kDecodeTarget, stream, device, attributes);
  return RunBatch(context, FileOperandsOf(bytes, rows, status), canvases);
}

}  // namespace

// No traits; in particular, the call is not command-buffer compatible: what it reads changes from call to call.
XLA_FFI_DEFINE_HANDLER_SYMBOL(DecodeHandler, Decode,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<cudaStream_t>>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Attrs<DecodeAttributes>()
                                  .Arg<Bytes>()                      // bytes uint8[1, capacity], on the host
                                  .Arg<Rows>()                       // rows int32[N, 8], on host or device
                                  .Ret<ffi::BufferR4<ffi::U8>>()     // pixels uint8[N, H, W, 3]
                                  .Ret<ffi::BufferR1<ffi::S32>>());  // status int32[N]

}  // namespace jaxdali::gpu
