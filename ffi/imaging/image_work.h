// What one thread needs to make the results of an image, and reuses for the next one.
#ifndef JAXDALI_IMAGING_IMAGE_WORK_H_
#define JAXDALI_IMAGING_IMAGE_WORK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "decoding/file_window.h"
#include "imaging/axis_weights.h"
#include "imaging/image_sampler.h"
#include "imaging/recipe_tables.h"
#include "recipes/image_geometry.h"

namespace jaxdali::cpu {

struct ImageWork {
  FileMemory file;
  SamplerMemory sampler;
  std::vector<ImageGeometry> geometries;  // of each recipe
  std::vector<AxisWeights> weights;       // of each recipe those of rows and of columns
  std::vector<RecipeTables> tables;       // of the recipes whose program is the image's own
};

// Work for this many recipes: that of an earlier image, if one is unused. If its memory were allocated for each call,
// the process would receive it page by page each time. Throws std::bad_alloc.
std::unique_ptr<ImageWork> TakeWork(size_t recipes);

// Keeps work for later images, unless it holds much memory or enough is kept already.
void GiveWorkBack(std::unique_ptr<ImageWork> work) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_IMAGE_WORK_H_
