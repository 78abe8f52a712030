// Applies the instructions of a program to rows of float32 pixels, and converts rows to and from float32.
#ifndef JAXDALI_IMAGING_PIXEL_INSTRUCTIONS_H_
#define JAXDALI_IMAGING_PIXEL_INSTRUCTIONS_H_

#include <cstdint>

#include "base/element_types.h"
#include "recipes/pixel_program.h"

namespace jaxdali::cpu {

// Applies the instructions in `range` of a program, with an image's constants, to `count` pixels of `channels` floats
// each.
void RunInstructions(const PixelProgram& program, const float* constants, InstructionRange range, int64_t channels,
                     int64_t count, float* pixels);

// Converts elements to floats, exactly.
void ToFloats(const void* elements, ElementType type, int64_t count, float* floats);

// Rounds floats to the nearest elements of the type. Integers round halves away from zero, and NaN becomes 0; the other
// types round halves to even.
void FromFloats(const float* floats, int64_t count, ElementType type, void* elements);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_PIXEL_INSTRUCTIONS_H_
