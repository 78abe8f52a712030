#include "gpu_decoding/batch_decoder.h"

#include <string>

#include "gpu_decoding/memory.h"
#include "gpu_decoding/nvjpeg_memory.h"

namespace jaxdali::gpu {
namespace {

// Threads that nvJPEG uses for entropy decoding on the host.
constexpr int kHuffmanThreads = 8;

nvjpegBackend_t Backend(Decoder decoder) {
  switch (decoder) {
    case Decoder::kHardware:
      return NVJPEG_BACKEND_HARDWARE;
    case Decoder::kHybrid:
      return NVJPEG_BACKEND_HYBRID;
    default:
      return NVJPEG_BACKEND_GPU_HYBRID;
  }
}

void CheckNvjpeg(nvjpegStatus_t status, const char* call) {
  if (status == NVJPEG_STATUS_SUCCESS) return;
  const std::string text = std::string(call) + ": " + StatusName(status);
  if (status == NVJPEG_STATUS_ALLOCATOR_FAILURE) {
    const std::string failure = TakeAllocationFailure();
    throw OutOfDeviceMemory(text + (failure.empty() ? "" : ", " + failure));
  }
  throw std::runtime_error(text);
}

}  // namespace

BatchDecoder::BatchDecoder(Decoder decoder, bool fancy_upsampling, Pipelining pipelining, size_t flights)
    : states_(flights) {
  unsigned flags = fancy_upsampling ? NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION : 0u;
  if (decoder == Decoder::kHardware && pipelining == Pipelining::kNone) flags |= NVJPEG_FLAGS_HW_DECODE_NO_PIPELINE;
  nvjpegStatus_t status =
      Nvjpeg().CreateEx(Backend(decoder), NvjpegDeviceMemory(), NvjpegPinnedMemory(), flags, &handle_);
  if (decoder == Decoder::kHardware &&
      (status == NVJPEG_STATUS_ARCH_MISMATCH || status == NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED)) {
    status = Nvjpeg().CreateEx(Backend(Decoder::kGpu), NvjpegDeviceMemory(), NvjpegPinnedMemory(), flags, &handle_);
  }
  CheckNvjpeg(status, "nvjpegCreateEx");
  try {
    for (State& state : states_) {
      CheckNvjpeg(Nvjpeg().JpegStateCreate(handle_, &state.state), "nvjpegJpegStateCreate");
      Check(cudaEventCreateWithFlags(&state.free, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
  } catch (...) {
    Destroy();
    throw;
  }
}

BatchDecoder::~BatchDecoder() { Destroy(); }

void BatchDecoder::Destroy() {
  for (const State& state : states_) {
    if (state.state != nullptr) Nvjpeg().JpegStateDestroy(state.state);
    if (state.free != nullptr) cudaEventDestroy(state.free);
  }
  Nvjpeg().Destroy(handle_);
}

nvjpegStatus_t BatchDecoder::DecodeSome(const Picture* pictures, size_t count, cudaStream_t stream) {
  turn_ = (turn_ + 1) % states_.size();
  State& state = states_[turn_];
  Check(cudaEventSynchronize(state.free), "cudaEventSynchronize");
  if (count != state.prepared) {
    state.prepared = 0;
    const nvjpegStatus_t status = Nvjpeg().DecodeBatchedInitialize(handle_, state.state, static_cast<int>(count),
                                                                   kHuffmanThreads, NVJPEG_OUTPUT_RGBI);
    if (status != NVJPEG_STATUS_SUCCESS) return status;
    state.prepared = count;
  }
  std::vector<const unsigned char*> bytes(count);
  std::vector<size_t> sizes(count);
  std::vector<nvjpegImage_t> images(count);
  for (size_t index = 0; index < count; ++index) {
    bytes[index] = pictures[index].bytes;
    sizes[index] = pictures[index].size;
    images[index] = nvjpegImage_t{};
    images[index].channel[0] = pictures[index].target.pixels;
    images[index].pitch[0] = pictures[index].target.pitch;
  }
  const nvjpegStatus_t status =
      Nvjpeg().DecodeBatched(handle_, state.state, bytes.data(), sizes.data(), images.data(), stream);
  if (status != NVJPEG_STATUS_SUCCESS) {
    // nvJPEG may have started work on its own streams, which `stream` waits for only on success.
    AwaitDevice();
    state.prepared = 0;
    return status;
  }
  Check(cudaEventRecord(state.free, stream), "cudaEventRecord");
  return status;
}

std::vector<size_t> BatchDecoder::Decode(const std::vector<Picture>& pictures, cudaStream_t stream) {
  std::vector<size_t> refused;
  if (pictures.empty()) return refused;
  const nvjpegStatus_t all = DecodeSome(pictures.data(), pictures.size(), stream);
  if (all == NVJPEG_STATUS_SUCCESS) return refused;
  if (all == NVJPEG_STATUS_ALLOCATOR_FAILURE) CheckNvjpeg(all, "nvjpegDecodeBatched");
  // One of the pictures was at fault, and the status does not say which. Decoding each alone tells.
  for (size_t index = 0; index < pictures.size(); ++index) {
    const nvjpegStatus_t alone = DecodeSome(&pictures[index], 1, stream);
    // Not the picture's fault: which decoder makes its pixels must not depend on free memory.
    if (alone == NVJPEG_STATUS_ALLOCATOR_FAILURE) CheckNvjpeg(alone, "nvjpegDecodeBatched");
    if (alone != NVJPEG_STATUS_SUCCESS) refused.push_back(index);
    Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  return refused;
}

}  // namespace jaxdali::gpu
