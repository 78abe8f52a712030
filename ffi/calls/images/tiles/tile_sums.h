// How a team sums up the source pixels that contribute to the results of a tile. Every sum adds in the order of
// imaging/sampling.h: rows first, then columns, ascending.
//
// If few pixels contribute to a result, or they are far from those of its neighbours, each thread sums up its own.
// Otherwise, chunk after chunk of source columns, the team sums up the rows for a band, then adds these sums to the
// band's results.
#ifndef JAXDALI_CALLS_IMAGES_TILES_TILE_SUMS_H_
#define JAXDALI_CALLS_IMAGES_TILES_TILE_SUMS_H_

#include <cstdint>

#include "base/team.h"
#include "calls/images/tiles/axis_taps.h"
#include "calls/images/tiles/tile_pixels.h"
#include "calls/images/tiles/tile_shared.h"

namespace jaxdali::images::tile {

// Channels of a pixel that are made together.
struct Channels {
  int64_t first;
  int count;
};

template <typename Form, typename Make>
JAXDALI_TEAM void ByChannels(const Tile& tile, Make make) {
  const int64_t channels = tile.task->channels;
  for (int64_t channel = 0; channel < channels; channel += Form::together) {
    make(Channels{channel, static_cast<int>(Least<int64_t>(channels - channel, Form::together))});
  }
}

// Returns how many threads compute the weights of a result, at least one per weight: a power of two.
JAXDALI_PORTABLE int LanesFor(uint32_t weights) {
  int lanes = 1;
  while (lanes < kMostWeights && static_cast<uint32_t>(lanes) < weights) lanes *= 2;
  return lanes;
}

// Computes the weights of some rows of the tile, starting with tap `from`.
JAXDALI_PORTABLE void WeighRows(const Tile& tile, int first, int rows, uint32_t thread, int64_t from,
                                TileShared& shared) {
  const int lanes = LanesFor(shared.row_taps_most), k = static_cast<int>(thread) & (lanes - 1);
  for (int row = first + static_cast<int>(thread) / lanes; row < first + rows; row += kTeam / lanes) {
    const AxisTaps& taps = shared.row_taps[row];
    if (from + k < taps.count) {
      shared.row_weights[row][k] = WeightOf(shared.rows, tile.task->tables, taps, from + k);
    }
  }
}

// Computes the weights of the columns of the tile: all of each column if `own`, else those for the narrow chunk of
// source columns that begins at `from`.
JAXDALI_PORTABLE void WeighColumns(const Tile& tile, uint32_t thread, bool own, int64_t from, TileShared& shared) {
  const int lanes = own ? LanesFor(shared.column_taps_most) : kMostWeights, k = static_cast<int>(thread) & (lanes - 1);
  for (int column = static_cast<int>(thread) / lanes; column < kTileColumns; column += kTeam / lanes) {
    const AxisTaps& taps = shared.column_taps[column];
    const int64_t tap = own ? k : from + k - taps.first;
    if (tap < 0 || tap >= taps.count) continue;
    shared.column_weights[column][k] = WeightOf(shared.columns, tile.task->tables, taps, tap);
  }
}

// Adds a product to a sum. The first product starts the sum: adding it to zero would lose a negative zero.
JAXDALI_PORTABLE float Added(bool is_first, float sum, float weight, float value) {
  const float product = Product(weight, value);
  return is_first ? product : Sum(sum, product);
}

// Makes one pixel in one thread.
template <typename Form>
JAXDALI_TEAM void SumAlone(const Tile& tile, const TileShared& shared, const Spot& spot) {
  const AxisTaps &rows = shared.row_taps[spot.row], &columns = shared.column_taps[spot.column];
  const int row_count = static_cast<int>(rows.count), column_count = static_cast<int>(columns.count);
  const int64_t down = Stride(shared.geometry.y, tile.source.row_step);
  const int64_t right = Stride(shared.geometry.x, tile.source.column_step);
  const uint8_t* const first = PixelAt(tile, shared, rows.first, columns.first);
  ByChannels<Form>(tile, [&](const Channels& channels) {
    float result[1][Form::together] = {};
    const uint8_t* column = first;
    for (int j = 0; j < column_count; ++j, column += right) {
      float sum[Form::together] = {};
      const uint8_t* at = column;
      for (int i = 0; i < row_count; ++i, at += down) {
        float v[1][Form::together] = {};
        ReadPixel<Form>(tile, shared, at, channels.first, channels.count, v);
        const float weight = shared.row_weights[spot.row][i];
        JAXDALI_UNROLL
        for (int c = 0; c < Form::together; ++c) sum[c] = Added(i == 0, sum[c], weight, v[0][c]);
      }
      const float weight = shared.column_weights[spot.column][j];
      JAXDALI_UNROLL
      for (int c = 0; c < Form::together; ++c) result[0][c] = Added(j == 0, result[0][c], weight, sum[c]);
    }
    StorePixel<Form>(tile, shared, spot, channels.first, channels.count, result);
  });
}

// Source columns whose rows are summed up at a time, in memory order: `low` and the kChunk - 1 after it. The tile reads
// those from `begin` to `end` - 1.
struct Chunk {
  int64_t low, begin, end;
  bool is_last;

  // Returns the chunk that begins at a position of the axis, which may be before what the tile reads.
  JAXDALI_PORTABLE static Chunk At(const TileShared& shared, int64_t place) {
    const AxisGeometry& x = shared.geometry.x;
    const int64_t from = Most<int64_t>(place, shared.begin);
    const int64_t to = Least<int64_t>(place + kChunk, shared.end);
    const bool is_last = to == shared.end;
    if (!x.is_mirrored) return {x.start + place, x.start + from, x.start + to, is_last};
    const int64_t after = x.start + x.in;
    return {after - place - kChunk, after - to, after - from, is_last};
  }
  // Returns where the first chunk begins, so that each chunk begins at a whole word of 4 levels in memory.
  JAXDALI_PORTABLE static int64_t First(const TileShared& shared) {
    const AxisGeometry& x = shared.geometry.x;
    const int64_t begin = shared.begin;
    const int64_t over = x.is_mirrored ? -(x.start + x.in - begin) : x.start + begin;
    return begin - (over & 3);
  }
};

// Words that are requested before the first of them arrives.
inline constexpr int kAhead = 4;

// Loads the levels of a word of memory. If not all of its bytes are the tile's, loads only bytes `first` to `end` - 1:
// the others may lie outside of the image.
JAXDALI_PORTABLE uint32_t LoadLevels(const uint8_t* at, bool is_word, int first, int end) {
  if (is_word) return Load(reinterpret_cast<const uint32_t*>(at));
  uint32_t word = 0;
  JAXDALI_UNROLL
  for (int i = 0; i < 4; ++i) {
    if (i >= first && i < end) word |= uint32_t{Load(at + i)} << 8 * i;
  }
  return word;
}

// Sums up the rows of a band for the source columns of a chunk, 4 levels at a time, whichever channels they belong to.
// A warp makes one row, so the weights are the same for all its threads.
template <typename Form, bool kHasLevels>
JAXDALI_PORTABLE void SumWords(const Tile& tile, int band, uint32_t thread, const Chunk& chunk, TileShared& shared) {
  constexpr int kWarp = kTeam / kBandRows;
  static_assert(Form::are_levels && kChunk * Form::together % 4 == 0, "words hold levels");
  const int own = static_cast<int>(thread) / kWarp, row = band + own;
  const AxisTaps& taps = shared.row_taps[row];
  const int count = static_cast<int>(taps.count);
  if (count == 0) return;
  const int64_t down = Stride(shared.geometry.y, tile.source.row_step);
  const int begin = static_cast<int>(chunk.begin - chunk.low) * Form::together;
  const int end = static_cast<int>(chunk.end - chunk.low) * Form::together;
  const uint8_t* const start =
      tile.source.origin + SourceAt(shared.geometry.y, taps.first) * tile.source.row_step + chunk.low * Form::together;
  const bool is_aligned = reinterpret_cast<uintptr_t>(start) % 4 == 0 && down % 4 == 0;
  const float* const weights = shared.row_weights[row];
  for (int flat = (begin & ~3) + static_cast<int>(thread) % kWarp * 4; flat < end; flat += kWarp * 4) {
    const bool is_word = is_aligned && flat >= begin && flat + 4 <= end;
    const uint8_t* at = start + flat;
    float sum[4] = {};
    for (int from = 0; from < count; from += kAhead) {
      uint32_t words[kAhead];
      JAXDALI_UNROLL
      for (int k = 0; k < kAhead; ++k, at += down) {
        words[k] = from + k < count ? LoadLevels(at, is_word, begin - flat, end - flat) : 0;
      }
      JAXDALI_UNROLL
      for (int k = 0; k < kAhead; ++k) {
        if (from + k >= count) break;
        const float weight = weights[from + k];
        JAXDALI_UNROLL
        for (int i = 0; i < 4; ++i) {
          const uint32_t level = words[k] >> 8 * i & 0xFFu;
          const float value =
              kHasLevels ? FloatOfBits(shared.levels[(flat + i) % Form::together][level]) : static_cast<float>(level);
          sum[i] = Added(from + k == 0, sum[i], weight, value);
        }
      }
    }
    JAXDALI_UNROLL
    for (int i = 0; i < 4; ++i) shared.sums[own][flat + i] = sum[i];
  }
}

// The same, a pixel at a time.
template <typename Form>
JAXDALI_PORTABLE void SumPixels(const Tile& tile, int band, uint32_t thread, const Chunk& chunk,
                                const Channels& channels, TileShared& shared) {
  const int64_t down = Stride(shared.geometry.y, tile.source.row_step);
  const int columns = static_cast<int>(chunk.end - chunk.begin);
  for (int item = static_cast<int>(thread); item < kBandRows * columns; item += kTeam) {
    const int own = item / columns, row = band + own;
    const int64_t column = chunk.begin + item % columns;
    const AxisTaps& taps = shared.row_taps[row];
    if (taps.count == 0) continue;
    const uint8_t* at = tile.source.origin + SourceAt(shared.geometry.y, taps.first) * tile.source.row_step +
                        column * tile.source.column_step;
    float sum[Form::together] = {};
    for (int k = 0; k < static_cast<int>(taps.count); ++k, at += down) {
      float v[1][Form::together] = {};
      ReadPixel<Form>(tile, shared, at, channels.first, channels.count, v);
      const float weight = shared.row_weights[row][k];
      JAXDALI_UNROLL
      for (int c = 0; c < Form::together; ++c) sum[c] = Added(k == 0, sum[c], weight, v[0][c]);
    }
    float* const kept = shared.sums[own] + (column - chunk.low) * Form::together;
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) kept[c] = sum[c];
  }
}

// Adds the sums of a chunk to a result, and stores the result after the last chunk.
template <typename Form>
JAXDALI_PORTABLE void SumChunk(const Tile& tile, int band, uint32_t thread, int64_t place, const Chunk& chunk,
                               const Channels& channels, TileShared& shared) {
  const Spot spot = tile.SpotOf(shared, band, thread);
  if (!IsSampled(shared, spot)) return;
  const int own = spot.row - band;
  const AxisTaps& taps = shared.column_taps[spot.column];
  const AxisGeometry& x = shared.geometry.x;
  const auto begin = static_cast<int>(Most(place, taps.first) - taps.first);
  const auto end = static_cast<int>(Least(place + kChunk, taps.first + taps.count) - taps.first);
  const int right = x.is_mirrored ? -Form::together : Form::together;
  // An index, not an address: if no tap lies in the chunk, it lies outside of the sums and is not used.
  const auto first = static_cast<int>((SourceAt(x, taps.first + begin) - chunk.low) * Form::together);
  const float* const sums = shared.sums[own];
  float* const kept = shared.results[own][spot.column];
  float v[1][Form::together] = {};
  if (begin > 0) {
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) v[0][c] = kept[c];
  }
  for (int tap = begin, at = first; tap < end; ++tap, at += right) {
    const float weight = shared.column_weights[spot.column][tap];
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) v[0][c] = Added(tap == 0, v[0][c], weight, sums[at + c]);
  }
  if (chunk.is_last) return StorePixel<Form>(tile, shared, spot, channels.first, channels.count, v);
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) kept[c] = v[0][c];
}

// Returns whether levels are contiguous and the instructions before sampling, if any, are in the table of levels.
template <typename Form>
JAXDALI_PORTABLE bool HaveWords(const Tile& tile, const TileShared& shared) {
  return tile.source.column_step == Form::together && (shared.program.sample == 0 || shared.has_levels);
}

// Makes a band for which all weights are kept.
template <typename Form>
JAXDALI_TEAM void SumByChunks(const Team& team, const Tile& tile, int band, TileShared& shared) {
  const int64_t first = Chunk::First(shared);
  ByChannels<Form>(tile, [&](const Channels& channels) {
    for (int64_t place = first; place < shared.end; place += kChunk) {
      const Chunk chunk = Chunk::At(shared, place);
      team.Each([&](uint32_t thread) {
        if constexpr (Form::are_levels) {
          if (HaveWords<Form>(tile, shared)) {
            if (shared.has_levels) return SumWords<Form, true>(tile, band, thread, chunk, shared);
            return SumWords<Form, false>(tile, band, thread, chunk, shared);
          }
        }
        SumPixels<Form>(tile, band, thread, chunk, channels, shared);
      });
      team.Each([&](uint32_t thread) { SumChunk<Form>(tile, band, thread, place, chunk, channels, shared); });
    }
  });
}

// Adds source rows, starting with tap `from`, to the sums of a narrow chunk of source columns.
template <typename Form>
JAXDALI_PORTABLE void SumRows(const Tile& tile, int band, uint32_t thread, int64_t chunk, int64_t from,
                              const Channels& channels, TileShared& shared) {
  const int own = static_cast<int>(thread) / kNarrowChunk, column = static_cast<int>(thread) % kNarrowChunk;
  const int row = band + own;
  const AxisTaps& taps = shared.row_taps[row];
  if (chunk + column >= shared.end || from >= taps.count) return;
  const int taken = static_cast<int>(Least<int64_t>(taps.count - from, kMostWeights));
  float* const kept = shared.sums[own] + column * kMostTogether;
  float sum[Form::together];
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) sum[c] = kept[c];
  const int64_t down = Stride(shared.geometry.y, tile.source.row_step);
  const uint8_t* at = PixelAt(tile, shared, taps.first + from, chunk + column);
  for (int k = 0; k < taken; ++k, at += down) {
    float v[1][Form::together] = {};
    ReadPixel<Form>(tile, shared, at, channels.first, channels.count, v);
    const float weight = shared.row_weights[row][k];
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) sum[c] = Added(from + k == 0, sum[c], weight, v[0][c]);
  }
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) kept[c] = sum[c];
}

// Adds the sums of a narrow chunk of source columns to the results.
template <typename Form>
JAXDALI_PORTABLE void SumColumns(const Tile& tile, int band, uint32_t thread, int64_t chunk, TileShared& shared) {
  const Spot spot = tile.SpotOf(shared, band, thread);
  if (!IsSampled(shared, spot)) return;
  const AxisTaps& taps = shared.column_taps[spot.column];
  const int64_t begin = Most(chunk, taps.first);
  const int64_t end = Least(chunk + kNarrowChunk, taps.first + taps.count);
  float* const kept = shared.results[spot.row - band][spot.column];
  for (int64_t j = begin; j < end; ++j) {
    const float weight = shared.column_weights[spot.column][j - chunk];
    const float* const sums = shared.sums[spot.row - band] + (j - chunk) * kMostTogether;
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) kept[c] = Added(j == taps.first, kept[c], weight, sums[c]);
  }
}

// Makes a band whose results have more weights than are kept.
template <typename Form>
JAXDALI_TEAM void SumByNarrowChunks(const Team& team, const Tile& tile, int band, TileShared& shared) {
  ByChannels<Form>(tile, [&](const Channels& channels) {
    for (int64_t chunk = shared.begin; chunk < shared.end; chunk += kNarrowChunk) {
      for (int64_t from = 0; from < shared.row_taps_most; from += kMostWeights) {
        team.Each([&](uint32_t thread) {
          WeighRows(tile, band, kBandRows, thread, from, shared);
          if (from == 0) WeighColumns(tile, thread, false, chunk, shared);
        });
        team.Each([&](uint32_t thread) { SumRows<Form>(tile, band, thread, chunk, from, channels, shared); });
      }
      team.Each([&](uint32_t thread) { SumColumns<Form>(tile, band, thread, chunk, shared); });
    }
    team.Each([&](uint32_t thread) {
      const Spot spot = tile.SpotOf(shared, band, thread);
      if (!IsSampled(shared, spot)) return;
      float v[1][Form::together];
      JAXDALI_UNROLL
      for (int c = 0; c < Form::together; ++c) v[0][c] = shared.results[spot.row - band][spot.column][c];
      StorePixel<Form>(tile, shared, spot, channels.first, channels.count, v);
    });
  });
}

}  // namespace jaxdali::images::tile

#endif  // JAXDALI_CALLS_IMAGES_TILES_TILE_SUMS_H_
