// Makes the recipes of a call on a device.
#ifndef JAXDALI_CALLS_IMAGES_KERNELS_H_
#define JAXDALI_CALLS_IMAGES_KERNELS_H_

#include <cuda_runtime_api.h>

#include <vector>

#include "calls/images/tiles/task.h"

namespace jaxdali::gpu {

// Queues all recipes for some images. Images that cannot be made get a status in `statuses` and become zeros. Images
// whose status is not OK already become zeros, too.
cudaError_t MakeImages(const std::vector<images::RecipeTask>& tasks, const std::vector<images::SourceImage>& sources,
                       cudaStream_t stream);
// The same for `count` images of a canvas.
cudaError_t MakeImages(const std::vector<images::RecipeTask>& tasks, const images::CanvasImages& canvas, int64_t count,
                       cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_IMAGES_KERNELS_H_
