// Stores the pixels of one image where a result expects them.
#ifndef JAXDALI_IMAGING_STORE_H_
#define JAXDALI_IMAGING_STORE_H_

#include <cstdint>

#include "base/memory.h"
#include "imaging/recipe_tables.h"
#include "recipes/images_call.h"

namespace jaxdali::cpu {

// Adjacent pixels of one row of a result: `x`, `x + 1`, ..., or, if mirrored, `x`, `x - 1`, ...
struct Run {
  int64_t y;
  int64_t x;
  int64_t count;
  bool is_mirrored;
};

struct StoreMemory {
  Memory<uint8_t> row, levels;

  int64_t bytes() const { return row.bytes() + levels.bytes(); }
};

// Writes one image of a result.
class ImageStore {
 public:
  // `image` is where the image begins in the result's memory, `fill` a pixel of the result's type. Stored pixels have
  // `channels` channels; the other channels get the values of `fill`. `memory` is scratch memory for storing.
  ImageStore(const ImageResult& result, uint8_t* image, int64_t channels, const uint8_t* fill, StoreMemory* memory)
      : result_(result), image_(image), channels_(channels), fill_(fill), memory_(memory) {}

  // Stores pixels, [count, channels], by looking up their levels in a table.
  void Levels(const Run& run, const uint8_t* levels, const LevelTable& table) const;
  // Stores pixels as they are, [count, channels] of the result's type.
  void Elements(const Run& run, const void* elements) const;
  // Stores fill in all channels. The run must not be mirrored.
  void Fill(const Run& run) const;
  // Writes zeros outside of the top left `height` x `width` pixels.
  void ZerosOutside(int64_t height, int64_t width) const;

 private:
  void StoreRow(const Run& run, const uint8_t* row) const;
  void FillChannels(const Run& run, int64_t first) const;

  const ImageResult& result_;
  uint8_t* image_;
  int64_t channels_;
  const uint8_t* fill_;
  StoreMemory* memory_;
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_STORE_H_
