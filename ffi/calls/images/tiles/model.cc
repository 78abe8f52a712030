#include "calls/images/tiles/model.h"

#include <memory>

#include "calls/images/tiles/form.h"
#include "calls/images/tiles/tile.h"

namespace jaxdali::images {

void ExamineHere(const RecipeTask& task, const std::vector<SourceImage>& sources) {
  for (const SourceImage& source : sources) ExamineAndNote(task, source);
}

void MakeImagesHere(const RecipeTask& task, const std::vector<SourceImage>& sources) {
  const Team team;
  const auto shared = std::make_unique<TileShared>();
  WithForm(task, [&](auto form) {
    // Four blocks share an image, because several do on a device.
    for (const SourceImage& source : sources) {
      for (uint32_t block = 0; block < 4; ++block) MakeShare<decltype(form)>(team, task, source, block, 4, *shared);
    }
  });
}

void MakeAllHere(const ImagesCall& call, const std::vector<SourceImage>& sources) {
  for (const ImageRecipe& recipe : call.recipes) ExamineHere(TaskOf(call, recipe), sources);
  for (const ImageRecipe& recipe : call.recipes) MakeImagesHere(TaskOf(call, recipe), sources);
}

std::vector<SourceImage> SourcesOf(const CanvasImages& canvas, int64_t count) {
  std::vector<SourceImage> sources;
  for (int64_t image = 0; image < count; ++image) sources.push_back(canvas.At(image));
  return sources;
}

}  // namespace jaxdali::images
