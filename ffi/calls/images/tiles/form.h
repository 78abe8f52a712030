// Chooses the form of the kernel that makes a recipe.
#ifndef JAXDALI_CALLS_IMAGES_TILES_FORM_H_
#define JAXDALI_CALLS_IMAGES_TILES_FORM_H_

#include "calls/images/tiles/task.h"
#include "calls/images/tiles/tile_shared.h"

namespace jaxdali::images {

// Calls `make` with the TileForm that fits the task.
template <typename Make>
auto WithForm(const RecipeTask& task, Make make) {
  const bool are_levels = task.type == ElementType::kUint8;
  if (task.channels == 3) return are_levels ? make(TileForm<true, 3>()) : make(TileForm<false, 3>());
  if (task.channels == 1) return are_levels ? make(TileForm<true, 1>()) : make(TileForm<false, 1>());
  return make(TileForm<false, 4>());
}

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_FORM_H_
