#include "decoding/pixel_forms.h"

#include <cstring>

#include "decoding/luma.h"

namespace jaxdali::cpu {
namespace {

template <typename To, typename From>
To Level(From level) {
  if constexpr (sizeof(To) == sizeof(From)) return level;
  if constexpr (sizeof(To) > sizeof(From)) return static_cast<To>(level * 257);
  return static_cast<To>((level + 128) / 257);
}

// How the channels of a pixel are made from those of the file.
enum class Way { kCopied, kRepeated, kLuma };

Way WayTo(const FilePixels& pixels, const PixelForm& form) {
  const bool is_gray = pixels.channels < kChannels;
  if (form.color == ImageColor::kRgb && is_gray) return Way::kRepeated;
  return form.color == ImageColor::kGray && !is_gray ? Way::kLuma : Way::kCopied;
}

template <typename From, typename To>
void FormRow(const uint8_t* source, int64_t channels, int64_t count, Way way, int64_t wanted, uint8_t* target) {
  From from[kMostRawChannels];
  To to[kMostRawChannels] = {};
  const int64_t copied = channels < wanted ? channels : wanted;
  for (int64_t x = 0; x < count; ++x, source += channels * sizeof(From), target += wanted * sizeof(To)) {
    std::memcpy(from, source, channels * sizeof(From));
    switch (way) {
      case Way::kCopied:
        for (int64_t c = 0; c < copied; ++c) to[c] = Level<To>(from[c]);
        break;
      case Way::kRepeated:
        to[0] = to[1] = to[2] = Level<To>(from[0]);
        break;
      case Way::kLuma:
        to[0] = Level<To>(Luma(from));
        break;
    }
    std::memcpy(target, to, wanted * sizeof(To));
  }
}

}  // namespace

bool HaveForm(const FilePixels& pixels, const PixelForm& form) {
  return pixels.type == form.type && pixels.channels == form.channels;
}

void FormPixels(const FilePixels& pixels, const Window& window, const PixelForm& form, uint8_t* target) {
  const Way way = WayTo(pixels, form);
  const bool from_levels = pixels.type == ElementType::kUint8, to_levels = form.type == ElementType::kUint8;
  const auto form_row = from_levels ? (to_levels ? FormRow<uint8_t, uint8_t> : FormRow<uint8_t, uint16_t>)
                                    : (to_levels ? FormRow<uint16_t, uint8_t> : FormRow<uint16_t, uint16_t>);
  const uint8_t* source = pixels.data + window.top * pixels.stride + window.left * pixels.PixelBytes();
  const int64_t stride = window.width * form.channels * ElementBytes(form.type);
  for (int64_t y = 0; y < window.height; ++y, source += pixels.stride, target += stride) {
    form_row(source, pixels.channels, window.width, way, form.channels, target);
  }
}

}  // namespace jaxdali::cpu
