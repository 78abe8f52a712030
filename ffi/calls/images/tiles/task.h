// One recipe of a call as a device computes it: addresses and extents, which fit into a kernel's arguments.
#ifndef JAXDALI_CALLS_IMAGES_TILES_TASK_H_
#define JAXDALI_CALLS_IMAGES_TILES_TASK_H_

#include <cstdint>
#include <vector>

#include "base/portable.h"
#include "recipes/image_geometry.h"
#include "recipes/images_call.h"
#include "rows/orientation_walk.h"
#include "rows/rows.h"

namespace jaxdali::images {

// Pixels of an image as it is displayed: the one at (row, column) is at
// `origin + row * row_step + column * column_step`, in bytes.
struct SourceImage {
  const uint8_t* origin;
  int64_t row_step;
  int64_t column_step;
  int64_t index;   // of the image in the batch
  int64_t height;  // negative if the image does not fit its canvas; both extents are 0 if it is empty or has failed
  int64_t width;
};

struct RecipeTask {
  const int32_t* geometry;  // [N, 17]
  const float* regions;     // [N, 4]
  PixelProgram program;     // as passed to the call, before CompleteProgram
  ImageResult result;
  ElementType type;   // of source pixels
  int64_t channels;   // of source pixels
  int32_t* statuses;  // [N]: images that are not OK become zeros; set to another status if the recipe cannot be made
  int32_t* late;      // on the host: receives the same statuses of images whose recipe cannot be made; or null
  FilterTables tables;
};

inline RecipeTask TaskOf(const ImagesCall& call, const ImageRecipe& recipe) {
  return {recipe.geometry,      recipe.regions, recipe.program, recipe.result,     call.source.type,
          call.source.channels, call.statuses,  nullptr,        HostFilterTables()};
}

// Returns the tasks of all recipes of a call; `late` as above.
inline std::vector<RecipeTask> TasksOf(const ImagesCall& call, int32_t* late) {
  std::vector<RecipeTask> tasks;
  for (const ImageRecipe& recipe : call.recipes) {
    tasks.push_back(TaskOf(call, recipe));
    tasks.back().late = late;
  }
  return tasks;
}

// Describes a row's stored pixels, dense and of 8 bits, as the image is displayed.
inline SourceImage SourceOf(const Row& row, const uint8_t* stored, int64_t channels, int64_t index) {
  const Walk walk = MakeWalk(row.height, row.width, row.orientation, channels);
  const bool swaps = SwapsAxes(row.orientation);
  return {stored + walk.start,           walk.row_step, walk.column_step, index, swaps ? row.width : row.height,
          swaps ? row.height : row.width};
}

// The images of a canvas, by index.
struct CanvasImages {
  const uint8_t* data;
  const int32_t* info;  // [N, 3]
  int64_t height, width;
  int64_t pixel;  // bytes
  int64_t first;  // the image that At(0) returns

  JAXDALI_PORTABLE SourceImage At(int64_t place) const {
    const int64_t index = first + place, row = width * pixel;
    const int32_t* const shape = info + index * kShapeFields;
    const int64_t own_height = Load(shape), own_width = Load(shape + 1);
    const bool fits = own_height >= 0 && own_width >= 0 && own_height <= height && own_width <= width;
    const bool is_empty = own_height == 0 || own_width == 0;
    return {data + index * height * row,          row, pixel, index, !fits ? -1 : is_empty ? 0 : own_height,
            !fits ? -1 : is_empty ? 0 : own_width};
  }
};

inline CanvasImages CanvasOf(const ImageSource& source) {
  return {source.data, source.info, source.height, source.width, source.channels * ElementBytes(source.type), 0};
}

// Returns the status of an image's recipe before any pixel is read: kOk, or why it cannot be made.
JAXDALI_PORTABLE Status Examine(const RecipeTask& task, const SourceImage& source) {
  if (source.height < 0) return Status::kTooLarge;
  if (source.height == 0) return Status::kOk;
  const ImageGeometry geometry =
      LoadGeometry(task.geometry + source.index * kGeometryFields, task.regions + source.index * kRegionFields);
  const bool is_well = HasWindowWithin(geometry, source.height, source.width) &&
                       FitsInto(geometry, task.result.height, task.result.width) &&
                       FaultOf(geometry.Request(geometry.y)) == AxisFault::kNone &&
                       FaultOf(geometry.Request(geometry.x)) == AxisFault::kNone;
  if (!is_well) return Status::kTooLarge;
  // On the host, the whole call fails before it gets here.
  PixelProgram program = task.program;
  return CompleteProgram(&program, task.channels, task.result.channels) ? Status::kOk : Status::kUnsupported;
}

// Records the status; the first recipe that fails decides.
JAXDALI_PORTABLE void ExamineAndNote(const RecipeTask& task, const SourceImage& source) {
  const Status status = Examine(task, source);
  if (status == Status::kOk || task.statuses[source.index] != static_cast<int32_t>(Status::kOk)) return;
  task.statuses[source.index] = static_cast<int32_t>(status);
  if (task.late != nullptr) task.late[source.index] = static_cast<int32_t>(status);
}

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_TASK_H_
