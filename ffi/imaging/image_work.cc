#include "imaging/image_work.h"

#include <array>
#include <mutex>
#include <utility>

namespace jaxdali::cpu {
namespace {

// The most bytes of an ImageWork that is kept: enough for a photograph of 2 megapixels. Each thread of each call in
// flight uses one.
constexpr int64_t kMostBytesKept = int64_t{8} << 20;
constexpr size_t kMostKept = 64;

struct Idle {
  std::mutex mutex;
  std::array<std::unique_ptr<ImageWork>, kMostKept> kept;
  size_t count = 0;
};

// Never destroyed: XLA's threads may still work when the process ends.
Idle& Shared() {
  static Idle* const idle = new Idle;
  return *idle;
}

int64_t Bytes(const ImageWork& work) {
  int64_t bytes = work.file.bytes() + work.sampler.bytes();
  for (const AxisWeights& weights : work.weights) bytes += weights.bytes();
  return bytes;
}

}  // namespace

std::unique_ptr<ImageWork> TakeWork(size_t recipes) {
  std::unique_ptr<ImageWork> work;
  {
    Idle& idle = Shared();
    std::lock_guard<std::mutex> lock(idle.mutex);
    if (idle.count > 0) work = std::move(idle.kept[--idle.count]);
  }
  if (work == nullptr) work = std::make_unique<ImageWork>();
  work->geometries.resize(recipes);
  work->weights.resize(2 * recipes);
  work->tables.resize(recipes);
  return work;
}

void GiveWorkBack(std::unique_ptr<ImageWork> work) noexcept {
  if (Bytes(*work) > kMostBytesKept) return;
  Idle& idle = Shared();
  std::lock_guard<std::mutex> lock(idle.mutex);
  if (idle.count < kMostKept) idle.kept[idle.count++] = std::move(work);
}

}  // namespace jaxdali::cpu
