#include "common/pixel_program.h"

namespace jaxdali {
namespace {

std::string CheckStep(const PixelProgram& program, int64_t step, int64_t channels, int64_t result_channels) {
  if (IsSoundStep(program, step, channels, result_channels)) return "";
  const std::string name = "step " + std::to_string(step);
  const int64_t needed = NeededConstants(program.steps[step], channels);
  if (needed < 0) return name + " is " + std::to_string(program.steps[step]) + "; expected a kind of step, 0 to 7";
  if (program.Kind(step) == StepKind::kMatrix && channels != kChannels) {
    return name + " is a matrix of 3 channels, the images have " + std::to_string(channels);
  }
  const bool adds = program.Kind(step) == StepKind::kFill && step == program.count - 1;
  return name + " needs " + std::to_string(adds ? result_channels : needed) + " constants, got " +
         std::to_string(program.width);
}

}  // namespace

std::string LoadPixelProgram(int64_t channels, int64_t result_channels, PixelProgram* program) {
  if (program->count < 1 || program->count > kMaxSteps) {
    return "got " + std::to_string(program->count) + " steps; expected 1 to " + std::to_string(kMaxSteps);
  }
  for (int64_t step = 0; step < program->count; ++step) {
    if (std::string error = CheckStep(*program, step, channels, result_channels); !error.empty()) return error;
  }
  int64_t samples, fills;
  if (!FindSample(program, &samples, &fills)) {
    return "got " + std::to_string(samples) + " SAMPLE and " + std::to_string(fills) +
           " FILL; expected one SAMPLE, and at most one FILL behind it";
  }
  return "";
}

}  // namespace jaxdali
