// The kernels of the parallel decoder, run lane by lane on the host: what a GPU does, where there is none.
#ifndef JAXDALI_JPEG_MODEL_H_
#define JAXDALI_JPEG_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "jpeg/batch.h"

namespace jaxdali::jpeg {

// The stages of jpeg/kernels.h, on arrays of the host.
void ReadCoefficientsHere(const Batch& batch);
void MakePixelsHere(const Batch& batch, const Coloring& coloring);

struct ModelImage {
  bool is_decoded = false;  // else the host's decoder is asked
  uint32_t height = 0, width = 0, channels = 0;
  std::vector<uint8_t> pixels;  // RGB or luma, dense
};

// Decodes files, given as strings of bytes, as one batch.
std::vector<ModelImage> DecodeAsDevice(const std::vector<std::string_view>& files, const Coloring& coloring);

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_MODEL_H_
