// Decodes with nvJPEG on one device, and keeps nvJPEG's state between calls.
#ifndef JAXDALI_GPU_DECODING_BATCH_DECODER_H_
#define JAXDALI_GPU_DECODING_BATCH_DECODER_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "gpu_decoding/nvjpeg_library.h"
#include "jpeg/file_header.h"
#include "rows/decoder.h"

namespace jaxdali::gpu {

// Where pixels go: the first pixel, and the bytes from row to row.
struct Spot {
  uint8_t* pixels;
  size_t pitch;
};

// One file to decode: where its bytes are on the host, and where its pixels go on the device.
struct Picture {
  const uint8_t* bytes;
  size_t size;
  Spot target;
  // For our own kernels: the memory that contains the bytes, which other files may share, and the parsed header.
  const uint8_t* base = nullptr;
  const jpeg::Header* header = nullptr;
};

// Whether nvJPEG starts an image for each JPEG engine before the previous one is copied and converted. This is faster.
// But during a training step it needs many hardware queues: an H200 decodes 500 images per second with 8 queues, and
// 31,000 with 32. Without pipelining, it decodes 5,000 and 22,000.
enum class Pipelining { kLibrary, kNone };

// To be used by one thread at a time, with its device current.
class BatchDecoder {
 public:
  // `flights` is how many calls of `Decode` may have pictures on the device at once; further calls wait.
  BatchDecoder(Decoder decoder, bool fancy_upsampling, Pipelining pipelining, size_t flights);
  ~BatchDecoder();
  BatchDecoder(const BatchDecoder&) = delete;
  BatchDecoder& operator=(const BatchDecoder&) = delete;

  // Decodes on `stream` to interleaved RGB. Returns the indices of the pictures that nvJPEG refused. On return
  // everything is queued, or finished if some were refused. When it throws OutOfDeviceMemory, the device has no work
  // left.
  std::vector<size_t> Decode(const std::vector<Picture>& pictures, cudaStream_t stream);

 private:
  struct State {
    nvjpegJpegState_t state = nullptr;
    size_t prepared = 0;         // the batch size that it is set up for
    cudaEvent_t free = nullptr;  // recorded after the last decoding with it
  };

  nvjpegStatus_t DecodeSome(const Picture* pictures, size_t count, cudaStream_t stream);
  void Destroy();

  nvjpegHandle_t handle_ = nullptr;
  size_t least_ = 0;  // pictures of a call to nvJPEG
  // Used in turns: the pipeline of nvJPEG 13 hangs if a state is reused before the device is done with it.
  std::vector<State> states_;
  size_t turn_ = 0;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_BATCH_DECODER_H_
