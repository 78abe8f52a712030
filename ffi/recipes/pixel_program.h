// What a recipe does to pixels besides resampling them: instructions in float32, each of which rounds once.
#ifndef JAXDALI_RECIPES_PIXEL_PROGRAM_H_
#define JAXDALI_RECIPES_PIXEL_PROGRAM_H_

#include <cstdint>
#include <string>

#include "base/host_device.h"
#include "recipes/recipes.h"

namespace jaxdali {

// Instructions first, ..., end - 1 of a program.
struct InstructionRange {
  int64_t first;
  int64_t end;
};

// A checked program. Its arrays belong to the call.
struct PixelProgram {
  const int32_t* instructions;
  int64_t count;
  const float* constants;  // [1 or N, count, width]
  bool is_shared;          // one for all images
  int64_t width;           // constants per instruction
  int64_t sample;          // index of SAMPLE
  int64_t fill;            // index of FILL; `count` if there is none

  JAXDALI_HOST_DEVICE InstructionKind Kind(int64_t instruction) const {
    return static_cast<InstructionKind>(instructions[instruction]);
  }
  JAXDALI_HOST_DEVICE const float* ConstantsOf(int64_t image) const {
    return constants + (is_shared ? 0 : image * count * width);
  }
  // Whether source pixels stay unchanged.
  JAXDALI_HOST_DEVICE bool OnlyFills() const { return count == (fill < count ? 2 : 1); }
  // The instructions of source pixels, of resampled pixels and of the fill, in order.
  JAXDALI_HOST_DEVICE InstructionRange Before() const { return {0, sample}; }
  JAXDALI_HOST_DEVICE InstructionRange After() const { return {sample + 1, count}; }
  JAXDALI_HOST_DEVICE InstructionRange AfterFill() const { return {fill + 1, count}; }
  JAXDALI_HOST_DEVICE InstructionRange All() const { return {0, count}; }

  // Whether no instruction of a range mixes channels.
  JAXDALI_HOST_DEVICE bool IsPerChannel(InstructionRange range) const {
    for (int64_t instruction = range.first; instruction < range.end; ++instruction) {
      if (Kind(instruction) == InstructionKind::kMatrix) return false;
    }
    return true;
  }
};

// Returns how many constants an instruction needs; -1 if there is no such instruction.
JAXDALI_HOST_DEVICE inline int64_t NeededConstants(int32_t kind, int64_t channels) {
  switch (static_cast<InstructionKind>(kind)) {
    case InstructionKind::kSample:
    case InstructionKind::kToFloat16:
    case InstructionKind::kToBfloat16:
      return 0;
    case InstructionKind::kFill:
    case InstructionKind::kAdd:
    case InstructionKind::kMultiply:
      return channels;
    case InstructionKind::kRound:
      return 2;
    case InstructionKind::kMatrix:
      return kMatrixConstants;
  }
  return -1;
}

// Whether an instruction is valid for images with this many channels. A FILL at the end also has values for channels
// that are added to the result.
JAXDALI_HOST_DEVICE inline bool IsSoundInstruction(const PixelProgram& program, int64_t instruction, int64_t channels,
                                                   int64_t result_channels) {
  const int32_t kind = program.instructions[instruction];
  const bool adds = static_cast<InstructionKind>(kind) == InstructionKind::kFill && instruction == program.count - 1;
  const int64_t needed = adds ? result_channels : NeededConstants(kind, channels);
  const bool mixes = static_cast<InstructionKind>(kind) == InstructionKind::kMatrix;
  return needed >= 0 && needed <= program.width && (!mixes || channels == kChannels);
}

// Finds SAMPLE and FILL among 1 to kMaxInstructions instructions. Returns whether there is one SAMPLE, and at most one
// FILL after it.
JAXDALI_HOST_DEVICE inline bool FindSample(PixelProgram* program, int64_t* samples, int64_t* fills) {
  program->sample = program->fill = program->count;
  *samples = *fills = 0;
  for (int64_t instruction = 0; instruction < program->count; ++instruction) {
    if (program->Kind(instruction) == InstructionKind::kSample) {
      program->sample = instruction;
      ++*samples;
    } else if (program->Kind(instruction) == InstructionKind::kFill) {
      program->fill = instruction;
      ++*fills;
    }
  }
  return *samples == 1 && *fills <= 1 && program->fill > program->sample;
}

// Completes a program whose instructions can be read; returns whether it is valid. LoadPixelProgram says what is wrong
// with it.
JAXDALI_HOST_DEVICE inline bool CompleteProgram(PixelProgram* program, int64_t channels, int64_t result_channels) {
  if (program->count < 1 || program->count > kMaxInstructions) return false;
  for (int64_t instruction = 0; instruction < program->count; ++instruction) {
    if (!IsSoundInstruction(*program, instruction, channels, result_channels)) return false;
  }
  int64_t samples, fills;
  return FindSample(program, &samples, &fills);
}

// Completes a program; returns what is wrong with it as a sentence, or an empty string. `channels` are the source's; a
// result may have more.
std::string LoadPixelProgram(int64_t channels, int64_t result_channels, PixelProgram* program);

}  // namespace jaxdali

#endif  // JAXDALI_RECIPES_PIXEL_PROGRAM_H_
