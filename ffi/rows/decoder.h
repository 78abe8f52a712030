// The decoders of a GPU; jaxdali/_base/batch.py has the same numbers.
#ifndef JAXDALI_ROWS_DECODER_H_
#define JAXDALI_ROWS_DECODER_H_

#include <cstdint>

namespace jaxdali {

// Which decoder a GPU uses. If it refuses a file by its header, libjpeg-turbo decodes the file on the host.
enum class Decoder : int32_t {
  kHardware = 0,  // the GPU's JPEG engine; kGpu if it has none
  kGpu = 1,       // nvJPEG with entropy decoding on the GPU
  kHybrid = 2,    // nvJPEG with entropy decoding on the host
  kCpu = 3,       // libjpeg-turbo
  kCuda = 4,      // our own kernels; what they refuse goes to libjpeg-turbo, too
};

}  // namespace jaxdali

#endif  // JAXDALI_ROWS_DECODER_H_
