// Compares what a GPU would make of a call with what the CPU has made.
#ifndef JAXDALI_TESTS_DEVICE_RESULTS_H_
#define JAXDALI_TESTS_DEVICE_RESULTS_H_

#include <cmath>
#include <cstring>
#include <vector>

#include "calls/images/tiles/model.h"
#include "decoding/decode_row.h"
#include "fuzzing.h"
#include "recipes/images_call.h"

namespace jaxdali {

// Whether elements are equal as numbers, or are both NaN: a sum of zeros may have either sign.
inline bool AreEqual(const uint8_t* a, const uint8_t* b, int64_t bytes, ElementType type) {
  if (bytes == 0 || std::memcmp(a, b, bytes) == 0) return true;
  const int64_t element = ElementBytes(type);
  for (int64_t at = 0; at < bytes; at += element) {
    uint16_t halves[2];
    float values[2];
    for (int side = 0; side < 2; ++side) {
      const uint8_t* const from = (side == 0 ? a : b) + at;
      if (type == ElementType::kFloat32) {
        std::memcpy(&values[side], from, sizeof(float));
      } else if (type == ElementType::kFloat16 || type == ElementType::kBfloat16) {
        std::memcpy(&halves[side], from, sizeof(uint16_t));
        values[side] = type == ElementType::kFloat16 ? FloatOfFloat16(halves[side]) : FloatOfBfloat16(halves[side]);
      } else {
        values[side] = std::memcmp(a + at, b + at, element) == 0 ? 0.0f : static_cast<float>(side);
      }
    }
    if (values[0] != values[1] && !(std::isnan(values[0]) && std::isnan(values[1]))) return false;
  }
  return true;
}

// Makes a call of one image, whose status was `status`, as a GPU does, and demands the same results. Leaves out files
// that a GPU leaves to the host, and files that fail: damage outside a window is seen only by what decodes the whole
// file.
inline void DemandSameOnDevice(const ImagesCall& call, Status status) {
  std::vector<images::SourceImage> sources;
  std::vector<uint8_t> stored;
  if (call.source.kind == ImageSourceKind::kCanvas) {
    sources = images::SourcesOf(images::CanvasOf(call.source), 1);
  } else {
    Row row = LoadRow(call.source.info);
    if (status != Status::kOk || !(call.source.color == ImageColor::kRgb && call.source.type == ElementType::kUint8)) {
      return;
    }
    const int32_t orientation = row.orientation;
    row.orientation = 1;
    int32_t fields[kRowFields];
    StoreRow(row, fields);
    stored.resize(row.height * row.width * kChannels);
    const cpu::Canvas canvas = {stored.data(), row.height, row.width};
    if (cpu::DecodeRow(fields, {call.source.data, call.source.capacity}, canvas).status != Status::kOk) return;
    row.orientation = orientation;
    sources = {images::SourceOf(row, stored.data(), kChannels, 0)};
  }
  std::vector<std::vector<uint8_t>> made;
  for (const ImageRecipe& recipe : call.recipes) {
    const int64_t bytes = recipe.result.Bytes();
    made.emplace_back(recipe.result.data, recipe.result.data + bytes);
    if (bytes > 0) std::memset(recipe.result.data, 0x3C, bytes);
  }
  *call.statuses = static_cast<int32_t>(Status::kOk);
  images::MakeAllHere(call, sources);
  Demand(*call.statuses == static_cast<int32_t>(status), "a GPU finds the same status");
  for (size_t index = 0; index < made.size(); ++index) {
    const ImageResult& result = call.recipes[index].result;
    Demand(AreEqual(made[index].data(), result.data, result.Bytes(), result.type), "a GPU makes the same result");
    if (!made[index].empty()) std::memcpy(result.data, made[index].data(), made[index].size());
  }
}

}  // namespace jaxdali

#endif  // JAXDALI_TESTS_DEVICE_RESULTS_H_
