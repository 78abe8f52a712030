// The call on images as a device computes it, on this thread: for tests, for the fuzzer and for machines without a GPU.
#ifndef JAXDALI_CALLS_IMAGES_TILES_MODEL_H_
#define JAXDALI_CALLS_IMAGES_TILES_MODEL_H_

#include <vector>

#include "calls/images/tiles/task.h"

namespace jaxdali::images {

// Do what the kernels of calls/images/kernels.cu do.
void ExamineHere(const RecipeTask& task, const std::vector<SourceImage>& sources);
void MakeImagesHere(const RecipeTask& task, const std::vector<SourceImage>& sources);

// Makes all recipes of a call for some of its images. Their statuses must have been initialized.
void MakeAllHere(const ImagesCall& call, const std::vector<SourceImage>& sources);

// Returns the first `count` images of a canvas.
std::vector<SourceImage> SourcesOf(const CanvasImages& canvas, int64_t count);

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_MODEL_H_
