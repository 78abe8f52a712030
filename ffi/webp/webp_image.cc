#include "webp/webp_image.h"

#include <webp/decode.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace jaxdali::webp {
namespace {

constexpr size_t kRiffBytes = 12, kHeadBytes = 8, kExtendedBytes = 10;
constexpr uint8_t kHasProfile = 0x20, kHasAlpha = 0x10;

uint32_t LittleEndian(const uint8_t* at) {
  return at[0] | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 | uint32_t{at[3]} << 24;
}

std::string_view NameAt(const uint8_t* at) { return {reinterpret_cast<const char*>(at), 4}; }

// The chunks of a file, up to the longest that is read here: VP8X, ICCP, ALPH, and the pixels.
struct Chunks {
  std::string_view names[4];
  size_t count = 0;
  uint8_t flags = 0;  // of VP8X

  bool Are(std::initializer_list<std::string_view> wanted) const {
    return std::equal(names, names + count, wanted.begin(), wanted.end());
  }
};

// Returns nullopt unless the chunks fill the file.
std::optional<Chunks> ReadChunks(const uint8_t* file, size_t size) {
  if (size < kRiffBytes || NameAt(file) != "RIFF" || NameAt(file + 8) != "WEBP") return std::nullopt;
  if (LittleEndian(file + 4) != size - kHeadBytes) return std::nullopt;
  Chunks chunks;
  for (size_t at = kRiffBytes; at != size;) {
    if (chunks.count == std::size(chunks.names) || size - at < kHeadBytes) return std::nullopt;
    const size_t body = LittleEndian(file + at + 4), padded = body + body % 2;
    if (padded > size - at - kHeadBytes) return std::nullopt;
    const std::string_view name = NameAt(file + at);
    if (name == "VP8X") {
      if (body != kExtendedBytes) return std::nullopt;
      chunks.flags = file[at + kHeadBytes];
    }
    chunks.names[chunks.count++] = name;
    at += kHeadBytes + padded;
  }
  return chunks;
}

// Whether there is one image, which nothing turns, and VP8X says what there is.
bool IsOrdinary(const Chunks& chunks, bool has_alpha) {
  if (chunks.Are({"VP8 "}) || chunks.Are({"VP8L"})) return true;
  const bool profile = chunks.count > 1 && chunks.names[1] == "ICCP";
  if (chunks.flags != ((profile ? kHasProfile : 0) | (has_alpha ? kHasAlpha : 0))) return false;
  return profile ? chunks.Are({"VP8X", "ICCP", "VP8 "}) || chunks.Are({"VP8X", "ICCP", "VP8L"}) ||
                       chunks.Are({"VP8X", "ICCP", "ALPH", "VP8 "})
                 : chunks.Are({"VP8X", "VP8 "}) || chunks.Are({"VP8X", "VP8L"}) || chunks.Are({"VP8X", "ALPH", "VP8 "});
}

}  // namespace

std::optional<WebpImage> WebpImage::Open(const uint8_t* file, size_t size, uint64_t max_pixels) {
  const std::optional<Chunks> chunks = ReadChunks(file, size);
  WebPBitstreamFeatures features;
  if (!chunks || WebPGetFeatures(file, size, &features) != VP8_STATUS_OK || features.has_animation ||
      !IsOrdinary(*chunks, features.has_alpha)) {
    return std::nullopt;
  }
  WebpImage image;
  image.file_ = file;
  image.size_ = size;
  image.height_ = static_cast<uint32_t>(features.height);
  image.width_ = static_cast<uint32_t>(features.width);
  image.has_alpha_ = features.has_alpha;
  if (uint64_t{image.height_} * image.width_ > max_pixels) return std::nullopt;
  return image;
}

bool WebpImage::Write(uint8_t* out) const {
  const auto stride = static_cast<int>(width_ * channels());
  const auto decode = has_alpha_ ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  return decode(file_, size_, out, size_bytes(), stride) != nullptr;
}

}  // namespace jaxdali::webp
