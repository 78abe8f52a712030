// Makes one result of one image: samples source pixels, applies the recipe's steps to them, and stores them.
#ifndef JAXDALI_IMAGING_IMAGE_SAMPLER_H_
#define JAXDALI_IMAGING_IMAGE_SAMPLER_H_

#include <cstdint>

#include "base/memory.h"
#include "imaging/axis_weights.h"
#include "imaging/recipe_tables.h"
#include "imaging/store.h"
#include "recipes/image_geometry.h"
#include "recipes/images_call.h"

namespace jaxdali::cpu {

// A part of an image in memory, with rows `stride` bytes apart.
struct SourcePixels {
  const uint8_t* data;
  int64_t stride;
  Window window;
  ElementType type;
  int64_t channels;
};

// What sampling keeps between images.
struct SamplerMemory {
  Memory<uint8_t> source, levels, elements;
  StoreMemory store;
  Memory<float> floats, sums, row;

  int64_t bytes() const {
    return source.bytes() + levels.bytes() + elements.bytes() + store.bytes() + floats.bytes() + sums.bytes() +
           row.bytes();
  }
};

class ImageSampler {
 public:
  // `source` must hold all pixels that the weights read. All arguments must outlive the sampler.
  ImageSampler(const SourcePixels& source, const ImageRecipe& recipe, const float* constants,
               const RecipeTables& tables, const ImageGeometry& geometry, const AxisWeights& rows,
               const AxisWeights& columns, SamplerMemory* memory)
      : source_(source),
        recipe_(recipe),
        constants_(constants),
        tables_(tables),
        geometry_(geometry),
        rows_(rows),
        columns_(columns),
        memory_(memory) {}

  // Writes every byte of `image`. Throws std::bad_alloc.
  void Make(uint8_t* image);

 private:
  // The source pixels that are read: rows in the order of the (mirrored) axis, starting with rows_.begin(); all columns
  // that are read, in source order.
  struct Plane {
    const uint8_t* data;
    int64_t stride;
    ElementType type;
  };

  bool IsCopied() const { return rows_.selects() && columns_.selects(); }
  int64_t PlaneColumn(int64_t j) const;
  Plane Read() const;
  Plane Prepare(const Plane& plane);
  Plane PrepareByTable(const Plane& plane);
  Plane PrepareByInstructions(const Plane& plane);
  void PrepareSums(int64_t width);
  void SampleRows(const Plane& plane, int64_t index, int64_t count);
  void StoreRow(int64_t index, const Run& run, const ImageStore& store);
  void CopyRow(const Plane& plane, int64_t index, const Run& run, const ImageStore& store);
  const uint8_t* SelectPixels(const Plane& plane, int64_t index);
  void StoreFloats(float* row, InstructionRange range, const Run& run, const ImageStore& store);

  const SourcePixels& source_;
  const ImageRecipe& recipe_;
  const float* constants_;
  const RecipeTables& tables_;
  const ImageGeometry& geometry_;
  const AxisWeights &rows_, &columns_;
  SamplerMemory* memory_;
  // For kRowsAtOnce rows.
  float* sums_ = nullptr;
  float* rows_of_results_ = nullptr;
  int64_t sums_stride_ = 0;
  int64_t row_stride_ = 0;
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_IMAGE_SAMPLER_H_
