// A libFuzzer target: the call on images, whatever its operands contain.
//
// An input is kControls bytes, from which all operands are drawn, and a file. Besides what the sanitizers find, it
// checks that failures leave zeros, that results are the same twice and as a GPU makes them, and that an image's
// results do not depend on what else is requested of it.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "decoding/jpeg_header.h"
#include "device_results.h"
#include "fuzzing.h"
#include "imaging/images_batch.h"
#include "recipes/images_call.h"

namespace jaxdali {
namespace {

constexpr size_t kControls = 512;
constexpr int64_t kMostPixels = 1 << 16;  // of a file: small enough for many inputs per second
constexpr ElementType kTypes[] = {ElementType::kUint8,   ElementType::kInt8,    ElementType::kUint16,
                                  ElementType::kInt16,   ElementType::kInt32,   ElementType::kFloat16,
                                  ElementType::kFloat32, ElementType::kBfloat16};

// Draws numbers from the controls, and zeros when they are used up.
class Draws {
 public:
  explicit Draws(const uint8_t* bytes) : bytes_(bytes) {}

  uint8_t Byte() { return at_ < kControls ? bytes_[at_++] : 0; }
  int32_t Below(int32_t end) { return Byte() % end; }
  int32_t Word() {
    uint32_t word = 0;
    for (int byte = 0; byte < 4; ++byte) word = word << 8 | Byte();
    return static_cast<int32_t>(word);
  }
  // Mostly `likely`, sometimes near it, sometimes anything.
  int32_t Near(int64_t likely) {
    const uint8_t kind = Byte();
    if (kind < 200) return static_cast<int32_t>(likely);
    if (kind < 240) return static_cast<int32_t>(static_cast<uint32_t>(likely) + Byte() - 128u);
    return Word();
  }
  // Mostly a small number, sometimes any bits.
  float Float(float likely) {
    const uint8_t kind = Byte();
    if (kind < 160) return likely;
    if (kind < 240) return static_cast<float>(static_cast<int8_t>(Byte())) / 8.0f;
    return FloatOfBits(static_cast<uint32_t>(Word()));
  }

 private:
  const uint8_t* bytes_;
  size_t at_ = 0;
};

// An operand in memory of its own.
struct Array {
  std::unique_ptr<uint8_t[]> memory;
  ArrayView view;

  Array(ElementType type, std::vector<int64_t> shape) {
    int64_t bytes = ElementBytes(type);
    for (const int64_t extent : shape) bytes *= extent;
    memory = PoisonedMemory(bytes);
    view = {memory.get(), type, std::move(shape)};
  }
  template <typename Element>
  Element* data() {
    return reinterpret_cast<Element*>(memory.get());
  }
};

struct Extents {
  int64_t height, width;
};

// The form of the pixels of files.
struct Form {
  int32_t color, channels, bits;
};

Array DrawGeometry(Draws* draws, const Extents& image, const Extents& result) {
  Array geometry(ElementType::kInt32, {1, kGeometryFields});
  int32_t* const fields = geometry.data<int32_t>();
  const int32_t top = draws->Below(static_cast<int32_t>(std::min<int64_t>(image.height, 200)));
  const int32_t left = draws->Below(static_cast<int32_t>(std::min<int64_t>(image.width, 200)));
  const int32_t filter = draws->Below(8), rows = 1 + draws->Below(60), columns = 1 + draws->Below(60);
  const int64_t likely[] = {top,
                            left,
                            image.height - top,
                            image.width - left,
                            draws->Below(2),
                            draws->Below(2),
                            filter == 0 ? image.height - top : rows,
                            filter == 0 ? image.width - left : columns,
                            draws->Below(20) - 8,
                            draws->Below(20) - 8,
                            result.height - draws->Below(2),
                            result.width - draws->Below(2),
                            draws->Below(2),
                            draws->Below(2),
                            filter,
                            filter == 0 ? 0 : 1 + draws->Below(6),
                            draws->Below(2)};
  for (int field = 0; field < kGeometryFields; ++field) fields[field] = draws->Near(likely[field]);
  return geometry;
}

Array DrawRegion(Draws* draws, const int32_t* geometry) {
  Array region(ElementType::kFloat32, {1, kRegionFields});
  float* const fields = region.data<float>();
  fields[kLowY] = draws->Float(0.0f);
  fields[kHighY] = draws->Float(static_cast<float>(geometry[kGeometryHeight]));
  fields[kLowX] = draws->Float(0.0f);
  fields[kHighX] = draws->Float(static_cast<float>(geometry[kGeometryWidth]));
  return region;
}

Array DrawInstructions(Draws* draws, int64_t count) {
  Array instructions(ElementType::kInt32, {count});
  const int64_t sample = draws->Below(static_cast<int32_t>(count));
  for (int64_t instruction = 0; instruction < count; ++instruction) {
    const int32_t kind = 2 + draws->Below(6);
    instructions.data<int32_t>()[instruction] = draws->Near(instruction == sample                          ? 0
                                                            : instruction > sample && draws->Below(4) == 0 ? 1
                                                                                                           : kind);
  }
  return instructions;
}

Array DrawConstants(Draws* draws, int64_t instructions) {
  const int64_t width = draws->Below(8) == 0 ? draws->Below(13) : 12;
  Array constants(ElementType::kFloat32, {1, instructions, width});
  for (int64_t index = 0; index < instructions * width; ++index) {
    constants.data<float>()[index] = draws->Float(index % width == 1 ? 255.0f : 0.0f);
  }
  return constants;
}

struct DrawnRecipe {
  std::vector<Array> operands;
  Array result;
  int32_t channels_first;
};

DrawnRecipe DrawRecipe(Draws* draws, const Extents& image, int64_t channels) {
  const Extents size = {draws->Below(24), draws->Below(24)};
  const int64_t result_channels = channels + (draws->Below(4) == 0 ? draws->Below(3) : 0);
  const int32_t channels_first = draws->Below(2);
  const ElementType type = kTypes[draws->Below(8)];
  std::vector<int64_t> shape = {1, size.height, size.width, result_channels};
  if (channels_first != 0) shape = {1, result_channels, size.height, size.width};
  DrawnRecipe recipe = {{}, Array(type, shape), channels_first};
  recipe.operands.push_back(DrawGeometry(draws, image, size));
  recipe.operands.push_back(DrawRegion(draws, recipe.operands[0].data<int32_t>()));
  const int64_t instructions = 1 + draws->Below(draws->Below(16) == 0 ? 80 : 6);
  recipe.operands.push_back(DrawInstructions(draws, instructions));
  recipe.operands.push_back(DrawConstants(draws, instructions));
  return recipe;
}

// Runs the call; returns false if it was refused. `status` has room for one image.
bool Run(const Array& data, const Array& info, const std::vector<DrawnRecipe*>& recipes, int32_t source,
         const Form& form, Status* status) {
  Array statuses(ElementType::kInt32, {1});
  ImagesOperands operands = {source, form.color, form.channels, form.bits, {}, data.view, info.view, {}, {}};
  for (DrawnRecipe* recipe : recipes) {
    operands.channels_first.push_back(recipe->channels_first);
    for (const Array& operand : recipe->operands) operands.recipes.push_back(operand.view);
    operands.results.push_back(recipe->result.view);
  }
  operands.results.push_back(statuses.view);
  ImagesCall call;
  if (!LoadImagesCall(operands, &call).empty()) return false;
  cpu::ImagesBatch batch(call);
  const cpu::RowResult result = batch.Make(0);
  *status = result.status;
  for (const ImageRecipe& recipe : call.recipes) {
    if (result.status == Status::kOk) continue;
    Demand(!result.message.empty(), "a failure has a reason");
    Demand(AreZeros(recipe.result.data, recipe.result.Bytes()), "a failed image is zeros");
  }
  DemandSameOnDevice(call, result.status);
  return true;
}

// Runs two recipes together, and each alone.
void CheckRecipes(Draws* draws, const Array& data, const Array& info, const Extents& image, int64_t channels,
                  int32_t source, const Form& form) {
  DrawnRecipe first = DrawRecipe(draws, image, channels), second = DrawRecipe(draws, image, channels);
  Status together = Status::kOk;
  if (!Run(data, info, {&first, &second}, source, form, &together)) return;
  for (DrawnRecipe* recipe : {&first, &second}) {
    const ImageResult result = {nullptr, recipe->result.view.type, 1, 1, 1, false};
    int64_t bytes = result.Bytes();
    for (const int64_t extent : recipe->result.view.shape) bytes *= extent;
    const std::vector<uint8_t> before(recipe->result.memory.get(), recipe->result.memory.get() + bytes);
    std::memset(recipe->result.memory.get(), 0x5A, bytes);
    Status alone = Status::kOk;
    Demand(Run(data, info, {recipe}, source, form, &alone), "a recipe that fits, fits alone");
    // Which part of a damaged file is read decides whether the damage is seen.
    if (together != Status::kOk || alone != Status::kOk) continue;
    Demand(std::equal(before.begin(), before.end(), recipe->result.memory.get()), "a recipe has one result");
  }
}

void CheckCanvas(Draws* draws) {
  const Extents canvas = {1 + draws->Below(40), 1 + draws->Below(40)};
  const int64_t channels = 1 + draws->Below(4);
  Array data(kTypes[draws->Below(8)], {1, canvas.height, canvas.width, channels});
  const int64_t bytes = canvas.height * canvas.width * channels * ElementBytes(data.view.type);
  for (int64_t index = 0; index < bytes; ++index) data.data<uint8_t>()[index] = static_cast<uint8_t>(index * 37);
  Array info(ElementType::kInt32, {1, kShapeFields});
  int32_t* const shape = info.data<int32_t>();
  shape[0] = draws->Near(canvas.height);
  shape[1] = draws->Near(canvas.width);
  shape[2] = draws->Near(channels);
  CheckRecipes(draws, data, info, canvas, channels, 1, {0, 3, 8});
}

// Makes the row say that the file is raw pixels, as many as fit.
void LieAboutPixels(Draws* draws, int64_t* fields) {
  const int64_t components = 1 + draws->Below(4), depth = 1 + draws->Below(2), width = 1 + draws->Below(24);
  const int64_t height = fields[kSize] / (components * depth * width);
  fields[kSize] = height * width * components * depth;
  fields[kHeight] = height;
  fields[kWidth] = width;
  fields[kComponents] = components;
  fields[kCodec] = static_cast<int32_t>(depth == 1 ? Codec::kRaw : Codec::kRaw16);
  fields[kOrientation] = 1 + draws->Below(8);
}

void CheckFile(Draws* draws, const uint8_t* file, size_t size) {
  JpegHeader header = {};
  ParseJpegHeader(file, size, &header);
  const int32_t color = draws->Below(3), channels = color == 0 ? 3 : color == 1 ? 1 : 1 + draws->Below(4);
  const Form form = {draws->Near(color), draws->Near(channels), draws->Near(draws->Below(2) == 0 ? 8 : 16)};
  Array data(ElementType::kUint8, {1, static_cast<int64_t>(size)});
  std::memcpy(data.memory.get(), file, size);
  Array info(ElementType::kInt32, {1, kRowFields});
  int32_t* const row = info.data<int32_t>();
  int64_t likely[] = {0,
                      static_cast<int64_t>(size),
                      header.height,
                      header.width,
                      header.components,
                      static_cast<int32_t>(Codec::kJpeg),
                      header.orientation,
                      static_cast<int32_t>(Status::kOk)};
  if (draws->Below(3) == 0) LieAboutPixels(draws, likely);
  for (int field = 0; field < kRowFields; ++field) row[field] = draws->Near(likely[field]);
  const Row loaded = LoadRow(row);
  const Extents image = {cpu::ShownHeight(loaded), cpu::ShownWidth(loaded)};
  if (image.height < 1 || image.width < 1 || image.height > kMostPixels / image.width) return;
  CheckRecipes(draws, data, info, image, channels, 0, form);
}

}  // namespace
}  // namespace jaxdali

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < jaxdali::kControls) return 0;
  jaxdali::Draws draws(data);
  if (draws.Below(2) == 0) {
    jaxdali::CheckCanvas(&draws);
  } else {
    jaxdali::CheckFile(&draws, data + jaxdali::kControls, size - jaxdali::kControls);
  }
  return 0;
}
