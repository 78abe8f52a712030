#include "calls/decode_resample/gpu_handler.h"

#include <cuda_runtime_api.h>

#include "calls/decode_resample/kernels.h"
#include "calls/decode_resample/operands.h"
#include "calls/decode_resample/row.h"
#include "gpu_decoding/memory.h"
#include "handling/gpu_batch_run.h"
#include "rows/decoder.h"
#include "rows/orientation_walk.h"

namespace jaxdali::gpu {
namespace {

using cpu::EncodedBytes;
using cpu::RowResult;

// Resizes windows of images.
class Resampled : public PixelReceiver {
 public:
  Resampled(const EncodedBytes& encoded, const ResampleBatch& batch, int64_t count, size_t table_bytes)
      : encoded_(encoded), batch_(batch), count_(count), table_bytes_(table_bytes) {}

  // Copies the operands to the host, which checks the windows and needs all operands to make a row itself.
  void Prepare(DecodeStream& decode_stream, cudaStream_t stream) override {
    const size_t window_bytes = static_cast<size_t>(count_ * kWindowFields) * sizeof(int32_t);
    const size_t flip_bytes = static_cast<size_t>(count_);
    uint8_t* const memory = decode_stream.operands.Reserve(window_bytes + table_bytes_ + flip_bytes);
    windows_ = reinterpret_cast<const int32_t*>(memory);
    table_ = memory + window_bytes;
    flips_ = reinterpret_cast<const bool*>(table_ + table_bytes_);
    Read(memory, batch_.windows, window_bytes, stream);
    Read(memory + window_bytes, batch_.table, table_bytes_, stream);
    Read(memory + window_bytes + table_bytes_, batch_.flips, flip_bytes, stream);
  }

  // The kernel checks the windows.
  void PrepareAhead(int32_t* statuses, int32_t* late, cudaStream_t) override {
    batch_.statuses = statuses;
    batch_.late = late;
  }

  bool ReadsOperands() const override { return true; }

  RowResult Examine(int64_t index, const Row& row) const override {
    if (windows_ == nullptr) return RowResult();
    return cpu::CheckWindow(row, LoadWindow(windows_ + index * kWindowFields));
  }

  Spot Place(int64_t, const Row&) const override { return {nullptr, 0}; }

  void Finish(const std::vector<Arrival>& arrivals, cudaStream_t stream) const override {
    std::vector<PixelSource> sources;
    sources.reserve(arrivals.size());
    for (const Arrival& arrival : arrivals) {
      const Walk walk = MakeWalk(arrival.row->height, arrival.row->width, arrival.row->orientation);
      sources.push_back({arrival.pixels + walk.start, walk.row_step, walk.column_step, arrival.index,
                         cpu::ShownHeight(*arrival.row), cpu::ShownWidth(*arrival.row)});
    }
    Check(ResampleWindows(sources, batch_, stream), "resizing images");
  }

  size_t StagedBytes(const Row&) const override { return static_cast<size_t>(Target(nullptr).Bytes()); }

  RowResult MakeOnHost(int64_t index, const Row& row, uint8_t* staged) const noexcept override {
    int32_t fields[kRowFields];
    StoreRow(row, fields);
    return cpu::DecodeResampleRow(fields, encoded_, windows_ + index * kWindowFields, flips_[index],
                                  table_ + index * batch_.table_step * batch_.element_size, Target(staged));
  }

  void Upload(int64_t index, const Row& row, const uint8_t* staged, cudaStream_t stream) const override {
    Check(cudaMemcpyAsync(ImageOf(index), staged, StagedBytes(row), cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
  }

  void Clear(int64_t index, cudaStream_t stream) const override {
    Check(cudaMemsetAsync(ImageOf(index), 0, static_cast<size_t>(Target(nullptr).Bytes()), stream), "cudaMemsetAsync");
  }

 private:
  static void Read(uint8_t* to, const void* from, size_t size, cudaStream_t stream) {
    Check(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
  }

  cpu::ResampleTarget Target(void* data) const {
    return {data, batch_.height, batch_.width, batch_.element_size, batch_.channels_first};
  }

  uint8_t* ImageOf(int64_t index) const {
    return static_cast<uint8_t*>(batch_.images) + index * Target(nullptr).Bytes();
  }

  EncodedBytes encoded_;
  ResampleBatch batch_;
  int64_t count_;
  size_t table_bytes_;
  // Copies on the host, null if there are none.
  const int32_t* windows_ = nullptr;
  const bool* flips_ = nullptr;
  const uint8_t* table_ = nullptr;
};

ffi::Error DecodeResample(cudaStream_t stream, int32_t device, DecodeResampleAttributes attributes, Bytes bytes,
                          Rows rows, Windows windows, Flips flips, Table table, Images images,
                          Statuses status) noexcept {
  if (ffi::Error error = CheckDecodeResampleOperands(attributes, bytes, rows, windows, flips, table, images, status);
      error.failure()) {
    return error;
  }
  const auto shape = images->dimensions();
  const bool channels_first = attributes.channels_first;
  const ResampleBatch batch = {
      windows.typed_data(),
      flips.typed_data(),
      table.untyped_data(),
      table.dimensions()[0] == 1 ? 0 : kChannels * kLevels,
      images->untyped_data(),
      nullptr,
      nullptr,
      shape[channels_first ? 2 : 1],
      shape[channels_first ? 3 : 2],
      static_cast<int>(ffi::ByteWidth(images->element_type())),
      channels_first,
      attributes.decoder == static_cast<int32_t>(Decoder::kGpu),
  };
  Resampled receiver({bytes.typed_data(), bytes.dimensions()[1]}, batch, rows.dimensions()[0], table.size_bytes());
  const CallContext context = ContextOf(kDecodeResampleTarget, stream, device, attributes);
  return RunBatch(context, FileOperandsOf(bytes, rows, status), receiver);
}

}  // namespace

// No traits, as in calls/decode/gpu_handler.cc.
XLA_FFI_DEFINE_HANDLER_SYMBOL(DecodeResampleHandler, DecodeResample,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<cudaStream_t>>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Attrs<DecodeResampleAttributes>()
                                  .Arg<Bytes>()                      // bytes uint8[1, capacity], on the host
                                  .Arg<Rows>()                       // rows int32[N, 8], on host or device
                                  .Arg<Windows>()                    // windows int32[N, 4]: top, left, height, width
                                  .Arg<Flips>()                      // flips bool[N]
                                  .Arg<Table>()                      // table T[1 or N, 3, 256]
                                  .Ret<ffi::AnyBuffer>()             // images T[N, h, w, 3] or T[N, 3, h, w]
                                  .Ret<ffi::BufferR1<ffi::S32>>());  // status int32[N]

}  // namespace jaxdali::gpu
