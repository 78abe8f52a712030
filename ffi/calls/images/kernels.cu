#include <algorithm>

#include "calls/images/kernels.h"
#include "calls/images/tiles/form.h"
#include "calls/images/tiles/tile.h"

namespace jaxdali::gpu {
namespace {

using images::CanvasImages;
using images::RecipeTask;
using images::SourceImage;
using images::TileShared;

// As many as fit into a kernel's arguments, in addition to the recipe.
#if CUDART_VERSION >= 12010
constexpr int64_t kSources = 512;
#else
constexpr int64_t kSources = 32;
#endif
// The most blocks along the second axis of a grid.
constexpr int64_t kMostImages = 32768;
constexpr unsigned kThreads = 128;
// Blocks of Make on a multiprocessor: their threads wait for memory, so having more of them is worth a few registers.
constexpr unsigned kTilesTogether = 4;
constexpr int64_t kBlocks = 2048;

struct FileImages {
  SourceImage at[kSources];

  __device__ SourceImage At(int64_t place) const { return at[place]; }
};

template <typename Make>
void WithFormOf(const FileImages&, const RecipeTask& task, Make make) {
  images::WithFormOfFiles(task, make);
}

template <typename Make>
void WithFormOf(const CanvasImages&, const RecipeTask& task, Make make) {
  images::WithForm(task, make);
}

template <typename Images>
__global__ void __launch_bounds__(kThreads)
    Examine(const __grid_constant__ RecipeTask task, const __grid_constant__ Images sources, int64_t count) {
  const int64_t place = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (place < count) ExamineAndNote(task, sources.At(place));
}

// Several blocks share an image. Each makes several tiles, for which it works out what they have in common only once.
template <typename Form, typename Images>
__global__ void __launch_bounds__(kTeam, kTilesTogether)
    Make(const __grid_constant__ RecipeTask task, const __grid_constant__ Images sources) {
  __shared__ TileShared shared;
  images::MakeShare<Form>(Team(), task, sources.At(blockIdx.y), blockIdx.x, gridDim.x, shared);
}

// Returns how many blocks share an image: enough for a few rounds on a large GPU.
int64_t BlocksOf(int64_t tiles, int64_t images) { return std::clamp<int64_t>(kBlocks / images, 1, tiles); }

// Examines all recipes before it makes any, because one recipe may fail an image for all of them.
template <typename Images>
cudaError_t QueueSome(const std::vector<RecipeTask>& tasks, const Images& sources, int64_t count, cudaStream_t stream) {
  for (const RecipeTask& task : tasks) {
    Examine<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(task, sources, count);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  for (const RecipeTask& task : tasks) {
    const int64_t tiles = images::TilesOf(task.result);
    if (tiles == 0) continue;
    const dim3 grid(static_cast<unsigned>(BlocksOf(tiles, count)), static_cast<unsigned>(count));
    WithFormOf(sources, task, [&](auto form) { Make<decltype(form)><<<grid, kTeam, 0, stream>>>(task, sources); });
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t MakeImages(const std::vector<RecipeTask>& tasks, const std::vector<SourceImage>& sources,
                       cudaStream_t stream) {
  for (const RecipeTask& task : tasks) {
    if (!images::IsOfFiles(task)) return cudaErrorInvalidValue;
  }
  const auto all = static_cast<int64_t>(sources.size());
  for (int64_t first = 0; first < all; first += kSources) {
    const int64_t count = std::min(all - first, kSources);
    FileImages some;
    std::copy_n(sources.begin() + first, count, some.at);
    if (const cudaError_t error = QueueSome(tasks, some, count, stream); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t MakeImages(const std::vector<RecipeTask>& tasks, const CanvasImages& canvas, int64_t count,
                       cudaStream_t stream) {
  CanvasImages some = canvas;
  for (; some.first < count; some.first += kMostImages) {
    const int64_t here = std::min(count - some.first, kMostImages);
    if (const cudaError_t error = QueueSome(tasks, some, here, stream); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace jaxdali::gpu
