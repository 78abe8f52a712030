#include "decoding/jpeg_scan.h"

#include <cstring>

namespace jaxdali {
namespace {

// Marker codes, ITU-T T.81 table B.1.
constexpr uint8_t kSof0 = 0xC0, kDht = 0xC4, kRst0 = 0xD0, kRst7 = 0xD7, kEoi = 0xD9, kSos = 0xDA, kDqt = 0xDB;
constexpr uint8_t kDri = 0xDD, kApp0 = 0xE0, kApp14 = 0xEE, kApp15 = 0xEF, kCom = 0xFE;

constexpr int kSmallestSubsampled = 16;

struct Frame {
  int components = 0;
  bool known_ids = false;  // 1, 2, 3: libjpeg takes these for YCbCr without further information
  bool plain_chroma = false;
};

bool HasPlainChroma(const uint8_t* specs, int components, int height, int width) {
  if (components == 1) return specs[1] == 0x11;
  const int luma_h = specs[1] >> 4, luma_v = specs[1] & 15;
  if (luma_h * luma_v > 1 && (height < kSmallestSubsampled || width < kSmallestSubsampled)) return false;
  return specs[4] == 0x11 && specs[7] == 0x11 && (luma_h == 1 || luma_h == 2) && (luma_v == 1 || luma_v == 2);
}

bool ReadFrame(const uint8_t* body, size_t size, Frame* frame) {
  if (size < 6 || body[0] != 8) return false;
  const int height = body[1] << 8 | body[2], width = body[3] << 8 | body[4];
  frame->components = body[5];
  if (height == 0 || width == 0 || (frame->components != 1 && frame->components != 3)) return false;
  if (size != 6 + size_t{3} * frame->components) return false;
  const uint8_t* const specs = body + 6;
  frame->known_ids = frame->components == 1 || (specs[0] == 1 && specs[3] == 2 && specs[6] == 3);
  frame->plain_chroma = HasPlainChroma(specs, frame->components, height, width);
  return true;
}

// Returns whether the entropy-coded data from `at` on end with an end marker and have all restart markers in order.
bool EndsInEoi(const uint8_t* data, size_t size, size_t at) {
  uint8_t restart = kRst0;
  while (at < size) {
    const void* const found = std::memchr(data + at, 0xFF, size - at);
    if (found == nullptr) return false;
    at = static_cast<size_t>(static_cast<const uint8_t*>(found) - data) + 1;
    while (at < size && data[at] == 0xFF) ++at;
    if (at >= size) return false;
    const uint8_t marker = data[at++];
    if (marker == 0) continue;
    if (marker == kEoi) return true;
    if (marker != restart) return false;
    restart = restart == kRst7 ? kRst0 : restart + 1;
  }
  return false;
}

}  // namespace

bool IsPlainJpeg(const uint8_t* data, size_t size) noexcept {
  if (size < 4 || data[0] != 0xFF || data[1] != 0xD8) return false;
  Frame frame;
  bool jfif = false;
  int adobe_transform = -1;
  size_t at = 2;
  while (size - at >= 4) {
    if (data[at] != 0xFF) return false;
    const uint8_t marker = data[at + 1];
    const size_t length = static_cast<size_t>(data[at + 2] << 8 | data[at + 3]);
    if (length < 2 || length > size - at - 2) return false;
    const uint8_t* const body = data + at + 4;
    const size_t body_size = length - 2;
    at += 2 + length;
    if (marker == kSof0) {
      if (frame.components != 0 || !ReadFrame(body, body_size, &frame)) return false;
    } else if (marker == kApp0) {
      jfif = jfif || (body_size >= 5 && std::memcmp(body, "JFIF", 5) == 0);
    } else if (marker == kApp14) {
      if (body_size >= 12 && std::memcmp(body, "Adobe", 5) == 0) adobe_transform = body[11];
    } else if (marker == kSos) {
      if (frame.components == 0 || !frame.plain_chroma || body_size < 1 || body[0] != frame.components) return false;
      const bool is_ycc =
          frame.components == 1 || jfif || adobe_transform == 1 || (adobe_transform < 0 && frame.known_ids);
      return is_ycc && (frame.components == 1 || adobe_transform < 0 || adobe_transform == 1) &&
             EndsInEoi(data, size, at);
    } else if (marker != kDht && marker != kDqt && marker != kDri && marker != kCom &&
               !(marker > kApp0 && marker <= kApp15)) {
      return false;
    }
  }
  return false;
}

}  // namespace jaxdali
