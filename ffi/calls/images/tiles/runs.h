// Makes images that are not resized, in runs of several neighbouring pixels of a row: they are read and stored
// together, and instructions and types are examined once for all of them.
#ifndef JAXDALI_CALLS_IMAGES_TILES_RUNS_H_
#define JAXDALI_CALLS_IMAGES_TILES_RUNS_H_

#include <cstdint>

#include "calls/images/tiles/pixel_math.h"
#include "calls/images/tiles/tile_pixels.h"
#include "calls/images/tiles/tile_shared.h"

namespace jaxdali::images {

// Pixels of a run, and elements per memory access.
inline constexpr int kRun = 4;
// Runs that a thread requests before the first of them arrives.
inline constexpr int kRunsAhead = 2;
// The fewest pixels of an image that are worth a block's preparations.
inline constexpr int64_t kShare = 8192;

namespace runs {

using tile::Place;
using tile::SourceAt;
using tile::Stride;

template <typename Element>
struct alignas(kRun * sizeof(Element)) Four {
  Element at[kRun];
};

template <typename Element>
JAXDALI_PORTABLE Four<Element> LoadFour(const Four<Element>* at) {
#ifdef __CUDA_ARCH__
  // Loads as read-only data, so that the compiler may request it before earlier results are stored.
  Four<Element> four;
  if constexpr (sizeof(four) == 4) {
    *reinterpret_cast<uint32_t*>(&four) = __ldg(reinterpret_cast<const uint32_t*>(at));
  } else if constexpr (sizeof(four) == 8) {
    *reinterpret_cast<uint2*>(&four) = __ldg(reinterpret_cast<const uint2*>(at));
  } else {
    *reinterpret_cast<uint4*>(&four) = __ldg(reinterpret_cast<const uint4*>(at));
  }
  return four;
#else
  return *at;
#endif
}

template <typename Element>
JAXDALI_PORTABLE bool IsAligned(const uint8_t* at) {
  return reinterpret_cast<uintptr_t>(at) % sizeof(Four<Element>) == 0;
}

// The pixels of a result along one axis. Those from `begin` to `end` - 1 come from the source, each `step` bytes after
// the previous one; the others up to `size` are fill, and those beyond are zeros.
struct RunAxis {
  int64_t begin, end, size;
  int64_t step;

  JAXDALI_PORTABLE static RunAxis Of(const AxisGeometry& axis, int64_t step) {
    const int64_t stride = Stride(axis, step), front = axis.Front(), inside = axis.Inside();
    if (!axis.flips) return {front, front + inside, axis.size, stride};
    return {axis.size - front - inside, axis.size - front, axis.size, -stride};
  }
  // Returns the source pixel of the result pixel at `begin`.
  JAXDALI_PORTABLE int64_t First(const AxisGeometry& axis) const {
    return SourceAt(axis, axis.flips ? axis.Begin() + axis.Inside() - 1 : axis.Begin());
  }
};

enum class Origin { kSource, kFill, kZeros, kSeveral };

// Returns where `count` pixels of the result's array come from, starting with pixel `first`.
JAXDALI_PORTABLE Origin OriginOf(const RunAxis& axis, int64_t first, int count) {
  const int64_t end = first + count;
  if (first >= axis.begin && end <= axis.end) return Origin::kSource;
  if (first >= axis.size) return Origin::kZeros;
  return end <= axis.size && (end <= axis.begin || first >= axis.end) ? Origin::kFill : Origin::kSeveral;
}

// What the runs of an image need, worked out once for all of them.
struct RunImage {
  RunAxis y, x;
  const uint8_t* first;  // the source pixel of the result pixel at (y.begin, x.begin)

  JAXDALI_PORTABLE static RunImage Of(const SourceImage& source, const TileShared& shared) {
    if (!shared.is_made) return {};
    const ImageGeometry& geometry = shared.geometry;
    RunImage image = {RunAxis::Of(geometry.y, source.row_step), RunAxis::Of(geometry.x, source.column_step), nullptr};
    image.first =
        source.origin + image.y.First(geometry.y) * source.row_step + image.x.First(geometry.x) * source.column_step;
    return image;
  }
};

// Reads the bits of source pixels that are `step` bytes apart; `step` is negative if they are mirrored.
template <typename Element, int kPixels, int kChannels>
JAXDALI_PORTABLE void Read(const uint8_t* at, int64_t step, uint32_t (&bits)[kPixels][kChannels]) {
  constexpr int kBytes = kChannels * sizeof(Element);
  if constexpr (kPixels == kRun) {
    const bool is_mirrored = step == -kBytes;
    const uint8_t* const low = is_mirrored ? at + (kPixels - 1) * step : at;
    if ((is_mirrored || step == kBytes) && IsAligned<Element>(low)) {
      Element read[kPixels * kChannels];
      JAXDALI_UNROLL
      for (int four = 0; four < kChannels; ++four) {
        const auto found = LoadFour(reinterpret_cast<const Four<Element>*>(low) + four);
        JAXDALI_UNROLL
        for (int i = 0; i < kRun; ++i) read[four * kRun + i] = found.at[i];
      }
      JAXDALI_UNROLL
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        JAXDALI_UNROLL
        for (int c = 0; c < kChannels; ++c) {
          bits[pixel][c] = is_mirrored ? read[(kPixels - 1 - pixel) * kChannels + c] : read[pixel * kChannels + c];
        }
      }
      return;
    }
  }
  JAXDALI_UNROLL
  for (int pixel = 0; pixel < kPixels; ++pixel) {
    JAXDALI_UNROLL
    for (int c = 0; c < kChannels; ++c) {
      bits[pixel][c] = Load(reinterpret_cast<const Element*>(at + pixel * step) + c);
    }
  }
}

template <typename Element, int kPixels, int kChannels>
JAXDALI_PORTABLE void Store(const Place& place, bool channels_first, const uint32_t (&bits)[kPixels][kChannels]) {
  if constexpr (kPixels == kRun) {
    bool is_aligned = IsAligned<Element>(place[0]);
    if (channels_first) {
      JAXDALI_UNROLL
      for (int c = 1; c < kChannels; ++c) is_aligned = is_aligned && IsAligned<Element>(place[c]);
    }
    if (is_aligned) {
      JAXDALI_UNROLL
      for (int four = 0; four < kChannels; ++four) {
        Four<Element> stored;
        JAXDALI_UNROLL
        for (int i = 0; i < kRun; ++i) {
          const int flat = four * kRun + i;
          stored.at[i] =
              static_cast<Element>(channels_first ? bits[i][four] : bits[flat / kChannels][flat % kChannels]);
        }
        uint8_t* const at = channels_first ? place[four] : place[0] + four * sizeof(stored);
        *reinterpret_cast<Four<Element>*>(at) = stored;
      }
      return;
    }
  }
  JAXDALI_UNROLL
  for (int pixel = 0; pixel < kPixels; ++pixel) {
    JAXDALI_UNROLL
    for (int c = 0; c < kChannels; ++c) {
      *reinterpret_cast<Element*>(place[c] + pixel * place.pixel) = static_cast<Element>(bits[pixel][c]);
    }
  }
}

template <typename Form>
JAXDALI_PORTABLE ElementType TypeOf(const RecipeTask& task) {
  return Form::are_levels ? ElementType::kUint8 : task.type;
}

template <typename Form, int kPixels>
JAXDALI_PORTABLE void ReadOf(ElementType type, const uint8_t* at, int64_t step,
                             uint32_t (&bits)[kPixels][Form::together]) {
  const int64_t bytes = ElementBytes(type);
  if (bytes == 1) {
    Read<uint8_t>(at, step, bits);
  } else if (bytes == 2) {
    Read<uint16_t>(at, step, bits);
  } else {
    Read<uint32_t>(at, step, bits);
  }
}

template <int kPixels, int kChannels>
JAXDALI_PORTABLE void StoreAs(const ImageResult& result, const Place& place,
                              const uint32_t (&bits)[kPixels][kChannels]) {
  const int64_t bytes = ElementBytes(result.type);
  if (bytes == 1) {
    Store<uint8_t>(place, result.channels_first, bits);
  } else if (bytes == 2) {
    Store<uint16_t>(place, result.channels_first, bits);
  } else {
    Store<uint32_t>(place, result.channels_first, bits);
  }
}

// Applies instructions to values and converts them to the bits of the result's type.
template <int kPixels, int kChannels>
JAXDALI_PORTABLE void Finish(const RecipeTask& task, const TileShared& shared, InstructionRange range,
                             float (&v)[kPixels][kChannels], uint32_t (&bits)[kPixels][kChannels]) {
  RunInstructions(shared.program, shared.constants, range, 0, kChannels, v);
  WithType(task.result.type, [&](auto known) {
    JAXDALI_UNROLL
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      JAXDALI_UNROLL
      for (int c = 0; c < kChannels; ++c) bits[pixel][c] = BitsAs<decltype(known)::value>(v[pixel][c]);
    }
  });
}

// Converts the bits of source elements to those of result elements.
template <typename Form, int kPixels>
JAXDALI_PORTABLE void Convert(const RecipeTask& task, const TileShared& shared,
                              uint32_t (&bits)[kPixels][Form::together]) {
  if (shared.is_raw) return;
  if constexpr (Form::are_levels) {
    if (shared.has_levels) {
      JAXDALI_UNROLL
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        JAXDALI_UNROLL
        for (int c = 0; c < Form::together; ++c) bits[pixel][c] = shared.levels[c][bits[pixel][c]];
      }
      return;
    }
  }
  float v[kPixels][Form::together];
  WithType(TypeOf<Form>(task), [&](auto known) {
    JAXDALI_UNROLL
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      JAXDALI_UNROLL
      for (int c = 0; c < Form::together; ++c) v[pixel][c] = FloatAs<decltype(known)::value>(bits[pixel][c]);
    }
  });
  // All instructions may run in one go: SAMPLE and FILL do not change values.
  Finish(task, shared, shared.program.All(), v, bits);
}

template <int kPixels, int kChannels>
JAXDALI_PORTABLE void MakeOfFill(const RecipeTask& task, const TileShared& shared,
                                 uint32_t (&bits)[kPixels][kChannels]) {
  const PixelProgram& program = shared.program;
  float v[kPixels][kChannels] = {};
  if (program.fill == program.count) return;
  JAXDALI_UNROLL
  for (int c = 0; c < kChannels; ++c) {
    const float value = Load(shared.constants + program.fill * program.width + c);
    JAXDALI_UNROLL
    for (int pixel = 0; pixel < kPixels; ++pixel) v[pixel][c] = value;
  }
  Finish(task, shared, program.AfterFill(), v, bits);
}

// Makes pixels of a row, starting at `place`. Does nothing and returns false if they have different origins.
template <typename Form, int kPixels>
JAXDALI_PORTABLE bool Make(const RecipeTask& task, const TileShared& shared, const RunImage& image, Origin row,
                           const uint8_t* source, int64_t left, const Place& place) {
  const Origin columns = OriginOf(image.x, left, kPixels);
  const Origin origin = row == Origin::kZeros || columns == Origin::kZeros ? Origin::kZeros
                        : columns == Origin::kSource                       ? row
                                                                           : columns;
  if (origin == Origin::kSeveral) return false;
  uint32_t bits[kPixels][Form::together] = {};
  if (origin == Origin::kSource) {
    const uint8_t* const at = source + (left - image.x.begin) * image.x.step;
    ReadOf<Form>(TypeOf<Form>(task), at, image.x.step, bits);
    Convert<Form>(task, shared, bits);
  } else if (origin == Origin::kFill) {
    MakeOfFill(task, shared, bits);
  }
  StoreAs(task.result, place, bits);
  return true;
}

// Makes runs of source pixels, each `apart` pixels after the previous one.
template <typename Form>
JAXDALI_PORTABLE void MakeSeveral(const RecipeTask& task, const TileShared& shared, const RunImage& image,
                                  const uint8_t* source, int64_t left, int64_t apart, Place place) {
  uint32_t bits[kRunsAhead * kRun][Form::together];
  JAXDALI_UNROLL
  for (int run = 0; run < kRunsAhead; ++run) {
    auto& own = *reinterpret_cast<uint32_t (*)[kRun][Form::together]>(&bits[run * kRun]);
    ReadOf<Form>(TypeOf<Form>(task), source + (left + run * apart - image.x.begin) * image.x.step, image.x.step, own);
  }
  Convert<Form>(task, shared, bits);
  JAXDALI_UNROLL
  for (int run = 0; run < kRunsAhead; ++run) {
    const auto& own = *reinterpret_cast<const uint32_t (*)[kRun][Form::together]>(&bits[run * kRun]);
    StoreAs(task.result, place, own);
    place.first += apart * place.pixel;
  }
}

}  // namespace runs

// Returns whether an image is made in runs: if it is not resized, and all channels of a pixel are made at a time. Needs
// no plan.
template <typename Form>
JAXDALI_PORTABLE bool IsOfRuns(const RecipeTask& task, int64_t image) {
  const auto filter = static_cast<Filter>(Load(task.geometry + image * kGeometryFields + kMinFilter));
  return filter == Filter::kNone && task.channels == Form::together && task.result.channels == Form::together;
}

// Returns how many of `most` teams share an image.
JAXDALI_PORTABLE uint32_t RunShares(const ImageResult& result, uint32_t most) {
  const int64_t shares = (result.height * result.width + kShare - 1) / kShare;
  return static_cast<uint32_t>(Clamp<int64_t>(shares, 1, Most<uint32_t>(most / 2, 1)));
}

// Makes a thread's runs of an image that `step` teams share. A warp makes one row, or several short ones.
template <typename Form>
JAXDALI_PORTABLE void MakeRuns(const RecipeTask& task, const SourceImage& source, uint32_t thread, uint32_t first,
                               uint32_t step, const TileShared& shared) {
  const ImageResult& result = task.result;
  int64_t lanes = 1;
  while (lanes < 32 && lanes * kRun < result.width) lanes *= 2;
  const int64_t together = kTeam / lanes, apart = lanes * kRun;
  const auto image = runs::RunImage::Of(source, shared);
  for (int64_t row = first * together + thread / lanes; row < result.height; row += step * together) {
    const runs::Origin origin = runs::OriginOf(image.y, row, 1);
    const uint8_t* const of_row = image.first + (row - image.y.begin) * image.y.step;
    tile::Place place = tile::PlaceOf(task, source.index, row, 0);
    uint8_t* const begin = place.first;
    for (int64_t left = thread % lanes * kRun; left < result.width; left += apart) {
      place.first = begin + left * place.pixel;
      const int64_t ahead = (kRunsAhead - 1) * apart;
      if (origin == runs::Origin::kSource && left >= image.x.begin && left + ahead + kRun <= image.x.end) {
        runs::MakeSeveral<Form>(task, shared, image, of_row, left, apart, place);
        left += ahead;
        continue;
      }
      if (left + kRun <= result.width && runs::Make<Form, kRun>(task, shared, image, origin, of_row, left, place)) {
        continue;
      }
      for (int64_t at = left; at < Least(left + kRun, result.width); ++at) {
        place.first = begin + at * place.pixel;
        runs::Make<Form, 1>(task, shared, image, origin, of_row, at, place);
      }
    }
  }
}

}  // namespace jaxdali::images

#endif  // JAXDALI_CALLS_IMAGES_TILES_RUNS_H_
