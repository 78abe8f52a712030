// Makes all results of each image of a call. Does not depend on XLA.
#ifndef JAXDALI_IMAGING_IMAGES_BATCH_H_
#define JAXDALI_IMAGING_IMAGES_BATCH_H_

#include <cstdint>
#include <vector>

#include "imaging/image_sampler.h"
#include "imaging/image_work.h"
#include "recipes/images_call.h"
#include "rows/row_checks.h"

namespace jaxdali::cpu {

// Returns whether the weights along both axes can be computed, or why not.
RowResult CheckAxes(const ImageGeometry& geometry);

// Returns whether the recipes of a call can be made from an image of these extents, or why not.
RowResult ExamineImage(const ImagesCall& call, int64_t image, int64_t height, int64_t width);

class ImagesBatch {
 public:
  // `call` must outlive the batch. Throws std::bad_alloc.
  explicit ImagesBatch(const ImagesCall& call);

  // Writes every byte of an image's results: what its recipes say, or zeros if the status is not kOk. Trusts neither
  // info, geometry nor regions. Any thread may call it.
  RowResult Make(int64_t image) noexcept;

 private:
  RowResult MakeChecked(int64_t image, ImageWork* work) const;
  RowResult Plan(int64_t image, int64_t height, int64_t width, ImageWork* work, Window* needed) const;
  RowResult MakeFromFile(int64_t image, ImageWork* work) const;
  RowResult MakeFromCanvas(int64_t image, ImageWork* work) const;
  void Sample(int64_t image, const SourcePixels& pixels, ImageWork* work) const;
  void Clear(int64_t image) const;
  uint8_t* Place(size_t recipe, int64_t image) const;

  const ImagesCall& call_;
  std::vector<RecipeTables> tables_;  // one for each recipe; made if its program is shared
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_IMAGES_BATCH_H_
