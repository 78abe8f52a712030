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

// Returns whether source pixels are what a device makes of files: levels, of one channel or three.
inline bool IsOfFiles(const RecipeTask& task) {
  return task.type == ElementType::kUint8 && (task.channels == 1 || task.channels == 3);
}

// The same for such pixels: kernels take minutes to compile, and none is for forms that files do not have.
template <typename Make>
auto WithFormOfFiles(const RecipeTask& task, Make make) {
  return task.channels == 3 ? make(TileForm<true, 3>()) : make(TileForm<true, 1>());
}

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_FORM_H_
