// The kernels of the parallel JPEG decoder and of recipes, for a machine without a GPU: see host_cuda.cc.
#include <unistd.h>

#include "calls/images/kernels.h"
#include "calls/images/tiles/model.h"
#include "jpeg/kernels.h"
#include "jpeg/model.h"
#include "tests/host_cuda.h"

namespace jaxdali::gpu {

cudaError_t FindBlocks(const jpeg::Batch& batch, const ReadingStreams&) {
  if (batch.progressive.walks_count != 0) {
    ++host_walks_waiting;
    while (host_walks_held) usleep(100);
    --host_walks_waiting;
  }
  jpeg::FindBlocksHere(batch);
  return cudaSuccess;
}

cudaError_t WriteCoefficients(const jpeg::Batch& batch, cudaStream_t) {
  jpeg::WriteCoefficientsHere(batch);
  return cudaSuccess;
}

cudaError_t AwaitScans(const jpeg::Batch&, const ReadingStreams&) { return cudaSuccess; }

cudaError_t MakePixels(const jpeg::Batch& batch, const jpeg::Coloring& coloring, const ReadingStreams&) {
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
