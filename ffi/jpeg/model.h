// Runs the kernels of the parallel decoder lane by lane on the host, for machines without a GPU.
#ifndef JAXDALI_JPEG_MODEL_H_
#define JAXDALI_JPEG_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "jpeg/batch.h"
#include "jpeg/plan.h"

namespace jaxdali::jpeg {

// Run the stages of jpeg/kernels.h on host arrays.
void FindBlocksHere(const Batch& batch);
void WriteCoefficientsHere(const Batch& batch);
void MakePixelsHere(const Batch& batch, const Coloring& coloring);

struct ModelImage {
  bool is_decoded = false;  // if false, the file is left to the host's decoder
  uint32_t height = 0, width = 0, channels = 0;
  std::vector<uint8_t> pixels;  // RGB or luma, dense
};

// Decodes files, given as strings of bytes, as one batch.
std::vector<ModelImage> DecodeAsDevice(const std::vector<std::string_view>& files, const Coloring& coloring,
                                       uint64_t most_window_bytes = kMostWindowBytes);

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_MODEL_H_
