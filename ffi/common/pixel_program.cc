#include "common/pixel_program.h"

namespace jaxdali {
namespace {

// How many constants a step needs; -1: there is no such step.
int64_t NeededConstants(int32_t kind, int64_t channels) {
  switch (static_cast<StepKind>(kind)) {
    case StepKind::kSample:
    case StepKind::kToFloat16:
    case StepKind::kToBfloat16:
      return 0;
    case StepKind::kFill:
    case StepKind::kAdd:
    case StepKind::kMultiply:
      return channels;
    case StepKind::kRound:
      return 2;
    case StepKind::kMatrix:
      return kMatrixConstants;
  }
  return -1;
}

std::string CheckStep(const PixelProgram& program, int64_t step, int64_t channels, int64_t result_channels) {
  const std::string name = "step " + std::to_string(step);
  int64_t needed = NeededConstants(program.steps[step], channels);
  if (needed < 0) return name + " is " + std::to_string(program.steps[step]) + "; expected a kind of step, 0 to 7";
  const StepKind kind = program.Kind(step);
  if (kind == StepKind::kMatrix && channels != kChannels) {
    return name + " is a matrix of 3 channels, the images have " + std::to_string(channels);
  }
  // The channels that are added to the result have its values, too.
  if (kind == StepKind::kFill && step == program.count - 1) needed = result_channels;
  if (program.width < needed) {
    return name + " needs " + std::to_string(needed) + " constants, got " + std::to_string(program.width);
  }
  return "";
}

}  // namespace

std::string LoadPixelProgram(const int32_t* steps, int64_t count, const float* constants, bool is_shared, int64_t width,
                             int64_t channels, int64_t result_channels, PixelProgram* program) {
  if (count < 1 || count > kMaxSteps) {
    return "got " + std::to_string(count) + " steps; expected 1 to " + std::to_string(kMaxSteps);
  }
  *program = {steps, count, constants, is_shared, width, count, count};
  int64_t samples = 0, fills = 0;
  for (int64_t step = 0; step < count; ++step) {
    if (std::string error = CheckStep(*program, step, channels, result_channels); !error.empty()) return error;
    if (program->Kind(step) == StepKind::kSample) {
      program->sample = step;
      ++samples;
    } else if (program->Kind(step) == StepKind::kFill) {
      program->fill = step;
      ++fills;
    }
  }
  if (samples != 1 || fills > 1 || program->fill < program->sample) {
    return "got " + std::to_string(samples) + " SAMPLE and " + std::to_string(fills) +
           " FILL; expected one SAMPLE, and at most one FILL behind it";
  }
  return "";
}

}  // namespace jaxdali
