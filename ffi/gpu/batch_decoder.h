// nvJPEG on one device, with what it keeps from call to call.
#ifndef JAXDALI_GPU_BATCH_DECODER_H_
#define JAXDALI_GPU_BATCH_DECODER_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "common/decode_attributes.h"
#include "gpu/nvjpeg_library.h"

namespace jaxdali::gpu {

// Where pixels go: the first of them, and bytes from row to row.
struct Spot {
  uint8_t* pixels;
  size_t pitch;
};

// One file for nvJPEG: where its bytes are on the host, and where its pixels go on the device.
struct Picture {
  const uint8_t* bytes;
  size_t size;
  Spot target;
};

// Who keeps the JPEG engine busy. kLibrary: nvJPEG, with streams of its own, which is fastest on a device that does
// nothing else, but waits behind the kernels of a training step. kCaller: several threads that decode at the same time.
enum class Pipelining { kLibrary, kCaller };

// Used by one thread at a time; its device is current.
class BatchDecoder {
 public:
  BatchDecoder(Decoder decoder, bool fancy_upsampling, Pipelining pipelining);
  ~BatchDecoder();
  BatchDecoder(const BatchDecoder&) = delete;
  BatchDecoder& operator=(const BatchDecoder&) = delete;

  // Decodes on `stream` to interleaved RGB; returns when all is queued. The pictures that nvJPEG refused, by index.
  // `same_state`: with the state that all such calls use; the last pictures are done.
  std::vector<size_t> Decode(const std::vector<Picture>& pictures, cudaStream_t stream, bool same_state = false);

 private:
  struct State {
    nvjpegJpegState_t state = nullptr;
    size_t prepared = 0;         // batch size that it is set up for
    cudaEvent_t free = nullptr;  // behind the last decoding with it
  };

  nvjpegStatus_t DecodeSome(const Picture* pictures, size_t count, cudaStream_t stream, bool same_state);
  void Destroy();

  nvjpegHandle_t handle_ = nullptr;
  // Used in turns: the pipeline of nvJPEG 13 hangs where one is used again before the device is done with it.
  State states_[2];
  int turn_ = 0;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_BATCH_DECODER_H_
