#include "cpu/draw_handlers.h"

#include <cstdint>
#include <limits>
#include <string>

#include "cpu/crop_window.h"
#include "cpu/threefry.h"

namespace ffi = xla::ffi;

namespace jaxdali::cpu {
namespace {

using Words = ffi::BufferR3<ffi::U32>;

struct Fold {
  const uint32_t* words;
  int64_t samples, draws, depth;  // [1 or N, 1 or M, depth]

  const uint32_t* At(int64_t sample, int64_t draw) const {
    return words + ((samples == 1 ? 0 : sample) * draws + (draws == 1 ? 0 : draw)) * depth;
  }

  Key Into(Key key, int64_t sample, int64_t draw) const {
    const uint32_t* own = At(sample, draw);
    for (int64_t i = 0; i < depth; ++i) key = FoldIn(key, own[i]);
    return key;
  }
};

bool Fits(int64_t extent, int64_t whole) { return extent == 1 || extent == whole; }

ffi::Error Wrong(const char* target, const std::string& what) {
  return ffi::Error::InvalidArgument(std::string(target) + ": " + what);
}

// Result [N, M, 1 or 2]: of each draw the key that `first`, and then `second`, were folded into; or its first word.
ffi::Error Threefry(bool counted, ffi::BufferR2<ffi::U32> keys, Words first, Words second,
                    ffi::ResultBufferR3<ffi::U32> result) noexcept {
  const auto shape = result->dimensions();
  const int64_t samples = shape[0], draws = shape[1], kept = shape[2];
  if (!Fits(keys.dimensions()[0], samples) || keys.dimensions()[1] != 2 || kept < 1 || kept > 2) {
    return Wrong(kThreefryTarget, "keys or results have another shape than uint32[1 or N, 2] and [N, M, 1 or 2]");
  }
  Fold folds[2];
  const Words* operands[2] = {&first, &second};
  for (int i = 0; i < 2; ++i) {
    const auto own = operands[i]->dimensions();
    if (!Fits(own[0], samples) || !Fits(own[1], draws)) {
      return Wrong(kThreefryTarget, "words have another shape than uint32[1 or N, 1 or M, k]");
    }
    folds[i] = {operands[i]->typed_data(), own[0], own[1], own[2]};
  }
  if (folds[0].draws != 1)
    return Wrong(kThreefryTarget, "the first words have another shape than uint32[1 or N, 1, k]");
  if (counted && draws > std::numeric_limits<uint32_t>::max()) return Wrong(kThreefryTarget, "too many draws");
  uint32_t* target = result->typed_data();
  for (int64_t sample = 0; sample < samples; ++sample) {
    const uint32_t* own = keys.typed_data() + (keys.dimensions()[0] == 1 ? 0 : 2 * sample);
    const Key key = folds[0].Into({own[0], own[1]}, sample, 0);
    for (int64_t draw = 0; draw < draws; ++draw) {
      Key drawn = folds[1].Into(key, sample, draw);
      if (counted) drawn = FoldIn(drawn, static_cast<uint32_t>(draw));
      *target++ = drawn.high;
      if (kept == 2) *target++ = drawn.low;
    }
  }
  return ffi::Error::Success();
}

struct WindowAttributes {
  uint32_t stream, area_low, area_high, low_numerator, low_denominator, high_numerator, high_denominator, attempts;
};

ffi::Error Windows(WindowAttributes attributes, ffi::BufferR2<ffi::U32> keys, ffi::BufferR2<ffi::S32> sizes,
                   ffi::BufferR2<ffi::U32> table, ffi::ResultBufferR2<ffi::S32> windows) noexcept {
  const int64_t samples = keys.dimensions()[0], columns = sizes.dimensions()[1];
  if (keys.dimensions()[1] != 2 || sizes.dimensions()[0] != samples || columns < 2 || table.dimensions()[0] != 2 ||
      table.dimensions()[1] != kRatios || windows->dimensions()[0] != samples || windows->dimensions()[1] != 4) {
    return Wrong(kWindowTarget, "shapes are not keys [N, 2], sizes [N, 2 or more], table [2, 4096], windows [N, 4]");
  }
  if (attributes.low_numerator == 0 || attributes.high_denominator == 0) {
    return Wrong(kWindowTarget, "an aspect ratio is 0 or infinite");
  }
  const WindowRange range = {attributes.area_low,        attributes.area_high,      attributes.low_numerator,
                             attributes.low_denominator, attributes.high_numerator, attributes.high_denominator,
                             attributes.attempts,        table.typed_data(),        table.typed_data() + kRatios};
  for (int64_t sample = 0; sample < samples; ++sample) {
    const uint32_t* key = keys.typed_data() + 2 * sample;
    const int32_t* size = sizes.typed_data() + columns * sample;
    const CropWindow window = DrawWindow(FoldIn({key[0], key[1]}, attributes.stream), static_cast<uint32_t>(size[0]),
                                         static_cast<uint32_t>(size[1]), range);
    int32_t* target = windows->typed_data() + 4 * sample;
    target[0] = static_cast<int32_t>(window.top);
    target[1] = static_cast<int32_t>(window.left);
    target[2] = static_cast<int32_t>(window.height);
    target[3] = static_cast<int32_t>(window.width);
  }
  return ffi::Error::Success();
}

}  // namespace
}  // namespace jaxdali::cpu

XLA_FFI_REGISTER_STRUCT_ATTR_DECODING(jaxdali::cpu::WindowAttributes, xla::ffi::StructMember<uint32_t>("stream"),
                                      xla::ffi::StructMember<uint32_t>("area_low"),
                                      xla::ffi::StructMember<uint32_t>("area_high"),
                                      xla::ffi::StructMember<uint32_t>("low_numerator"),
                                      xla::ffi::StructMember<uint32_t>("low_denominator"),
                                      xla::ffi::StructMember<uint32_t>("high_numerator"),
                                      xla::ffi::StructMember<uint32_t>("high_denominator"),
                                      xla::ffi::StructMember<uint32_t>("attempts"));

namespace jaxdali::cpu {

XLA_FFI_DEFINE_HANDLER_SYMBOL(ThreefryHandler, Threefry,
                              ffi::Ffi::Bind()
                                  .Attr<bool>("counted")             // the number of a draw is folded in at last
                                  .Arg<ffi::BufferR2<ffi::U32>>()    // keys uint32[1 or N, 2]
                                  .Arg<Words>()                      // words uint32[1 or N, 1, k]
                                  .Arg<Words>()                      // then words uint32[1 or N, 1 or M, k]
                                  .Ret<ffi::BufferR3<ffi::U32>>());  // uint32[N, M, 1 or 2]

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    WindowHandler, Windows,
    ffi::Ffi::Bind()
        .Attrs<WindowAttributes>()
        .Arg<ffi::BufferR2<ffi::U32>>()    // keys uint32[N, 2]
        .Arg<ffi::BufferR2<ffi::S32>>()    // sizes int32[N, 2 or more]: height, width, ...
        .Arg<ffi::BufferR2<ffi::U32>>()    // table uint32[2, 4096]: roots of 1 / ratio, of ratio
        .Ret<ffi::BufferR2<ffi::S32>>());  // windows int32[N, 4]: top, left, height, width

}  // namespace jaxdali::cpu
