// A libFuzzer target: decoding PNG files, whatever they contain.
//
// An input is kControls bytes and a file, or rows, of which a file is made that is as it should be. Besides what the
// sanitizers find, it checks that a file whose inflated rows are known is decoded to what the standard's formulas, one
// byte at a time, make of them; and that nothing is written beside the pixels.
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "fuzzing.h"
#include "png/png_image.h"

namespace jaxdali::png {
namespace {

constexpr size_t kControls = 8;
constexpr uint64_t kMostPixels = 1 << 20;
constexpr uint8_t kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr uint8_t kColorTypes[] = {0, 2, 3, 4, 6}, kChannels[] = {1, 3, 1, 2, 4};

void PutNumber(std::vector<uint8_t>* file, uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) file->push_back(static_cast<uint8_t>(number >> shift));
}

void PutChunk(std::vector<uint8_t>* file, std::string_view name, const uint8_t* body, size_t size) {
  PutNumber(file, static_cast<uint32_t>(size));
  const size_t begin = file->size();
  file->insert(file->end(), name.begin(), name.end());
  file->insert(file->end(), body, body + size);
  PutNumber(file, libdeflate_crc32(0, file->data() + begin, file->size() - begin));
}

// Gives every chunk a checksum that fits, which chance would not find.
void MendSums(std::vector<uint8_t>* file) {
  for (size_t at = sizeof(kSignature); at + 12 <= file->size();) {
    uint8_t* const chunk = file->data() + at;
    const size_t size = size_t{chunk[0]} << 24 | size_t{chunk[1]} << 16 | size_t{chunk[2]} << 8 | chunk[3];
    if (size > file->size() - at - 12) return;
    const uint32_t sum = libdeflate_crc32(0, chunk + 4, size + 4);
    for (int k = 0; k < 4; ++k) chunk[8 + size + k] = static_cast<uint8_t>(sum >> (24 - 8 * k));
    at += 12 + size;
  }
}

// Decodes a file into memory of exactly that size. Returns nothing if it is left to Pillow.
std::vector<uint8_t> Decoded(const std::vector<uint8_t>& file, bool indices) {
  std::optional<PngImage> image = PngImage::Open({file.data(), file.size()}, kMostPixels, indices);
  if (!image || !image->Inflate()) return {};
  const size_t size = image->size_bytes();
  Demand(size == size_t{image->height()} * image->width() * image->channels() * image->level_bytes(),
         "an image has the bytes of its shape");
  const std::unique_ptr<uint8_t[]> pixels = PoisonedMemory(static_cast<int64_t>(size));
  image->Write(pixels.get());
  return {pixels.get(), pixels.get() + size};
}

struct Kind {
  uint32_t width, height, depth, channels;
  bool interlaced;
  uint32_t bits() const { return depth * channels; }
};

struct Pass {
  uint32_t left, top, across, down;
};
constexpr Pass kInterlaced[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};

// Undoes the filter of a row, as the standard has it.
void UndoFilter(uint8_t filter, const uint8_t* above, size_t size, size_t pixel, uint8_t* row) {
  for (size_t x = 0; x < size; ++x) {
    const int a = x < pixel ? 0 : row[x - pixel], b = above[x], c = x < pixel ? 0 : above[x - pixel];
    const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
    const int nearest = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    const int predicted[] = {0, a, b, (a + b) / 2, nearest};
    row[x] = static_cast<uint8_t>(row[x] + predicted[filter]);
  }
}

// Makes rows out of any bytes, and the levels that are expected, of 16 bits.
std::vector<uint8_t> MakeRows(const Kind& kind, const uint8_t* data, size_t size, std::vector<uint16_t>* levels) {
  std::vector<uint8_t> rows;
  size_t used = 0;
  const auto next = [&] { return size == 0 ? uint8_t{0} : data[used++ % size]; };
  levels->assign(size_t{kind.width} * kind.height * kind.channels, 0);
  const size_t passes = kind.interlaced ? 7 : 1;
  for (size_t index = 0; index < passes; ++index) {
    const Pass pass = kind.interlaced ? kInterlaced[index] : Pass{0, 0, 1, 1};
    if (pass.left >= kind.width) continue;
    const uint32_t width = (kind.width - pass.left + pass.across - 1) / pass.across;
    const size_t bytes = (size_t{width} * kind.bits() + 7) / 8;
    std::vector<uint8_t> above(bytes);
    for (uint32_t y = pass.top; y < kind.height; y += pass.down) {
      const uint8_t filter = next() % 8;
      rows.push_back(std::min<uint8_t>(filter, 4));
      std::vector<uint8_t> row;
      for (size_t x = 0; x < bytes; ++x) row.push_back(next());
      rows.insert(rows.end(), row.begin(), row.end());
      UndoFilter(std::min<uint8_t>(filter, 4), above.data(), bytes, std::max<size_t>(1, kind.bits() / 8), row.data());
      for (uint32_t k = 0; k < width * kind.channels; ++k) {
        const size_t bit = size_t{k} * kind.depth;
        const uint32_t level = kind.depth == 16 ? row[bit / 8] << 8 | row[bit / 8 + 1]
                                                : row[bit / 8] >> (8 - kind.depth - bit % 8) & ((1u << kind.depth) - 1);
        const size_t column = pass.left + size_t{pass.across} * (k / kind.channels);
        (*levels)[(y * size_t{kind.width} + column) * kind.channels + k % kind.channels] = static_cast<uint16_t>(level);
      }
      above = row;
    }
  }
  return rows;
}

void CheckMade(const uint8_t* controls, const uint8_t* data, size_t size) {
  const size_t type = controls[1] % 5;
  Kind kind{1u + controls[2] % 64, 1u + controls[3] % 32, 8, kChannels[type], (controls[0] & 2) != 0};
  const bool palette = kColorTypes[type] == 3;
  constexpr uint32_t kDepths[] = {8, 16, 1, 2, 4};
  kind.depth = kDepths[controls[4] % (palette || type == 0 ? 5 : 2)];
  if (palette && kind.depth == 16) kind.depth = 8;
  std::vector<uint16_t> levels;
  const std::vector<uint8_t> rows = MakeRows(kind, data, size, &levels);

  std::vector<uint8_t> file(kSignature, kSignature + sizeof(kSignature)), header;
  PutNumber(&header, kind.width);
  PutNumber(&header, kind.height);
  header.insert(header.end(), {static_cast<uint8_t>(kind.depth), kColorTypes[type], 0, 0, kind.interlaced});
  PutChunk(&file, "IHDR", header.data(), header.size());
  std::vector<uint8_t> colors(3 * (1u + controls[5]));
  for (size_t k = 0; k < colors.size(); ++k) colors[k] = static_cast<uint8_t>(k * 7 + controls[6]);
  if (palette) PutChunk(&file, "PLTE", colors.data(), colors.size());
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(controls[7] % 10), libdeflate_free_compressor);
  std::vector<uint8_t> packed(libdeflate_zlib_compress_bound(compressor.get(), rows.size()));
  packed.resize(libdeflate_zlib_compress(compressor.get(), rows.data(), rows.size(), packed.data(), packed.size()));
  const size_t first = packed.size() * (controls[0] >> 4) / 15;
  PutChunk(&file, "IDAT", packed.data(), first);
  PutChunk(&file, "IDAT", packed.data() + first, packed.size() - first);
  PutChunk(&file, "IEND", nullptr, 0);

  const bool indices = controls[0] & 4;
  const std::vector<uint8_t> pixels = Decoded(file, indices);
  colors.resize(3 * 256);
  std::vector<uint8_t> expected;
  for (const uint16_t level : levels) {
    if (kind.depth == 16) {
      expected.push_back(static_cast<uint8_t>(level));
      expected.push_back(static_cast<uint8_t>(level >> 8));
    } else if (palette && !indices) {
      expected.insert(expected.end(), colors.begin() + 3 * level, colors.begin() + 3 * level + 3);
    } else {
      const uint32_t scale = palette ? 1 : 255 / ((1u << kind.depth) - 1);
      expected.push_back(static_cast<uint8_t>(level * scale));
    }
  }
  Demand(pixels == expected, "a sound file has the pixels of the standard");
}

void Check(const uint8_t* data, size_t size) {
  if (data[0] & 1) return CheckMade(data, data + kControls, size - kControls);
  std::vector<uint8_t> file(data + kControls, data + size);
  if (data[0] & 2) MendSums(&file);
  const bool indices = data[0] & 4;
  Demand(Decoded(file, indices) == Decoded(file, indices), "a file has the same pixels again");
}

}  // namespace
}  // namespace jaxdali::png

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size >= jaxdali::png::kControls) jaxdali::png::Check(data, size);
  return 0;
}
