// The kernels of the parallel JPEG decoder and of recipes, for a machine without a GPU: see host_cuda.cc.
#include "calls/images/kernels.h"
#include "calls/images/tiles/model.h"
#include "jpeg/kernels.h"
#include "jpeg/model.h"

namespace jaxdali::gpu {

cudaError_t ReadCoefficients(const jpeg::Batch& batch, const ReadingStreams&) {
  jpeg::ReadCoefficientsHere(batch);
  return cudaSuccess;
}

cudaError_t MakePixels(const jpeg::Batch& batch, const jpeg::Coloring& coloring, cudaStream_t) {
  jpeg::MakePixelsHere(batch, coloring);
  return cudaSuccess;
}

cudaError_t MakeImages(const std::vector<images::RecipeTask>& tasks, const std::vector<images::SourceImage>& sources,
                       cudaStream_t) {
  for (const images::RecipeTask& task : tasks) images::ExamineHere(task, sources);
  for (const images::RecipeTask& task : tasks) images::MakeImagesHere(task, sources);
  return cudaSuccess;
}

}  // namespace jaxdali::gpu
