// Who decodes on a GPU; jaxdali/batch.py has the same numbers.
#ifndef JAXDALI_ROWS_DECODER_H_
#define JAXDALI_ROWS_DECODER_H_

#include <cstdint>

namespace jaxdali {

// Which decoder a GPU uses. Files that it refuses by their headers are decoded by libjpeg-turbo on the host.
enum class Decoder : int32_t {
  kHardware = 0,  // the GPU's JPEG engine; where it has none, kGpu
  kGpu = 1,       // nvJPEG with entropy decoding on the GPU
  kHybrid = 2,    // nvJPEG with entropy decoding on the host
  kCpu = 3,       // libjpeg-turbo
  kCuda = 4,      // our own kernels; also what they refuse is libjpeg-turbo's
};

}  // namespace jaxdali

#endif  // JAXDALI_ROWS_DECODER_H_
