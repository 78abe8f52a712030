// What one thread needs to make the results of an image, and reuses for the next image.
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
  std::vector<ImageGeometry> geometries;  // one for each recipe
  std::vector<AxisWeights> weights;       // two for each recipe: those of rows and those of columns
  std::vector<RecipeTables> tables;       // one for each recipe; used if its program is the image's own
};

// Returns work for this many recipes: that of an earlier image if there is an unused one. Memory that is allocated anew
// for each call would have to be faulted in page by page each time. Throws std::bad_alloc.
std::unique_ptr<ImageWork> TakeWork(size_t recipes);

// Keeps work for later images, unless it holds much memory or enough is kept already.
void GiveWorkBack(std::unique_ptr<ImageWork> work) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_IMAGE_WORK_H_
