// Makes a tile of one result of one image, by a team of threads that share little memory.
//
// Where few source pixels weigh in a result, each thread sums its own up. Where many do, source columns go in chunks:
// the team sums up the rows of a chunk for a band of results, and adds those sums to the results. The order of each sum
// is that of cpu/sampling.h: rows first, then columns, ascending.
#ifndef JAXDALI_IMAGES_TILE_H_
#define JAXDALI_IMAGES_TILE_H_

#include <cstdint>

#include "images/axis_taps.h"
#include "images/tile_pixels.h"
#include "images/tile_shared.h"
#include "jpeg/team.h"

namespace jaxdali::images {

namespace tile {

// Sums up a pixel alone.
template <typename Form>
JAXDALI_PORTABLE void MakeDirectly(const Tile& tile, const TileShared& shared, const Spot& spot) {
  const AxisTaps &rows = shared.row_taps[spot.row], &columns = shared.column_taps[spot.column];
  const int row_count = static_cast<int>(rows.count), column_count = static_cast<int>(columns.count);
  const int64_t channels = tile.task->channels;
  const int64_t down = Stride(shared.geometry.y, tile.source.row_step);
  const int64_t right = Stride(shared.geometry.x, tile.source.column_step);
  const uint8_t* const first = PixelAt(tile, shared, rows.first, columns.first);
  for (int64_t channel = 0; channel < channels; channel += Form::together) {
    const int count = static_cast<int>(jpeg::Least<int64_t>(channels - channel, Form::together));
    float result[Form::together] = {};
    const uint8_t* column = first;
    for (int j = 0; j < column_count; ++j, column += right) {
      float sum[Form::together] = {};
      const uint8_t* at = column;
      for (int i = 0; i < row_count; ++i, at += down) {
        float v[Form::together] = {};
        ReadPixel<Form>(tile, shared, at, channel, count, v);
        const float weight = shared.row_weights[spot.row][i];
        JAXDALI_UNROLL
        for (int c = 0; c < Form::together; ++c) {
          const float product = Product(weight, v[c]);
          sum[c] = i == 0 ? product : Sum(sum[c], product);
        }
      }
      const float weight = shared.column_weights[spot.column][j];
      JAXDALI_UNROLL
      for (int c = 0; c < Form::together; ++c) {
        const float product = Product(weight, sum[c]);
        result[c] = j == 0 ? product : Sum(result[c], product);
      }
    }
    StorePixel<Form>(tile, shared, spot, channel, count, result);
  }
}

JAXDALI_PORTABLE void Begin(const Tile& tile, uint32_t thread, TileShared& shared) {
  const RecipeTask& task = *tile.task;
  const int64_t image = tile.source.index;
  if (thread == 0) {
    shared.is_made = tile.source.height > 0 && task.statuses[image] == static_cast<int32_t>(Status::kOk);
    shared.is_raw = shared.has_levels = false;
    shared.geometry = LoadGeometry(task.geometry + image * kGeometryFields, task.regions + image * kRegionFields);
    shared.program = task.program;
    shared.constants = task.program.ConstantsOf(image);
    shared.row_taps_most = shared.column_taps_most = 0;
    shared.begin = shared.end = 0;
  }
}

// The axes, each by a thread of a warp of its own, and the program.
JAXDALI_PORTABLE void PlanAxes(const Tile& tile, uint32_t thread, TileShared& shared) {
  if (!shared.is_made) return;
  const ImageGeometry& geometry = shared.geometry;
  if (thread == 0) shared.rows = PlanAxis(geometry.Request(geometry.y));
  if (thread == 32) shared.columns = PlanAxis(geometry.Request(geometry.x));
  if (thread == 64) {
    int64_t samples, fills;
    FindSample(&shared.program, &samples, &fills);
    shared.has_levels = shared.program.sample > 0 && shared.program.IsPerChannel(shared.program.Before());
    // Not by way of float32, which does not hold every int32.
    shared.is_raw = shared.program.OnlyFills() && tile.task->type == tile.task->result.type;
  }
}

// What the steps before sampling make of each level: they are many more pixels.
template <typename Form>
JAXDALI_PORTABLE void MakeLevels(uint32_t thread, TileShared& shared) {
  static_assert(jpeg::kTeam == 256, "a thread makes a level");
  if (!shared.has_levels) return;
  float v[Form::together];
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) v[c] = static_cast<float>(thread);
  RunSteps(shared.program, shared.constants, shared.program.Before(), 0, Form::together, v);
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) shared.levels[c][thread] = v[c];
}

// Finds out whether each result of an axis is a pixel as it is. Threads that write at once write the same.
JAXDALI_PORTABLE void LookForSums(const Tile& tile, const AxisPlan& plan, uint32_t thread, TileShared& shared) {
  if (plan.kind == AxisKind::kCopied || plan.kind == AxisKind::kNearest) return;
  if (tile.task->type != ElementType::kInt32) {
    // Sums of one pixel are that pixel.
    shared.is_raw = false;
    return;
  }
  for (int64_t i = thread; i < plan.request.count; i += jpeg::kTeam) {
    const AxisTaps taps = TapsOf(plan, tile.task->tables, i);
    if (taps.count != 1 || WeightOf(plan, tile.task->tables, taps, 0) != 1.0f) shared.is_raw = false;
  }
}

JAXDALI_PORTABLE void MakeTaps(const Tile& tile, uint32_t thread, TileShared& shared) {
  const FilterTables& tables = tile.task->tables;
  if (thread < kTileColumns) {
    const int64_t index = AskedAt(shared.geometry.x, tile.left + thread);
    shared.column_taps[thread] = index < 0 ? AxisTaps{} : TapsOf(shared.columns, tables, index);
  } else if (thread < kTileColumns + kTileRows) {
    const uint32_t row = thread - kTileColumns;
    const int64_t index = AskedAt(shared.geometry.y, tile.top + row);
    shared.row_taps[row] = index < 0 ? AxisTaps{} : TapsOf(shared.rows, tables, index);
  }
}

JAXDALI_PORTABLE void Summarize(uint32_t thread, TileShared& shared) {
  if (thread == 0) {
    for (const AxisTaps& taps : shared.row_taps) shared.row_taps_most = jpeg::Most(shared.row_taps_most, taps.count);
  } else if (thread == 32) {
    for (const AxisTaps& taps : shared.column_taps) {
      if (taps.count == 0) continue;
      const bool is_first = shared.end == 0;
      shared.column_taps_most = jpeg::Most(shared.column_taps_most, taps.count);
      shared.begin = is_first ? taps.first : jpeg::Least(shared.begin, taps.first);
      shared.end = is_first ? taps.first + taps.count : jpeg::Most(shared.end, taps.first + taps.count);
    }
  }
}

// Weights of the rows of a band, of source rows from tap `from` on.
JAXDALI_PORTABLE void WeighRows(const Tile& tile, int band, uint32_t thread, int64_t from, TileShared& shared) {
  const int row = band + static_cast<int>(thread) / kChunk, k = static_cast<int>(thread) % kChunk;
  const AxisTaps& taps = shared.row_taps[row];
  if (from + k >= taps.count) return;
  shared.row_weights[row][k] = WeightOf(shared.rows, tile.task->tables, taps, from + k);
}

// Weights of the columns of the tile, of the source columns of a chunk; or of each its own.
JAXDALI_PORTABLE void WeighColumns(const Tile& tile, uint32_t thread, bool own, int64_t from, TileShared& shared) {
  const int k = static_cast<int>(thread) % kChunk;
  for (int column = static_cast<int>(thread) / kChunk; column < kTileColumns; column += jpeg::kTeam / kChunk) {
    const AxisTaps& taps = shared.column_taps[column];
    const int64_t tap = own ? k : from + k - taps.first;
    if (tap < 0 || tap >= taps.count) continue;
    shared.column_weights[column][k] = WeightOf(shared.columns, tile.task->tables, taps, tap);
  }
}

// Adds source rows from tap `from` on to the sums of a chunk of source columns.
template <typename Form>
JAXDALI_PORTABLE void SumRows(const Tile& tile, int band, uint32_t thread, int64_t chunk, int64_t from, int64_t channel,
                              int count, TileShared& shared) {
  const int own = static_cast<int>(thread) / kChunk, column = static_cast<int>(thread) % kChunk, row = band + own;
  const AxisTaps& taps = shared.row_taps[row];
  if (chunk + column >= shared.end || from >= taps.count) return;
  const int taken = static_cast<int>(jpeg::Least<int64_t>(taps.count - from, kChunk));
  float* const kept = shared.sums[own][column];
  float sum[Form::together];
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) sum[c] = kept[c];
  const int64_t down = Stride(shared.geometry.y, tile.source.row_step);
  const uint8_t* at = PixelAt(tile, shared, taps.first + from, chunk + column);
  for (int k = 0; k < taken; ++k, at += down) {
    float v[Form::together] = {};
    ReadPixel<Form>(tile, shared, at, channel, count, v);
    const float weight = shared.row_weights[row][k];
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) {
      const float product = Product(weight, v[c]);
      sum[c] = from + k == 0 ? product : Sum(sum[c], product);
    }
  }
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) kept[c] = sum[c];
}

// Adds the sums of a chunk of source columns to the results.
template <typename Form>
JAXDALI_PORTABLE void SumColumns(const Tile& tile, int band, uint32_t thread, int64_t chunk, TileShared& shared) {
  const Spot spot = tile.SpotOf(shared, band, thread);
  if (!IsSampled(shared, spot)) return;
  const AxisTaps& taps = shared.column_taps[spot.column];
  const int64_t begin = jpeg::Most(chunk, taps.first), end = jpeg::Least(chunk + kChunk, taps.first + taps.count);
  float* const kept = shared.results[spot.row - band][spot.column];
  for (int64_t j = begin; j < end; ++j) {
    const float weight = shared.column_weights[spot.column][j - chunk];
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) {
      const float product = Product(weight, shared.sums[spot.row - band][j - chunk][c]);
      kept[c] = j == taps.first ? product : Sum(kept[c], product);
    }
  }
}

template <typename Form>
JAXDALI_TEAM void MakeInChunks(const jpeg::Team& team, const Tile& tile, int band, int64_t channel, int count,
                               TileShared& shared) {
  for (int64_t chunk = shared.begin; chunk < shared.end; chunk += kChunk) {
    for (int64_t from = 0; from < shared.row_taps_most; from += kChunk) {
      team.Each([&](uint32_t thread) {
        WeighRows(tile, band, thread, from, shared);
        if (from == 0) WeighColumns(tile, thread, false, chunk, shared);
      });
      team.Each([&](uint32_t thread) { SumRows<Form>(tile, band, thread, chunk, from, channel, count, shared); });
    }
    team.Each([&](uint32_t thread) { SumColumns<Form>(tile, band, thread, chunk, shared); });
  }
  team.Each([&](uint32_t thread) {
    const Spot spot = tile.SpotOf(shared, band, thread);
    if (!IsSampled(shared, spot)) return;
    float v[Form::together];
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) v[c] = shared.results[spot.row - band][spot.column][c];
    StorePixel<Form>(tile, shared, spot, channel, count, v);
  });
}

// Pixels that no source pixel weighs in, and channels that none has.
template <typename Form>
JAXDALI_PORTABLE void StoreRest(const Tile& tile, int band, uint32_t thread, const TileShared& shared) {
  const Spot spot = tile.SpotOf(shared, band, thread);
  if (!spot.exists) return;
  if (!spot.is_inside) return StoreZeros(tile, spot);
  if (!IsSampled(shared, spot)) return StoreFill<Form>(tile, shared, spot);
  if (shared.is_raw) CopyPixel(tile, shared, spot);
  StoreAdded(tile, shared, spot);
}

}  // namespace tile

// Makes the tile; `task.statuses` is what ExamineAndNote and others have left.
template <typename Form>
JAXDALI_TEAM void MakeTile(const jpeg::Team& team, const Tile& tile, TileShared& shared) {
  team.Each([&](uint32_t thread) { tile::Begin(tile, thread, shared); });
  team.Each([&](uint32_t thread) { tile::PlanAxes(tile, thread, shared); });
  if (shared.is_made) {
    team.Each([&](uint32_t thread) { tile::MakeTaps(tile, thread, shared); });
    if (shared.is_raw) {
      team.Each([&](uint32_t thread) {
        tile::LookForSums(tile, shared.rows, thread, shared);
        tile::LookForSums(tile, shared.columns, thread, shared);
      });
    }
    team.Each([&](uint32_t thread) {
      tile::Summarize(thread, shared);
      if constexpr (Form::are_levels) tile::MakeLevels<Form>(thread, shared);
    });
  }
  // Bands that the array reaches.
  const auto bands = static_cast<int>(jpeg::Least<int64_t>(tile.task->result.height - tile.top, kTileRows));
  team.Each([&](uint32_t thread) {
    for (int band = 0; band < bands; band += kBandRows) tile::StoreRest<Form>(tile, band, thread, shared);
  });
  // From here on these say the same to all threads.
  if (!shared.is_made || shared.is_raw || shared.end == 0 || shared.row_taps_most == 0) return;
  if (shared.row_taps_most * shared.column_taps_most <= kMostDirect && shared.row_taps_most <= kChunk &&
      shared.column_taps_most <= kChunk) {
    team.Each([&](uint32_t thread) {
      for (int band = 0; band < bands; band += kBandRows) tile::WeighRows(tile, band, thread, 0, shared);
      tile::WeighColumns(tile, thread, true, 0, shared);
    });
    team.Each([&](uint32_t thread) {
      for (int band = 0; band < bands; band += kBandRows) {
        const Spot spot = tile.SpotOf(shared, band, thread);
        if (tile::IsSampled(shared, spot)) tile::MakeDirectly<Form>(tile, shared, spot);
      }
    });
    return;
  }
  const int64_t channels = tile.task->channels;
  for (int64_t channel = 0; channel < channels; channel += Form::together) {
    const int count = static_cast<int>(jpeg::Least<int64_t>(channels - channel, Form::together));
    for (int band = 0; band < bands; band += kBandRows) {
      tile::MakeInChunks<Form>(team, tile, band, channel, count, shared);
    }
  }
}

}  // namespace jaxdali::images

#endif  // JAXDALI_IMAGES_TILE_H_
