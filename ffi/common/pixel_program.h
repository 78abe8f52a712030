// What a recipe does to pixels beside resampling them: steps in float32, each of which rounds once.
#ifndef JAXDALI_COMMON_PIXEL_PROGRAM_H_
#define JAXDALI_COMMON_PIXEL_PROGRAM_H_

#include <cstdint>
#include <string>

#include "common/recipes.h"

namespace jaxdali {

// Steps first, ..., end - 1 of a program.
struct StepRange {
  int64_t first;
  int64_t end;
};

// A checked program; its arrays are the call's.
struct PixelProgram {
  const int32_t* steps;
  int64_t count;
  const float* constants;  // [1 or N, count, width]
  bool is_shared;          // one for all images
  int64_t width;           // constants of a step
  int64_t sample;          // index of SAMPLE
  int64_t fill;            // index of FILL; `count` where there is none

  StepKind Kind(int64_t step) const { return static_cast<StepKind>(steps[step]); }
  const float* ConstantsOf(int64_t image) const { return constants + (is_shared ? 0 : image * count * width); }
  // Whether pixels of the source are as they were.
  bool OnlyFills() const { return count == (fill < count ? 2 : 1); }
  // The order of the steps of source pixels, resampled pixels and fill.
  StepRange Before() const { return {0, sample}; }
  StepRange After() const { return {sample + 1, count}; }
  StepRange AfterFill() const { return {fill + 1, count}; }

  // Whether no step of a range mixes channels.
  bool IsPerChannel(StepRange range) const {
    for (int64_t step = range.first; step < range.end; ++step) {
      if (Kind(step) == StepKind::kMatrix) return false;
    }
    return true;
  }
};

// Fills `program`; returns what is wrong with it, in a sentence, or nothing. `channels` are the source's; a result may
// have more.
std::string LoadPixelProgram(const int32_t* steps, int64_t count, const float* constants, bool is_shared, int64_t width,
                             int64_t channels, int64_t result_channels, PixelProgram* program);

}  // namespace jaxdali

#endif  // JAXDALI_COMMON_PIXEL_PROGRAM_H_
