#include "gpu_decoding/batch_decoder.h"

#include <algorithm>
#include <string>

#include "gpu_decoding/memory.h"
#include "gpu_decoding/nvjpeg_memory.h"

namespace jaxdali::gpu {
namespace {

// Threads that nvJPEG uses for entropy decoding on the host.
constexpr int kHuffmanThreads = 8;
// From so many pictures on, nvJPEG's entropy decoding runs on the GPU, and pixels are others by a level (nvJPEG 13 on
// an H200; its documentation says "more than 50").
constexpr size_t kLeastOnGpu = 50;

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
  const auto create = [&](nvjpegBackend_t backend) {
    least_ = backend == NVJPEG_BACKEND_GPU_HYBRID ? kLeastOnGpu : 0;
    return Nvjpeg().CreateEx(backend, NvjpegDeviceMemory(), NvjpegPinnedMemory(), flags, &handle_);
  };
  nvjpegStatus_t status = create(Backend(decoder));
  if (decoder == Decoder::kHardware &&
      (status == NVJPEG_STATUS_ARCH_MISMATCH || status == NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED)) {
    status = create(NVJPEG_BACKEND_GPU_HYBRID);
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
  // A picture's pixels must not depend on how many others come with it, so the smallest one is decoded as often as it
  // takes, each time to the same pixels.
  const Picture* const smallest = std::min_element(
      pictures, pictures + count, [](const Picture& one, const Picture& other) { return one.size < other.size; });
  const size_t whole = std::max(count, least_);
  if (whole != state.prepared) {
    state.prepared = 0;
    const nvjpegStatus_t status = Nvjpeg().DecodeBatchedInitialize(handle_, state.state, static_cast<int>(whole),
                                                                   kHuffmanThreads, NVJPEG_OUTPUT_RGBI);
    if (status != NVJPEG_STATUS_SUCCESS) return status;
    state.prepared = whole;
  }
  std::vector<const unsigned char*> bytes(whole);
  std::vector<size_t> sizes(whole);
  std::vector<nvjpegImage_t> images(whole);
  for (size_t index = 0; index < whole; ++index) {
    const Picture& picture = index < count ? pictures[index] : *smallest;
    bytes[index] = picture.bytes;
    sizes[index] = picture.size;
    images[index] = nvjpegImage_t{};
    images[index].channel[0] = picture.target.pixels;
    images[index].pitch[0] = picture.target.pitch;
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
