// How a thread of a tile reads source pixels and stores result pixels.
#ifndef JAXDALI_CALLS_IMAGES_TILES_TILE_PIXELS_H_
#define JAXDALI_CALLS_IMAGES_TILES_TILE_PIXELS_H_

#include <cstdint>

#include "calls/images/tiles/pixel_math.h"
#include "calls/images/tiles/tile_shared.h"

namespace jaxdali::images::tile {

// Returns where pixel j of an axis, which may be mirrored, is in the source.
JAXDALI_PORTABLE int64_t SourceAt(const AxisGeometry& axis, int64_t j) {
  return axis.start + (axis.is_mirrored ? axis.in - 1 - j : j);
}

JAXDALI_PORTABLE const uint8_t* PixelAt(const Tile& tile, const TileShared& shared, int64_t row, int64_t column) {
  return tile.source.origin + SourceAt(shared.geometry.y, row) * tile.source.row_step +
         SourceAt(shared.geometry.x, column) * tile.source.column_step;
}

// Returns the bytes from a pixel to the next one along its axis.
JAXDALI_PORTABLE int64_t Stride(const AxisGeometry& axis, int64_t step) { return axis.is_mirrored ? -step : step; }

// Reads some channels of the source pixel at an address and applies the instructions for source pixels.
template <typename Form>
JAXDALI_PORTABLE void ReadPixel(const Tile& tile, const TileShared& shared, const uint8_t* at, int64_t channel,
                                int count, float (&v)[1][Form::together]) {
  if constexpr (Form::are_levels) {
    if (shared.has_levels) {
      JAXDALI_UNROLL
      for (int c = 0; c < Form::together; ++c) v[0][c] = FloatOfBits(shared.levels[c][Load(at + c)]);
      return;
    }
  }
  const ElementType type = Form::are_levels ? ElementType::kUint8 : tile.task->type;
  JAXDALI_UNROLL
  for (int c = 0; c < Form::together; ++c) {
    if (c >= count) break;
    v[0][c] = FloatAt(at + (channel + c) * ElementBytes(type), type);
  }
  if (shared.program.sample > 0)
    RunInstructions(shared.program, shared.constants, shared.program.Before(), channel, count, v);
}

// Where the channels of a result pixel go.
struct Place {
  uint8_t* first;
  int64_t stride;  // bytes to the next channel
  int64_t pixel;   // bytes to the next pixel of the row

  JAXDALI_PORTABLE uint8_t* operator[](int64_t channel) const { return first + channel * stride; }
};

JAXDALI_PORTABLE Place PlaceOf(const RecipeTask& task, int64_t image, int64_t top, int64_t left) {
  const ImageResult& result = task.result;
  const int64_t plane = result.height * result.width, pixel = top * result.width + left;
  const int64_t before = image * plane * result.channels, bytes = ElementBytes(result.type);
  if (result.channels_first) return {result.data + (before + pixel) * bytes, plane * bytes, bytes};
  return {result.data + (before + pixel * result.channels) * bytes, bytes, bytes * result.channels};
}
JAXDALI_PORTABLE Place PlaceOf(const Tile& tile, const Spot& spot) {
  return PlaceOf(*tile.task, tile.source.index, spot.top, spot.left);
}

// Stores the channels that a result has in addition to those of its source: the values of FILL if that is the last
// instruction, else zeros.
JAXDALI_PORTABLE void StoreAdded(const Tile& tile, const TileShared& shared, const Spot& spot) {
  const bool fills = shared.program.fill == shared.program.count - 1;
  const float* const values = shared.constants + shared.program.fill * shared.program.width;
  const Place place = PlaceOf(tile, spot);
  for (int64_t c = tile.task->channels; c < tile.task->result.channels; ++c) {
    PutFloat(place[c], tile.task->result.type, fills ? Load(values + c) : 0.0f);
  }
}

// Stores a pixel outside of the resized image.
template <typename Form>
JAXDALI_PORTABLE void StoreFill(const Tile& tile, const TileShared& shared, const Spot& spot) {
  const PixelProgram& program = shared.program;
  const int64_t channels = tile.task->channels;
  const Place place = PlaceOf(tile, spot);
  for (int64_t channel = 0; channel < channels; channel += Form::together) {
    const int count = static_cast<int>(Least<int64_t>(channels - channel, Form::together));
    float v[1][Form::together] = {};
    if (program.fill < program.count) {
      const float* const values = shared.constants + program.fill * program.width + channel;
      for (int c = 0; c < count; ++c) v[0][c] = Load(values + c);
      RunInstructions(program, shared.constants, program.AfterFill(), channel, count, v);
    }
    for (int c = 0; c < count; ++c) PutFloat(place[channel + c], tile.task->result.type, v[0][c]);
  }
  StoreAdded(tile, shared, spot);
}

JAXDALI_PORTABLE void StoreZeros(const Tile& tile, const Spot& spot) {
  const Place place = PlaceOf(tile, spot);
  for (int64_t c = 0; c < tile.task->result.channels; ++c) PutFloat(place[c], tile.task->result.type, 0.0f);
}

// Applies the remaining instructions to some channels of a resampled pixel and stores them.
template <typename Form>
JAXDALI_PORTABLE void StorePixel(const Tile& tile, const TileShared& shared, const Spot& spot, int64_t channel,
                                 int count, float (&v)[1][Form::together]) {
  RunInstructions(shared.program, shared.constants, shared.program.After(), channel, count, v);
  const Place place = PlaceOf(tile, spot);
  WithType(tile.task->result.type, [&](auto known) {
    constexpr ElementType kType = decltype(known)::value;
    JAXDALI_UNROLL
    for (int c = 0; c < Form::together; ++c) {
      if (c >= count) break;
      PutBits(place[channel + c], ElementBytes(kType), BitsAs<kType>(v[0][c]));
    }
  });
}

// Copies the bits of a source pixel.
JAXDALI_PORTABLE void CopyPixel(const Tile& tile, const TileShared& shared, const Spot& spot) {
  const int64_t bytes = ElementBytes(tile.task->type);
  const uint8_t* const from =
      PixelAt(tile, shared, shared.row_taps[spot.row].first, shared.column_taps[spot.column].first);
  const Place place = PlaceOf(tile, spot);
  for (int64_t c = 0; c < tile.task->channels; ++c) PutBits(place[c], bytes, BitsAt(from + c * bytes, bytes));
}

// Returns whether a thread's pixel belongs to the resized image.
JAXDALI_PORTABLE bool IsSampled(const TileShared& shared, const Spot& spot) {
  return spot.is_inside && shared.row_taps[spot.row].count > 0 && shared.column_taps[spot.column].count > 0;
}

}  // namespace jaxdali::images::tile

#endif  // JAXDALI_CALLS_IMAGES_TILES_TILE_PIXELS_H_
