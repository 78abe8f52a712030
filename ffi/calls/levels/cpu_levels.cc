#include "calls/levels/cpu_levels.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "imaging/level_lookup.h"

namespace jaxdali::cpu {
namespace {

constexpr int64_t kRowsOfPart = 64;
// Neighbouring pixels are often equal. Counting them in different banks avoids waiting for the previous increment.
constexpr int64_t kBanks = 2;

int64_t PartsOfImage(const LevelImages& images) { return (images.height + kRowsOfPart - 1) / kRowsOfPart; }

int64_t Height(const LevelImages& images, int64_t sample) {
  return std::clamp<int64_t>(images.extents.Of(sample)[0], 0, images.height);
}

int64_t Width(const LevelImages& images, int64_t sample) {
  return std::clamp<int64_t>(images.extents.Of(sample)[1], 0, images.width);
}

class Counter {
 public:
  explicit Counter(int64_t channels) : channels_(channels), counts_(kBanks * channels * kLevels) {}

  void Clear() { std::fill(counts_.begin(), counts_.end(), 0); }

  // Counts contiguous pixels.
  void Add(const uint8_t* pixels, int64_t count) {
    int32_t* const banks[kBanks] = {counts_.data(), counts_.data() + channels_ * kLevels};
    for (int64_t x = 0; x < count; ++x) {
      int32_t* bank = banks[x % kBanks];
      for (int64_t c = 0; c < channels_; ++c, bank += kLevels) ++bank[*pixels++];
    }
  }

  void Store(int32_t* result) const {
    const int64_t size = channels_ * kLevels;
    for (int64_t k = 0; k < size; ++k) result[k] = counts_[k] + counts_[size + k];
  }

 private:
  int64_t channels_;
  std::vector<int32_t> counts_;
};

const uint8_t* RowOf(const LevelImages& images, int64_t sample, int64_t y) {
  return images.pixels + (sample * images.height + y) * images.width * images.channels;
}

// Mixes the entries at `place` of the four tables around a pixel. Each pointer is to the contiguous tables of all
// channels.
uint8_t Mixed(const uint8_t* const (&tables)[2][2], int64_t place, float across, float down) {
  const float stay = 1 - across;
  const float above = tables[0][0][place] * stay + tables[0][1][place] * across;
  const float below = tables[1][0][place] * stay + tables[1][1][place] * across;
  const float mean = above * (1 - down) + below * down;
  // From about this value on, floats have no fraction, so the sum is rounded to an integer, halves to even.
  constexpr float kWhole = 12582912;
  return static_cast<uint8_t>(std::clamp((mean + kWhole) - kWhole, 0.0f, 255.0f));
}

void MixRow(const TileMix& mix, int64_t sample, int64_t y, int64_t width, uint8_t* to) {
  const int64_t channels = mix.images.channels, size = channels * kLevels;
  const uint8_t* const own = mix.tables + sample * mix.rows * mix.columns * size;
  const int64_t row = mix.along_rows.Begin(sample) + y;
  const auto row_of = [&](const int32_t* of) {
    return own + std::clamp<int64_t>(of[row], 0, mix.rows - 1) * mix.columns * size;
  };
  const uint8_t *const above = row_of(mix.along_rows.before), *const below = row_of(mix.along_rows.behind);
  const float down = mix.along_rows.share[row];
  const uint8_t* from = RowOf(mix.images, sample, y);
  for (int64_t x = 0; x < width; ++x) {
    const int64_t column = mix.along_columns.Begin(sample) + x;
    const int64_t left = std::clamp<int64_t>(mix.along_columns.before[column], 0, mix.columns - 1) * size;
    const int64_t right = std::clamp<int64_t>(mix.along_columns.behind[column], 0, mix.columns - 1) * size;
    const uint8_t* const tables[2][2] = {{above + left, above + right}, {below + left, below + right}};
    const float across = mix.along_columns.share[column];
    for (int64_t c = 0; c < channels; ++c) *to++ = Mixed(tables, c * kLevels + *from++, across, down);
  }
}

// Makes the results of a part row by row with `make(sample, y, width, to)`, and clears everything beyond them.
template <typename Make>
void ForRows(const LevelImages& images, int64_t part, uint8_t* result, Make make) {
  const int64_t sample = part / PartsOfImage(images), begin = part % PartsOfImage(images) * kRowsOfPart;
  const int64_t end = std::min(begin + kRowsOfPart, images.height), bytes = images.width * images.channels;
  for (int64_t y = begin; y < end; ++y) {
    uint8_t* const to = result + (sample * images.height + y) * bytes;
    const int64_t width = y < Height(images, sample) ? Width(images, sample) : 0;
    if (width > 0) make(sample, y, width, to);
    std::memset(to + width * images.channels, 0, bytes - width * images.channels);
  }
}

}  // namespace

bool CountLevels(const LevelCounts& counts, int64_t part) noexcept {
  try {
    const LevelImages& images = counts.images;
    const int64_t sample = part / counts.rows, row = part % counts.rows, size = images.channels * kLevels;
    const int64_t height = Height(images, sample), width = Width(images, sample);
    const int64_t tile_height = std::clamp<int64_t>(counts.tiles.Of(sample)[0], 1, 2 * images.height);
    const int64_t tile_width = std::clamp<int64_t>(counts.tiles.Of(sample)[1], 1, 2 * images.width);
    int32_t* result = counts.result + part * counts.columns * size;
    Counter counter(images.channels);
    for (int64_t column = 0; column < counts.columns; ++column, result += size) {
      counter.Clear();
      const int64_t begin = column * tile_width, end = begin + tile_width;
      const int64_t own = std::clamp(width, begin, end);
      for (int64_t y = row * tile_height; height > 0 && width > 0 && y < (row + 1) * tile_height; ++y) {
        const uint8_t* const from = RowOf(images, sample, Mirrored(y, height));
        counter.Add(from + begin * images.channels, own - begin);
        for (int64_t x = own; x < end; ++x) counter.Add(from + Mirrored(x, width) * images.channels, 1);
      }
      counter.Store(result);
    }
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

int64_t LookupParts(const LevelLookup& lookup) { return lookup.images.samples * PartsOfImage(lookup.images); }

void LookUp(const LevelLookup& lookup, int64_t part) noexcept {
  const LevelImages& images = lookup.images;
  const int64_t channels = images.channels;
  ForRows(images, part, lookup.result, [&](int64_t sample, int64_t y, int64_t width, uint8_t* to) {
    const uint8_t* from = RowOf(images, sample, y);
    const uint8_t* const tables = lookup.tables + sample * channels * kLevels;
    if (channels == 1) return LookUpLevels(from, width, tables, to);
    for (int64_t x = 0; x < width; ++x) {
      for (int64_t c = 0; c < channels; ++c) *to++ = tables[c * kLevels + *from++];
    }
  });
}

int64_t MixParts(const TileMix& mix) { return mix.images.samples * PartsOfImage(mix.images); }

void Mix(const TileMix& mix, int64_t part) noexcept {
  ForRows(mix.images, part, mix.result,
          [&](int64_t sample, int64_t y, int64_t width, uint8_t* to) { MixRow(mix, sample, y, width, to); });
}

}  // namespace jaxdali::cpu
