// The kernels of the parallel JPEG decoder, for a machine without a GPU: see host_cuda.cc.
#include "gpu/jpeg_kernels.h"
#include "jpeg/model.h"

namespace jaxdali::gpu {

cudaError_t ReadCoefficients(const jpeg::Batch& batch, cudaStream_t) {
  jpeg::ReadCoefficientsHere(batch);
  return cudaSuccess;
}

cudaError_t MakePixels(const jpeg::Batch& batch, bool is_fancy, cudaStream_t) {
  jpeg::MakePixelsHere(batch, is_fancy);
  return cudaSuccess;
}

}  // namespace jaxdali::gpu
