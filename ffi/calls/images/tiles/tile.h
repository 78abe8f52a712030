// Makes tiles of one result of one image, with a team of threads that share a little memory.
#ifndef JAXDALI_CALLS_IMAGES_TILES_TILE_H_
#define JAXDALI_CALLS_IMAGES_TILES_TILE_H_

#include <cstdint>

#include "base/team.h"
#include "calls/images/tiles/axis_taps.h"
#include "calls/images/tiles/runs.h"
#include "calls/images/tiles/tile_pixels.h"
#include "calls/images/tiles/tile_shared.h"
#include "calls/images/tiles/tile_sums.h"

namespace jaxdali::images {

namespace tile {

// A thread sums up a result alone if at most this many source pixels contribute to it, or if it shares few of them with
// its neighbours.
inline constexpr uint32_t kMostAlone = 4;

JAXDALI_PORTABLE void Begin(const RecipeTask& task, const SourceImage& source, bool is_of_runs, uint32_t thread,
                            TileShared& shared) {
  const int64_t image = source.index;
  if (thread == 0) {
    shared.is_made = source.height > 0 && task.statuses[image] == static_cast<int32_t>(Status::kOk);
    shared.is_raw = shared.has_levels = false;
    shared.is_of_runs = is_of_runs;
    shared.geometry = LoadGeometry(task.geometry + image * kGeometryFields, task.regions + image * kRegionFields);
    shared.program = task.program;
    shared.constants = task.program.ConstantsOf(image);
  }
}

// Plans the axes and the program, each in a thread of a different warp.
JAXDALI_PORTABLE void PlanAxes(const RecipeTask& task, uint32_t thread, TileShared& shared) {
  if (!shared.is_made) return;
  const ImageGeometry& geometry = shared.geometry;
  if (thread == 0 && !shared.is_of_runs) shared.rows = PlanAxis(geometry.Request(geometry.y));
  if (thread == 32 && !shared.is_of_runs) shared.columns = PlanAxis(geometry.Request(geometry.x));
  if (thread == 64) {
    int64_t samples, fills;
    FindSample(&shared.program, &samples, &fills);
    // Copies bits instead of converting to float32 and back, which cannot represent every int32.
    shared.is_raw = shared.program.OnlyFills() && task.type == task.result.type;
  }
}

// Decides whether instructions are applied to levels instead of pixels.
template <typename Form>
JAXDALI_PORTABLE void PlanLevels(uint32_t thread, TileShared& shared) {
  if (thread != 0 || !shared.is_made || !Form::are_levels) return;
  const PixelProgram& program = shared.program;
  shared.has_levels = shared.is_of_runs ? !shared.is_raw && program.IsPerChannel(program.All())
                                        : program.sample > 0 && program.IsPerChannel(program.Before());
}

// Applies the instructions to each level: there are many more pixels than levels.
template <typename Form>
JAXDALI_PORTABLE void MakeLevels(const RecipeTask& task, uint32_t thread, TileShared& shared) {
  static_assert(kTeam == 256, "a thread makes a level");
  if (!shared.has_levels) return;
  float v[1][Form::together];
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) v[0][c] = static_cast<float>(thread);
  const InstructionRange instructions = shared.is_of_runs ? shared.program.All() : shared.program.Before();
  RunInstructions(shared.program, shared.constants, instructions, 0, Form::together, v);
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) {
    shared.levels[c][thread] = shared.is_of_runs ? BitsOf(v[0][c], task.result.type) : FloatBits(v[0][c]);
  }
}

// Prepares what is the same for all tiles of an image.
template <typename Form>
JAXDALI_TEAM void BeginImage(const Team& team, const RecipeTask& task, const SourceImage& source, bool is_of_runs,
                             TileShared& shared) {
  team.Each([&](uint32_t thread) { Begin(task, source, is_of_runs, thread, shared); });
  team.Each([&](uint32_t thread) { PlanAxes(task, thread, shared); });
  if constexpr (Form::are_levels) {
    team.Each([&](uint32_t thread) { PlanLevels<Form>(thread, shared); });
    team.Each([&](uint32_t thread) { MakeLevels<Form>(task, thread, shared); });
  }
}

JAXDALI_PORTABLE void BeginTile(uint32_t thread, TileShared& shared) {
  if (thread != 0) return;
  shared.copies = shared.is_raw;
  shared.row_taps_most = shared.column_taps_most = shared.end = 0;
  shared.begin = 0xFFFFFFFFu;
}

JAXDALI_TEAM void MakeTaps(const Tile& tile, uint32_t thread, TileShared& shared) {
  if (!shared.is_made) return;
  const FilterTables& tables = tile.task->tables;
  if (thread < kTileColumns) {
    const int64_t index = AskedAt(shared.geometry.x, tile.left + thread);
    const AxisTaps taps = index < 0 ? AxisTaps{} : TapsOf(shared.columns, tables, index);
    shared.column_taps[thread] = taps;
    if (taps.count == 0) return;
    TakeMost(&shared.column_taps_most, static_cast<uint32_t>(taps.count));
    TakeLeast(&shared.begin, static_cast<uint32_t>(taps.first));
    TakeMost(&shared.end, static_cast<uint32_t>(taps.first + taps.count));
  } else if (thread < kTileColumns + kTileRows) {
    const uint32_t row = thread - kTileColumns;
    const int64_t index = AskedAt(shared.geometry.y, tile.top + row);
    const AxisTaps taps = index < 0 ? AxisTaps{} : TapsOf(shared.rows, tables, index);
    shared.row_taps[row] = taps;
    TakeMost(&shared.row_taps_most, static_cast<uint32_t>(taps.count));
  }
}

// Finds out whether each result of an axis is an unchanged pixel. Threads that write at the same time write the same
// value.
JAXDALI_PORTABLE void LookForSums(const Tile& tile, const AxisPlan& plan, uint32_t thread, TileShared& shared) {
  if (plan.kind == AxisKind::kCopied || plan.kind == AxisKind::kNearest) return;
  if (tile.task->type != ElementType::kInt32) {
    // A sum of one pixel gives that pixel anyway.
    shared.copies = false;
    return;
  }
  for (int64_t i = thread; i < plan.request.count; i += kTeam) {
    const AxisTaps taps = TapsOf(plan, tile.task->tables, i);
    if (taps.count != 1 || WeightOf(plan, tile.task->tables, taps, 0) != 1.0f) shared.copies = false;
  }
}

// Stores everything that needs no sums: zeros, fill, copied pixels, and channels that the source lacks.
template <typename Form>
JAXDALI_PORTABLE void StoreRest(const Tile& tile, int band, uint32_t thread, const TileShared& shared) {
  const Spot spot = tile.SpotOf(shared, band, thread);
  if (!spot.exists) return;
  if (!spot.is_inside) return StoreZeros(tile, spot);
  if (!IsSampled(shared, spot)) return StoreFill<Form>(tile, shared, spot);
  if (shared.copies) CopyPixel(tile, shared, spot);
  StoreAdded(tile, shared, spot);
}

// Sums up the source pixels that contribute to the results of the tile's first `rows` rows.
template <typename Form>
JAXDALI_TEAM void SumUp(const Team& team, const Tile& tile, int rows, TileShared& shared) {
  if (shared.row_taps_most > kMostWeights || shared.column_taps_most > kMostWeights) {
    for (int band = 0; band < rows; band += kBandRows) SumByNarrowChunks<Form>(team, tile, band, shared);
    return;
  }
  team.Each([&](uint32_t thread) {
    WeighRows(tile, 0, kTileRows, thread, 0, shared);
    WeighColumns(tile, thread, true, 0, shared);
  });
  const bool are_few = shared.row_taps_most * shared.column_taps_most <= kMostAlone;
  if (are_few || shared.end - shared.begin >= shared.column_taps_most * kTileColumns) {
    team.Each([&](uint32_t thread) {
      for (int band = 0; band < rows; band += kBandRows) {
        const Spot spot = tile.SpotOf(shared, band, thread);
        if (IsSampled(shared, spot)) SumAlone<Form>(tile, shared, spot);
      }
    });
    return;
  }
  for (int band = 0; band < rows; band += kBandRows) SumByChunks<Form>(team, tile, band, shared);
}

// Makes a tile of an image that BeginImage has prepared.
template <typename Form>
JAXDALI_TEAM void Make(const Team& team, const Tile& tile, TileShared& shared) {
  team.Each([&](uint32_t thread) { BeginTile(thread, shared); });
  team.Each([&](uint32_t thread) { MakeTaps(tile, thread, shared); });
  if (shared.is_raw) {
    team.Each([&](uint32_t thread) {
      LookForSums(tile, shared.rows, thread, shared);
      LookForSums(tile, shared.columns, thread, shared);
    });
  }
  // The rows of the tile that lie in the result's array.
  const auto rows = static_cast<int>(Least<int64_t>(tile.task->result.height - tile.top, kTileRows));
  team.Each([&](uint32_t thread) {
    for (int band = 0; band < rows; band += kBandRows) StoreRest<Form>(tile, band, thread, shared);
  });
  // These are final, so all threads decide alike.
  if (!shared.is_made || shared.copies || shared.end == 0 || shared.row_taps_most == 0) return;
  SumUp<Form>(team, tile, rows, shared);
}

}  // namespace tile

// Makes share number `first` of the `step` shares of an image: some of its tiles, or of its rows. `task.statuses` is as
// ExamineAndNote and earlier steps have left it.
template <typename Form>
JAXDALI_TEAM void MakeShare(const Team& team, const RecipeTask& task, const SourceImage& source, uint32_t first,
                            uint32_t step, TileShared& shared) {
  const bool is_of_runs = IsOfRuns<Form>(task, source.index);
  const uint32_t shares = is_of_runs ? RunShares(task.result, step) : step;
  if (first >= shares) return;
  tile::BeginImage<Form>(team, task, source, is_of_runs, shared);
  if (is_of_runs) {
    team.Each([&](uint32_t thread) { MakeRuns<Form>(task, source, thread, first, shares, shared); });
    return;
  }
  const auto across = static_cast<uint32_t>(TilesAcross(task.result)),
             tiles = static_cast<uint32_t>(TilesOf(task.result));
  for (uint32_t number = first; number < tiles; number += step) {
    const Tile tile = {&task, source, int64_t{number / across} * kTileRows, int64_t{number % across} * kTileColumns};
    tile::Make<Form>(team, tile, shared);
    // The next tile must not begin while some threads still check whether this one is made.
    team.Each([](uint32_t) {});
  }
}

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_TILE_H_
