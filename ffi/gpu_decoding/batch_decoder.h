// nvJPEG on one device, with what it keeps between calls.
#ifndef JAXDALI_GPU_DECODING_BATCH_DECODER_H_
#define JAXDALI_GPU_DECODING_BATCH_DECODER_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "gpu_decoding/nvjpeg_library.h"
#include "jpeg/baseline.h"
#include "rows/decoder.h"

namespace jaxdali::gpu {

// Where pixels go: the first of them, and bytes from row to row.
struct Spot {
  uint8_t* pixels;
  size_t pitch;
};

// One file for nvJPEG: where its bytes are on the host, and where its pixels belong on the device.
struct Picture {
  const uint8_t* bytes;
  size_t size;
  Spot target;
  // For our own kernels: the memory that contains the bytes, which other files may share; and the contents of their
  // header.
  const uint8_t* base = nullptr;
  const jpeg::Baseline* header = nullptr;
};

// Whether nvJPEG starts an image for each JPEG engine before the previous one is copied and converted. This is faster,
// but beside a training step only if there are many hardware queues: an H200 decodes 500 images per second with 8, and
// 31,000 with 32. Without it, that is 5,000 and 22,000.
enum class Pipelining { kLibrary, kNone };

// Used by one thread at a time; its device is current.
class BatchDecoder {
 public:
  // `flights`: how many calls of `Decode` may have pictures on the device at once; further calls wait.
  BatchDecoder(Decoder decoder, bool fancy_upsampling, Pipelining pipelining, size_t flights);
  ~BatchDecoder();
  BatchDecoder(const BatchDecoder&) = delete;
  BatchDecoder& operator=(const BatchDecoder&) = delete;

  // Decodes on `stream` to interleaved RGB. Returns the indices of the pictures that nvJPEG refused. When it returns
  // everything is queued, or finished if some were refused; when it throws OutOfDeviceMemory nothing is left on the
  // device.
  std::vector<size_t> Decode(const std::vector<Picture>& pictures, cudaStream_t stream);

 private:
  struct State {
    nvjpegJpegState_t state = nullptr;
    size_t prepared = 0;         // batch size that it is set up for
    cudaEvent_t free = nullptr;  // behind the last decoding with it
  };

  nvjpegStatus_t DecodeSome(const Picture* pictures, size_t count, cudaStream_t stream);
  void Destroy();

  nvjpegHandle_t handle_ = nullptr;
  // Used in turns: the pipeline of nvJPEG 13 hangs if a state is reused before the device is done with it.
  std::vector<State> states_;
  size_t turn_ = 0;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_BATCH_DECODER_H_
