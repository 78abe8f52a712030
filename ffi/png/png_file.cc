#include "png/png_file.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace jaxdali::png {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr size_t kHeadBytes = 8, kChecksumBytes = 4, kHeaderBytes = 13;
constexpr size_t kMostPaletteBytes = 3 * 256, kMostProfileName = 79;

// Chunks that do not affect the stored pixels, with their length if Pillow checks it. Others may hold Exif data or
// text.
struct Harmless {
  std::string_view name;
  size_t size;
};
constexpr size_t kAnySize = SIZE_MAX;
constexpr Harmless kHarmless[] = {
    {"sBIT", kAnySize}, {"bKGD", kAnySize}, {"tIME", kAnySize}, {"hIST", kAnySize}, {"sPLT", kAnySize},
    {"oFFs", kAnySize}, {"vpAg", kAnySize}, {"iDOT", kAnySize}, {"cICP", kAnySize}, {"gAMA", 4},
    {"cHRM", 32},       {"sRGB", 1},        {"pHYs", 9},
};
// What texts are about that say nothing of the pixels. Pillow keeps texts and what it knows of a file in one
// dictionary.
constexpr std::string_view kKeywords[] = {"Title",       "Author",      "Description",   "Copyright", "Creation Time",
                                          "Software",    "Comment",     "Disclaimer",    "Warning",   "Source",
                                          "date:create", "date:modify", "date:timestamp"};
// Far less than what Pillow takes of texts.
constexpr size_t kMostText = size_t{1} << 20;

struct Chunk {
  std::string_view name;
  Bytes body;
};

uint32_t BigEndian(const uint8_t* at) {
  return uint32_t{at[0]} << 24 | uint32_t{at[1]} << 16 | uint32_t{at[2]} << 8 | at[3];
}

// Takes the chunk at the beginning of what is left of a file. Returns nullopt if it is not all there.
std::optional<Chunk> TakeChunk(Bytes* left) {
  if (left->size < kHeadBytes + kChecksumBytes) return std::nullopt;
  const size_t size = BigEndian(left->data);
  if (size > left->size - kHeadBytes - kChecksumBytes) return std::nullopt;
  const auto* name = reinterpret_cast<const char*>(left->data + 4);
  const Chunk chunk{{name, 4}, {left->data + kHeadBytes, size}};
  const size_t whole = kHeadBytes + size + kChecksumBytes;
  *left = {left->data + whole, left->size - whole};
  return chunk;
}

bool HasItsSum(const Chunk& chunk) {
  const uint32_t sum = libdeflate_crc32(0, chunk.name.data(), chunk.name.size() + chunk.body.size);
  return sum == BigEndian(chunk.body.data + chunk.body.size);
}

bool ReadHeader(const Chunk& chunk, PngFile* file) {
  if (chunk.name != "IHDR" || chunk.body.size != kHeaderBytes || !HasItsSum(chunk)) return false;
  const uint8_t* const fields = chunk.body.data;
  file->width = BigEndian(fields);
  file->height = BigEndian(fields + 4);
  file->depth = fields[8];
  file->color_type = static_cast<ColorType>(fields[9]);
  file->interlaced = fields[12] == 1;
  if (file->width == 0 || file->height == 0 || fields[10] != 0 || fields[11] != 0 || fields[12] > 1) return false;
  const bool whole = file->depth == 8 || file->depth == 16;
  const bool part = file->depth == 1 || file->depth == 2 || file->depth == 4;
  switch (file->color_type) {
    case ColorType::kGray:
      return whole || part;
    case ColorType::kPalette:
      return part || file->depth == 8;
    case ColorType::kRgb:
    case ColorType::kGrayAlpha:
    case ColorType::kRgba:
      return whole;
  }
  return false;
}

bool IsKnownText(const Chunk& chunk) {
  const std::string_view text(reinterpret_cast<const char*>(chunk.body.data), chunk.body.size);
  const std::string_view keyword = text.substr(0, text.find('\0'));
  return std::find(std::begin(kKeywords), std::end(kKeywords), keyword) != std::end(kKeywords);
}

// Whether Pillow accepts this transparency. It is not applied, since it is no channel.
bool IsTransparency(const Chunk& chunk, const PngFile& file) {
  switch (file.color_type) {
    case ColorType::kPalette:
      return chunk.body.size != 0 && chunk.body.size <= 256;
    case ColorType::kRgb:
      return chunk.body.size == 6;
    case ColorType::kGray:
      return chunk.body.size == 2;
    default:
      return false;
  }
}

// Reads a chunk before or after the pixels. Returns false unless it is known to be harmless.
bool ReadOther(const Chunk& chunk, PngFile* file, size_t* text) {
  if (!HasItsSum(chunk)) return false;
  for (const Harmless& one : kHarmless) {
    if (chunk.name == one.name) return one.size == kAnySize || one.size == chunk.body.size;
  }
  if (chunk.name == "tEXt") return (*text += chunk.body.size) <= kMostText && IsKnownText(chunk);
  if (!file->pixels.empty()) return false;
  if (chunk.name == "tRNS") return IsTransparency(chunk, *file);
  if (chunk.name == "PLTE") {
    const size_t size = chunk.body.size;
    if (file->palette.data != nullptr || size == 0 || size % 3 != 0 || size > kMostPaletteBytes) return false;
    file->palette = chunk.body;
    return true;
  }
  if (chunk.name == "iCCP" && file->profile.data == nullptr) {
    const uint8_t* const begin = chunk.body.data;
    const uint8_t* const end = begin + chunk.body.size;
    const uint8_t* const mark = std::find(begin, end, 0);
    const auto name = static_cast<size_t>(mark - begin);
    if (name == 0 || name > kMostProfileName || end - mark < 3 || mark[1] != 0) return false;
    file->profile = {mark + 2, static_cast<size_t>(end - mark - 2)};
    return true;
  }
  return false;
}

}  // namespace

uint32_t PngFile::channels() const {
  switch (color_type) {
    case ColorType::kGray:
    case ColorType::kPalette:
      return 1;
    case ColorType::kGrayAlpha:
      return 2;
    case ColorType::kRgb:
      return 3;
    case ColorType::kRgba:
      return 4;
  }
  return 0;
}

std::optional<PngFile> ReadChunks(Bytes left) {
  if (left.size < kSignature.size() || std::memcmp(left.data, kSignature.data(), kSignature.size()) != 0) {
    return std::nullopt;
  }
  left = {left.data + kSignature.size(), left.size - kSignature.size()};
  PngFile file;
  std::optional<Chunk> chunk = TakeChunk(&left);
  if (!chunk || !ReadHeader(*chunk, &file)) return std::nullopt;
  bool in_pixels = false;
  size_t text = 0;
  while ((chunk = TakeChunk(&left))) {
    if (chunk->name == "IEND") {
      const bool complete = chunk->body.size == 0 && !file.pixels.empty();
      const bool colored = file.color_type != ColorType::kPalette || file.palette.data != nullptr;
      return complete && colored ? std::optional(std::move(file)) : std::nullopt;
    }
    if (chunk->name == "IDAT") {
      // The parts must be consecutive. Pillow does not check their sums; there is one over all of them.
      if (!in_pixels && !file.pixels.empty()) return std::nullopt;
      in_pixels = true;
      file.pixels.push_back(chunk->body);
      continue;
    }
    in_pixels = false;
    if (!ReadOther(*chunk, &file, &text)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace jaxdali::png
