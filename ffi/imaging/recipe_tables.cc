#include "imaging/recipe_tables.h"

#include <cmath>
#include <cstring>

#include "imaging/pixel_instructions.h"

namespace jaxdali::cpu {
namespace {

// Returns every level in every channel, [256, channels], for instructions to run on.
std::vector<float> AllLevels(int64_t channels) {
  std::vector<float> levels(kPixelLevels * channels);
  for (int64_t index = 0; index < kPixelLevels * channels; ++index)
    levels[index] = static_cast<float>(index / channels);
  return levels;
}

constexpr std::array<uint8_t, 3> kInOrder = {0, 1, 2};

// Returns whether a matrix only reorders three channels, as from RGB to BGR, and stores which column each row takes.
bool IsOrder(const float* matrix, std::array<uint8_t, 3>* order) {
  for (int row = 0; row < 3; ++row, matrix += 4) {
    int ones = 0;
    for (uint8_t column = 0; column < 4; ++column) {
      if (matrix[column] == 0.0f) continue;
      if (matrix[column] != 1.0f || column == 3) return false;
      (*order)[row] = column;
      ++ones;
    }
    if (ones != 1) return false;
  }
  return true;
}

LevelTable TableOf(const std::vector<float>& values, int64_t channels, ElementType type,
                   const std::array<uint8_t, 3>& order = kInOrder) {
  const int64_t bytes = ElementBytes(type);
  std::vector<uint8_t> pixels(values.size() * bytes);
  FromFloats(values.data(), static_cast<int64_t>(values.size()), type, pixels.data());
  LevelTable table;
  table.elements.resize(pixels.size());
  table.order = order;
  table.is_identity = table.is_common = type == ElementType::kUint8 && order == kInOrder;
  for (int64_t level = 0; level < kPixelLevels; ++level) {
    for (int64_t c = 0; c < channels; ++c) {
      const uint8_t* from = &pixels[(level * channels + c) * bytes];
      std::memcpy(&table.elements[(c * kPixelLevels + level) * bytes], from, bytes);
      table.is_identity = table.is_identity && *from == level;
      table.is_common = table.is_common && *from == pixels[level * channels];
    }
  }
  return table;
}

bool AreLevels(const std::vector<float>& values) {
  for (const float value : values) {
    if (!(value >= 0.0f && value <= 255.0f && value == std::floor(value)) || std::signbit(value)) return false;
  }
  return true;
}

// Returns the highest level if an instruction rounds to levels from 0 on, else -1.
int32_t MostLevel(const PixelProgram& program, const float* constants, int64_t instruction) {
  if (program.Kind(instruction) != InstructionKind::kRound) return -1;
  const float low = constants[instruction * program.width], high = constants[instruction * program.width + 1];
  if (low != 0.0f || !(high >= 0.0f && high <= 255.0f) || high != std::floor(high)) return -1;
  return static_cast<int32_t>(high);
}

}  // namespace

void RecipeTables::Make(const ImageSource& source, const ImageRecipe& recipe, int64_t image) {
  const float* const constants = recipe.program.ConstantsOf(image);
  *this = RecipeTables();
  MakeSourceTable(source, recipe, constants);
  MakeSampledTable(source, recipe, constants);
  MakeFill(source, recipe, constants);
}

void RecipeTables::MakeSourceTable(const ImageSource& source, const ImageRecipe& recipe, const float* constants) {
  const PixelProgram& program = recipe.program;
  const int64_t channels = source.channels;
  const InstructionRange before = program.Before(), after = program.After();
  source_ends_in_levels = before.end > 0 && MostLevel(program, constants, before.end - 1) >= 0;
  if (source.type != ElementType::kUint8) return;
  // The tables are made from pixels whose channels all have the same level. Such pixels do not show a reordering of
  // channels, so it is kept separately, as `order`.
  std::array<uint8_t, 3> order = kInOrder;
  const InstructionRange& first = before.end > 0 ? before : after;
  const bool reorders = first.first < first.end && program.Kind(first.first) == InstructionKind::kMatrix &&
                        IsOrder(constants + first.first * program.width, &order);
  const auto has_table = [&](const InstructionRange& range) {
    return program.IsPerChannel({range.first + (reorders && &range == &first ? 1 : 0), range.end});
  };
  if (!has_table(before)) return;
  std::vector<float> values = AllLevels(channels);
  RunInstructions(program, constants, before, channels, kPixelLevels, values.data());
  if (AreLevels(values))
    source_levels = TableOf(values, channels, ElementType::kUint8, before.end > 0 ? order : kInOrder);
  if (!has_table(after)) return;
  RunInstructions(program, constants, after, channels, kPixelLevels, values.data());
  whole = TableOf(values, channels, recipe.result.type, order);
}

void RecipeTables::MakeSampledTable(const ImageSource& source, const ImageRecipe& recipe, const float* constants) {
  const PixelProgram& program = recipe.program;
  InstructionRange rest = program.After();
  if (rest.first == program.fill && rest.first < rest.end) ++rest.first;
  if (rest.first == rest.end) {
    // No instruction rounds, but storing pixels as levels rounds them in the same way.
    if (recipe.result.type != ElementType::kUint8) return;
    most_level = 255;
  } else {
    if (!program.IsPerChannel(rest)) return;
    most_level = MostLevel(program, constants, rest.first);
    if (most_level < 0) return;
    ++rest.first;
  }
  std::vector<float> values = AllLevels(source.channels);
  RunInstructions(program, constants, rest, source.channels, kPixelLevels, values.data());
  sampled = TableOf(values, source.channels, recipe.result.type);
}

void RecipeTables::MakeFill(const ImageSource& source, const ImageRecipe& recipe, const float* constants) {
  const PixelProgram& program = recipe.program;
  const ImageResult& result = recipe.result;
  std::vector<float> pixel(result.channels, 0.0f);
  if (program.fill < program.count) {
    const bool is_last = program.fill == program.count - 1;
    const int64_t channels = is_last ? result.channels : source.channels;
    std::memcpy(pixel.data(), constants + program.fill * program.width, channels * sizeof(float));
    RunInstructions(program, constants, program.AfterFill(), source.channels, 1, pixel.data());
  }
  fill.resize(result.channels * ElementBytes(result.type));
  FromFloats(pixel.data(), result.channels, result.type, fill.data());
}

}  // namespace jaxdali::cpu
