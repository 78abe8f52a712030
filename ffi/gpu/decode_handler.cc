#include "gpu/decode_handler.h"

#include <cuda_runtime_api.h>

#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/decode_operands.h"
#include "common/jpeg_header.h"
#include "common/jpeg_scan.h"
#include "cpu/decode_row.h"
#include "cpu/shared_work.h"
#include "gpu/batch_decoder.h"
#include "gpu/host_pool.h"
#include "gpu/memory.h"
#include "gpu/orient.h"

namespace jaxdali::gpu {
namespace {

using cpu::Canvas;
using cpu::EncodedBytes;

// Who makes the pixels of a row.
enum class Maker : uint8_t { kNobody, kNvjpeg, kHost, kCopy };

// What is known of a row, and what becomes of it.
struct Work {
  Row row;
  Maker maker = Maker::kNobody;
  RowResult result;
  int64_t height = 0, width = 0;  // after orientation
  size_t turned = 0, staged = 0;  // places of its pixels on the way, in bytes
};

class Call {
 public:
  Call(cudaStream_t stream, const DecodeAttributes& attributes, const EncodedBytes& encoded, const int32_t* rows,
       int64_t count, const Canvas& first, DecoderLoan& decoder)
      : stream_(stream), attributes_(attributes), encoded_(encoded), first_(first), decoder_(decoder), work_(count) {
    Share([&](int64_t index) noexcept { Examine(index, rows + index * kRowFields); });
  }

  // Queues everything on the stream; statuses are known then.
  void Run(int32_t* status) {
    const size_t count = work_.size();
    Check(cudaMemsetAsync(first_.pixels, 0, static_cast<size_t>(first_.Bytes()) * count, stream_), "cudaMemsetAsync");
    DecodeOnDevice();
    DecodeOnHost();
    for (size_t index = 0; index < count; ++index) {
      if (work_[index].maker == Maker::kCopy) CopyRaw(index);
    }
    auto* const statuses = reinterpret_cast<int32_t*>(decoder_->statuses.Reserve(count * sizeof(int32_t)));
    for (size_t index = 0; index < count; ++index) statuses[index] = static_cast<int32_t>(work_[index].result.status);
    Check(cudaMemcpyAsync(status, statuses, count * sizeof(int32_t), cudaMemcpyHostToDevice, stream_),
          "cudaMemcpyAsync");
    // Whatever was read, files and pixels of the host, is not needed beyond this point.
    Check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

  void Report(FirstFailure* failure, FirstFailure* exhaustion) {
    for (size_t index = 0; index < work_.size(); ++index) {
      RowResult& result = work_[index].result;
      if (result.out_of_memory) {
        exhaustion->Note(static_cast<int64_t>(index), std::move(result));
      } else if (result.status != Status::kOk) {
        failure->Note(static_cast<int64_t>(index), std::move(result));
      }
    }
  }

 private:
  template <typename Item>
  void Share(Item item) {
    cpu::RunShared(HostPool::Get(), static_cast<int64_t>(work_.size()), attributes_.threads, std::move(item));
  }

  uint8_t* CanvasOf(size_t index) const { return first_.pixels + first_.Bytes() * static_cast<int64_t>(index); }

  // Follows from the row and the file alone, so that an image is decoded by the same decoder whatever is beside it.
  void Examine(int64_t index, const int32_t* fields) noexcept {
    Work& work = work_[index];
    work.row = LoadRow(fields);
    try {
      work.result = CheckRow(work.row, encoded_, first_);
    } catch (const std::bad_alloc&) {
      work.result.out_of_memory = true;
    }
    if (work.result.status != Status::kOk || work.result.out_of_memory) return;
    const Row& row = work.row;
    work.height = SwapsAxes(row.orientation) ? row.width : row.height;
    work.width = SwapsAxes(row.orientation) ? row.height : row.width;
    const bool raw = row.codec == static_cast<int32_t>(Codec::kRaw);
    if (raw && row.orientation == 1 && row.components == kChannels &&
        row.size_bytes == row.height * row.width * kChannels) {
      work.maker = Maker::kCopy;
      return;
    }
    work.maker = Maker::kHost;  // which also finds the words for what is wrong
    if (raw || attributes_.decoder == static_cast<int32_t>(Decoder::kCpu)) return;
    const uint8_t* const bytes = encoded_.data + row.offset_bytes;
    JpegHeader header;
    if (IsPlainJpeg(bytes, row.size_bytes) && ParseJpegHeader(bytes, row.size_bytes, &header) == Status::kOk &&
        header.height == row.height && header.width == row.width && header.components == row.components) {
      work.maker = Maker::kNvjpeg;
    }
  }

  void DecodeOnDevice() {
    std::vector<Picture> pictures;
    std::vector<size_t> indices;
    size_t turned_bytes = 0;
    for (size_t index = 0; index < work_.size(); ++index) {
      Work& work = work_[index];
      if (work.maker != Maker::kNvjpeg || work.row.orientation == 1) continue;
      work.turned = turned_bytes;
      turned_bytes += (static_cast<size_t>(work.row.height * work.row.width * kChannels) + 255) / 256 * 256;
    }
    uint8_t* const turned = turned_bytes == 0 ? nullptr : decoder_->turned.Reserve(turned_bytes);
    for (size_t index = 0; index < work_.size(); ++index) {
      const Work& work = work_[index];
      if (work.maker != Maker::kNvjpeg) continue;
      const bool upright = work.row.orientation == 1;
      const size_t pitch = static_cast<size_t>(upright ? first_.Stride() : work.row.width * kChannels);
      pictures.push_back({encoded_.data + work.row.offset_bytes, static_cast<size_t>(work.row.size_bytes),
                          upright ? CanvasOf(index) : turned + work.turned, pitch});
      indices.push_back(index);
    }
    for (const size_t refused : decoder_->Decode(pictures, stream_)) {
      Work& work = work_[indices[refused]];
      work.maker = Maker::kHost;
      // What nvJPEG may have written before it gave up.
      Check(cudaMemsetAsync(CanvasOf(indices[refused]), 0, first_.Bytes(), stream_), "cudaMemsetAsync");
    }
    for (const size_t index : indices) {
      const Work& work = work_[index];
      if (work.maker != Maker::kNvjpeg || work.row.orientation == 1) continue;
      Check(CopyOriented(turned + work.turned, work.row.height, work.row.width, work.row.orientation, CanvasOf(index),
                         first_.Stride(), stream_),
            "turning an image");
    }
  }

  void DecodeOnHost() {
    size_t bytes = 0;
    for (Work& work : work_) {
      if (work.maker != Maker::kHost) continue;
      work.staged = bytes;
      bytes += static_cast<size_t>(work.height * work.width * kChannels);
    }
    if (bytes == 0) return;
    uint8_t* const staging = decoder_->staging.Reserve(bytes);
    Share([&](int64_t index) noexcept {
      Work& work = work_[index];
      if (work.maker != Maker::kHost) return;
      int32_t fields[kRowFields];
      StoreRow(work.row, fields);
      work.result = cpu::DecodeRow(fields, encoded_, {staging + work.staged, work.height, work.width});
    });
    for (size_t index = 0; index < work_.size(); ++index) {
      const Work& work = work_[index];
      if (work.maker != Maker::kHost || work.result.status != Status::kOk || work.result.out_of_memory) continue;
      CopyRows(index, staging + work.staged);
    }
  }

  void CopyRaw(size_t index) { CopyRows(index, encoded_.data + work_[index].row.offset_bytes); }

  void CopyRows(size_t index, const uint8_t* from) {
    const Work& work = work_[index];
    const size_t width = static_cast<size_t>(work.width * kChannels);
    Check(cudaMemcpy2DAsync(CanvasOf(index), first_.Stride(), from, width, width, work.height, cudaMemcpyHostToDevice,
                            stream_),
          "cudaMemcpy2DAsync");
  }

  cudaStream_t stream_;
  const DecodeAttributes& attributes_;
  const EncodedBytes& encoded_;
  const Canvas& first_;
  DecoderLoan& decoder_;
  std::vector<Work> work_;
};

bool IsOnDevice(const void* pointer) {
  cudaPointerAttributes attributes{};
  Check(cudaPointerGetAttributes(&attributes, pointer), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeDevice;
}

ffi::Error DecodeBatch(cudaStream_t stream, int32_t device, const DecodeAttributes& attributes, Bytes bytes, Rows rows,
                       Pixels pixels, Statuses status) {
  if (ffi::Error error = CheckOperands(attributes, bytes, rows, pixels, status); error.failure()) return error;
  const int64_t count = rows.dimensions()[0];
  if (count == 0) return ffi::Error::Success();
  OnDevice current(device);
  if (IsOnDevice(bytes.typed_data())) {
    return InvalidArgument(
        "bytes is in the GPU's memory, but files are read by the host: keep EncodedBatch.bytes in pinned_host memory "
        "(EncodedBatch.from_encoded and the pipelines do), close over it instead of scanning over it, and do not "
        "transfer "
        "it inside jit");
  }
  DecoderLoan decoder(device, static_cast<Decoder>(attributes.decoder), attributes.fancy_upsampling);
  const int32_t* fields = rows.typed_data();
  if (IsOnDevice(fields)) {
    const size_t size = static_cast<size_t>(count * kRowFields) * sizeof(int32_t);
    auto* const copy = reinterpret_cast<int32_t*>(decoder->rows.Reserve(size));
    Check(cudaMemcpyAsync(copy, fields, size, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
    fields = copy;
  }
  // What lies on the host may be the result of something on this stream as well.
  Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const EncodedBytes encoded = {bytes.typed_data(), bytes.dimensions()[1]};
  const Canvas first = {pixels->typed_data(), pixels->dimensions()[1], pixels->dimensions()[2]};
  Call call(stream, attributes, encoded, fields, count, first, decoder);
  call.Run(status->typed_data());
  FirstFailure failure, exhaustion;
  call.Report(&failure, &exhaustion);
  return Judge(attributes, count, device, failure, exhaustion);
}

// Nothing may be thrown into XLA.
ffi::Error Decode(cudaStream_t stream, int32_t device, DecodeAttributes attributes, Bytes bytes, Rows rows,
                  Pixels pixels, Statuses status) noexcept {
  try {
    return DecodeBatch(stream, device, attributes, bytes, rows, pixels, status);
  } catch (const OutOfDeviceMemory& error) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, std::string(kDecodeTarget) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, "");
  } catch (const std::exception& error) {
    return ffi::Error::Internal(std::string(kDecodeTarget) + ": " + error.what());
  }
}

}  // namespace

// No traits: above all not command-buffer compatible. What the call reads changes from call to call.
XLA_FFI_DEFINE_HANDLER_SYMBOL(DecodeHandler, Decode,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<cudaStream_t>>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Attrs<DecodeAttributes>()
                                  .Arg<Bytes>()                      // bytes uint8[1, capacity], on the host
                                  .Arg<Rows>()                       // rows int32[N, 8], on either side
                                  .Ret<ffi::BufferR4<ffi::U8>>()     // pixels uint8[N, H, W, 3]
                                  .Ret<ffi::BufferR1<ffi::S32>>());  // status int32[N]

}  // namespace jaxdali::gpu
