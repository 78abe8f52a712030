#include "png/png_image.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "png/unfilter.h"

namespace jaxdali::png {
namespace {

// Deflate makes at most this many bytes of one.
constexpr uint64_t kMostInflated = 1032;
// Pillow reads profiles up to this size.
constexpr size_t kMostProfileBytes = size_t{1} << 20;
constexpr size_t kTableBytes = 3 * 256;

// Where the passes of interlaced files begin, and how far apart their columns and rows are (ISO/IEC 15948, 8.2).
constexpr uint32_t kLeft[] = {0, 4, 0, 2, 0, 1, 0}, kAcross[] = {8, 8, 4, 4, 2, 2, 1};
constexpr uint32_t kTop[] = {0, 0, 4, 0, 2, 0, 1}, kDown[] = {8, 8, 8, 4, 4, 2, 2};

uint32_t CountFrom(uint32_t first, uint32_t extent, uint32_t apart) {
  return extent <= first ? 0 : (extent - first - 1) / apart + 1;
}

// Turns levels of 16 bits from the file's byte order to the machine's.
void SwapLevels(const uint8_t* levels, size_t count, uint8_t* out) {
  for (size_t k = 0; k < count; ++k) {
    const auto level = static_cast<uint16_t>(levels[2 * k] << 8 | levels[2 * k + 1]);
    std::memcpy(out + 2 * k, &level, sizeof(level));
  }
}

template <size_t kPixel>
void Spread(const uint8_t* pixels, size_t count, size_t apart, uint8_t* out) {
  for (size_t x = 0; x < count; ++x) std::memcpy(out + x * apart, pixels + x * kPixel, kPixel);
}

}  // namespace

std::optional<PngImage> PngImage::Open(Bytes file, uint64_t max_pixels, bool indices) {
  std::optional<PngFile> chunks = ReadChunks(file);
  if (!chunks || uint64_t{chunks->width} * chunks->height > max_pixels) return std::nullopt;
  PngImage image(std::move(*chunks), indices);
  // In bytes, with a filter a row and up to seven rows that are shorter than a byte, no image below 2^59 overflows.
  uint64_t packed = 0, filtered = 0;
  for (const Bytes& part : image.file_.pixels) packed += part.size;
  if (uint64_t{image.width()} * image.height() > uint64_t{1} << 56) return std::nullopt;
  for (size_t index = 0; index < image.passes(); ++index) {
    const Pass pass = image.pass(index);
    if (pass.width != 0) filtered += uint64_t{pass.height} * (pass.row_bytes + 1);
  }
  // Data that cannot be long enough are not given memory for the image.
  if (filtered / kMostInflated > packed) return std::nullopt;
  image.filtered_bytes_ = filtered;
  return image;
}

PngImage::Pass PngImage::pass(size_t index) const {
  Pass pass{0, 0, 1, 1, width(), height(), 0};
  if (file_.interlaced) {
    pass = {kLeft[index], kTop[index], kAcross[index], kDown[index], 0, 0, 0};
    pass.width = CountFrom(pass.left, width(), pass.across);
    pass.height = CountFrom(pass.top, height(), pass.down);
  }
  pass.row_bytes = (size_t{pass.width} * file_.pixel_bits() + 7) / 8;
  return pass;
}

bool PngImage::InflateProfile() {
  if (file_.profile.data == nullptr) return true;
  size_t size = 0;
  return libdeflate_zlib_decompress(scratch_.decompressor(), file_.profile.data, file_.profile.size,
                                    scratch_.filtered().Take(kMostProfileBytes), kMostProfileBytes,
                                    &size) == LIBDEFLATE_SUCCESS;
}

Bytes PngImage::JoinParts() {
  if (file_.pixels.size() == 1) return file_.pixels[0];
  size_t size = 0;
  for (const Bytes& part : file_.pixels) size += part.size;
  uint8_t* const joined = scratch_.joined().Take(size);
  uint8_t* to = joined;
  for (const Bytes& part : file_.pixels) to = std::copy_n(part.data, part.size, to);
  return {joined, size};
}

bool PngImage::HasKnownFilters() const {
  const uint8_t* row = scratch_.filtered().data();
  for (size_t index = 0; index < passes(); ++index) {
    const Pass one = pass(index);
    if (one.width == 0) continue;
    for (uint32_t y = 0; y < one.height; ++y, row += one.row_bytes + 1) {
      if (*row >= kFilters) return false;
    }
  }
  return true;
}

bool PngImage::Inflate() {
  if (!InflateProfile()) return false;
  const Bytes packed = JoinParts();
  uint8_t* const filtered = scratch_.filtered().Take(filtered_bytes_ + kReadBeyond);
  std::memset(filtered + filtered_bytes_, 0, kReadBeyond);
  size_t read = 0;
  const libdeflate_result result = libdeflate_zlib_decompress_ex(scratch_.decompressor(), packed.data, packed.size,
                                                                 filtered, filtered_bytes_, &read, nullptr);
  return result == LIBDEFLATE_SUCCESS && read == packed.size && HasKnownFilters();
}

void PngImage::Write(uint8_t* out) {
  const uint8_t* rows = scratch_.filtered().data();
  const size_t row_levels = size_t{width()} * channels();
  if (!file_.interlaced && file_.depth >= 8 && !colored()) {
    Unfilter(rows, height(), row_levels * level_bytes(), pixel_bytes(), out);
    if (file_.depth == 16) SwapLevels(out, row_levels * height(), out);
    return;
  }
  for (size_t index = 0; index < passes(); ++index) {
    const Pass one = pass(index);
    if (one.width == 0) continue;
    WritePass(one, rows, out);
    rows += one.height * (one.row_bytes + 1);
  }
}

void PngImage::WritePass(const Pass& pass, const uint8_t* rows, uint8_t* out) {
  uint8_t* const stored = scratch_.rows().Take(pass.height * pass.row_bytes);
  Unfilter(rows, pass.height, pass.row_bytes, std::max<size_t>(1, file_.pixel_bits() / 8), stored);
  const bool looked_up = file_.depth < 8 || colored();
  uint8_t table[kTableBytes];
  if (looked_up) FillTable(table);
  for (uint32_t y = 0; y < pass.height; ++y) {
    const uint8_t* const row = stored + y * pass.row_bytes;
    const size_t first = (pass.top + size_t{pass.down} * y) * width() + pass.left;
    uint8_t* const to = out + first * pixel_bytes();
    looked_up ? WriteLookedUp(pass, row, table, to) : WriteLevels(pass, row, to);
  }
}

void PngImage::WriteLevels(const Pass& pass, const uint8_t* row, uint8_t* out) const {
  const size_t apart = pass.across * pixel_bytes();
  if (file_.depth == 16) {
    for (uint32_t x = 0; x < pass.width; ++x) SwapLevels(row + x * pixel_bytes(), channels(), out + x * apart);
    return;
  }
  switch (channels()) {
    case 1:
      return Spread<1>(row, pass.width, apart, out);
    case 2:
      return Spread<2>(row, pass.width, apart, out);
    case 3:
      return Spread<3>(row, pass.width, apart, out);
    default:
      return Spread<4>(row, pass.width, apart, out);
  }
}

// Fills a table with what each of the numbers that a pixel can have becomes.
void PngImage::FillTable(uint8_t* table) const {
  const uint32_t numbers = 1u << file_.depth;
  if (!colored()) {
    const uint32_t scale = file_.color_type == ColorType::kPalette ? 1 : 255 / (numbers - 1);
    for (uint32_t number = 0; number < numbers; ++number) table[number] = static_cast<uint8_t>(number * scale);
    return;
  }
  std::memset(table, 0, kTableBytes);  // as in Pillow, an index behind the palette's end is black
  std::memcpy(table, file_.palette.data, file_.palette.size);
}

void PngImage::WriteLookedUp(const Pass& pass, const uint8_t* row, const uint8_t* table, uint8_t* out) const {
  const uint32_t depth = file_.depth, mask = (1u << depth) - 1;
  const size_t size = pixel_bytes(), apart = pass.across * size;
  for (uint32_t x = 0; x < pass.width; ++x) {
    const size_t bit = size_t{x} * depth;
    const uint32_t number = row[bit / 8] >> (8 - depth - bit % 8) & mask;
    if (size == 1) {
      out[x * apart] = table[number];
    } else {
      std::memcpy(out + x * apart, table + 3 * number, 3);
    }
  }
}

}  // namespace jaxdali::png
