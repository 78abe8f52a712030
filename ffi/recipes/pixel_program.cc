#include "recipes/pixel_program.h"

namespace jaxdali {
namespace {

std::string CheckInstruction(const PixelProgram& program, int64_t instruction, int64_t channels,
                             int64_t result_channels) {
  if (IsSoundInstruction(program, instruction, channels, result_channels)) return "";
  const std::string name = "instruction " + std::to_string(instruction);
  const int64_t needed = NeededConstants(program.instructions[instruction], channels);
  if (needed < 0)
    return name + " is " + std::to_string(program.instructions[instruction]) +
           "; expected a kind of instruction, 0 to 7";
  if (program.Kind(instruction) == InstructionKind::kMatrix && channels != kChannels) {
    return name + " is a matrix of 3 channels, the images have " + std::to_string(channels);
  }
  const bool adds = program.Kind(instruction) == InstructionKind::kFill && instruction == program.count - 1;
  return name + " needs " + std::to_string(adds ? result_channels : needed) + " constants, got " +
         std::to_string(program.width);
}

}  // namespace

std::string LoadPixelProgram(int64_t channels, int64_t result_channels, PixelProgram* program) {
  if (program->count < 1 || program->count > kMaxInstructions) {
    return "got " + std::to_string(program->count) + " instructions; expected 1 to " + std::to_string(kMaxInstructions);
  }
  for (int64_t instruction = 0; instruction < program->count; ++instruction) {
    if (std::string error = CheckInstruction(*program, instruction, channels, result_channels); !error.empty())
      return error;
  }
  int64_t samples, fills;
  if (!FindSample(program, &samples, &fills)) {
    return "got " + std::to_string(samples) + " SAMPLE and " + std::to_string(fills) +
           " FILL; expected one SAMPLE, and at most one FILL behind it";
  }
  return "";
}

}  // namespace jaxdali
