#include "calls/demosaic/cpu_mosaics.h"

#include <algorithm>
#include <cstring>

#include "base/cloned.h"

namespace jaxdali::cpu {
namespace {

constexpr int64_t kRowsOfPart = 64;
// The weights of red, green and blue in luma, with 14 binary places.
constexpr uint32_t kRed = 4899, kGreen = 9617, kBlue = 1868;

// The row above a pixel, its own row, and the row below.
template <typename T>
struct Rows {
  const T *above, *own, *below;
};

// The type for sums of four levels.
template <typename T>
struct Sum;
template <>
struct Sum<uint8_t> {
  using Type = uint16_t;
};
template <>
struct Sum<uint16_t> {
  using Type = uint32_t;
};

// Every other pixel of a row is green. The others, in the columns with the parity of `column`, are all blue or all red.
// The loop has no branches or calls, so that it is vectorized.
template <bool kHasBlue, bool kEdgeAware, typename T>
JAXDALI_ALWAYS_INLINE void FillRow(const Rows<T>& rows, int64_t width, T column, T* __restrict to) {
  using S = typename Sum<T>::Type;
  const T* __restrict above = rows.above, * __restrict own = rows.own, * __restrict below = rows.below;
  for (int64_t x = 1; x < width - 1; ++x) {
    const S left = own[x - 1], right = own[x + 1], up = above[x], down = below[x], level = own[x];
    const S across = static_cast<S>(left + right + 1) >> 1, along = static_cast<S>(up + down + 1) >> 1;
    const S corners = static_cast<S>(S(above[x - 1]) + S(above[x + 1]) + S(below[x - 1]) + S(below[x + 1]) + 2) >> 2;
    S cross = static_cast<S>(left + right + up + down + 2) >> 2;
    if (kEdgeAware) {
      const S level_change = static_cast<S>(std::max(left, right) - std::min(left, right));
      const S upright_change = static_cast<S>(std::max(up, down) - std::min(up, down));
      cross = level_change > upright_change ? along : across;
    }
    // All bits where the pixel is green.
    const S green = static_cast<S>(S((x ^ column) & 1) * S(-1)), other = static_cast<S>(~green);
    const S same = (green & across) | (other & level), opposite = (green & along) | (other & corners);
    to[3 * x] = static_cast<T>(kHasBlue ? opposite : same);
    to[3 * x + 1] = static_cast<T>((green & level) | (other & cross));
    to[3 * x + 2] = static_cast<T>(kHasBlue ? same : opposite);
  }
}

template <typename T>
JAXDALI_ALWAYS_INLINE void FillAnyRow(const Rows<T>& rows, int64_t width, bool has_blue, bool edge_aware, T column,
                                      T* to) {
  if (has_blue)
    return edge_aware ? FillRow<true, true>(rows, width, column, to) : FillRow<true, false>(rows, width, column, to);
  edge_aware ? FillRow<false, true>(rows, width, column, to) : FillRow<false, false>(rows, width, column, to);
}

JAXDALI_CLONED void MakeColours(const Rows<uint8_t>& rows, int64_t width, bool has_blue, bool edge_aware,
                                int64_t column, uint8_t* to) {
  FillAnyRow(rows, width, has_blue, edge_aware, static_cast<uint8_t>(column), to);
}

JAXDALI_CLONED void MakeColours(const Rows<uint16_t>& rows, int64_t width, bool has_blue, bool edge_aware,
                                int64_t column, uint16_t* to) {
  FillAnyRow(rows, width, has_blue, edge_aware, static_cast<uint16_t>(column), to);
}

template <typename T>
JAXDALI_ALWAYS_INLINE void FillLuma(const Rows<T>& rows, int64_t width, bool has_blue, uint32_t column,
                                    T* __restrict to) {
  const T* __restrict above = rows.above, * __restrict own = rows.own, * __restrict below = rows.below;
  const uint32_t here = has_blue ? kBlue : kRed, there = has_blue ? kRed : kBlue;
  for (int64_t x = 1; x < width - 1; ++x) {
    const uint32_t beside = uint32_t{own[x - 1]} + own[x + 1], upright = uint32_t{above[x]} + below[x];
    const uint32_t corners = uint32_t{above[x - 1]} + above[x + 1] + below[x - 1] + below[x + 1];
    const uint32_t coloured = corners * there + (beside + upright) * kGreen + own[x] * (4 * here) + (1u << 15);
    const uint32_t plain = beside * here + upright * there + own[x] * (2 * kGreen) + (1u << 14);
    const uint32_t green = 0u - ((static_cast<uint32_t>(x) ^ column) & 1);
    to[x] = static_cast<T>((green & (plain >> 15)) | (~green & (coloured >> 16)));
  }
}

JAXDALI_CLONED void MakeLuma(const Rows<uint8_t>& rows, int64_t width, bool has_blue, int64_t column, uint8_t* to) {
  FillLuma(rows, width, has_blue, static_cast<uint32_t>(column), to);
}

JAXDALI_CLONED void MakeLuma(const Rows<uint16_t>& rows, int64_t width, bool has_blue, int64_t column, uint16_t* to) {
  FillLuma(rows, width, has_blue, static_cast<uint32_t>(column), to);
}

template <typename T>
int64_t PartsOfMosaic(const Mosaics<T>& mosaics) {
  return (mosaics.height + kRowsOfPart - 1) / kRowsOfPart;
}

template <typename T>
void MakeRow(const Mosaics<T>& mosaics, int64_t sample, int64_t y, int64_t width, T* to) {
  const T* const own = mosaics.pixels + (sample * mosaics.height + y) * mosaics.width;
  const Rows<T> rows = {own - mosaics.width, own, own + mosaics.width};
  const int32_t* const position = mosaics.positions.Of(sample);
  // The position of blue is relative to squares that begin in the second row and column.
  const bool has_blue = ((y ^ position[0]) & 1) != 0;
  const int64_t blue = (position[1] & 1) ^ 1;
  // In rows without blue, red is in the other columns.
  const int64_t column = has_blue ? blue : blue ^ 1;
  const int64_t channels = mosaics.demosaicing == Demosaicing::kGray ? 1 : 3;
  if (channels == 1) {
    MakeLuma(rows, width, has_blue, column, to);
  } else {
    MakeColours(rows, width, has_blue, mosaics.demosaicing == Demosaicing::kEdgeAware, column, to);
  }
  std::copy_n(to + channels, channels, to);
  std::copy_n(to + (width - 2) * channels, channels, to + (width - 1) * channels);
}

}  // namespace

template <typename T>
int64_t MosaicParts(const Mosaics<T>& mosaics) {
  return mosaics.samples * PartsOfMosaic(mosaics);
}

template <typename T>
void Demosaic(const Mosaics<T>& mosaics, int64_t part) noexcept {
  const int64_t sample = part / PartsOfMosaic(mosaics), begin = part % PartsOfMosaic(mosaics) * kRowsOfPart;
  const int64_t end = std::min(begin + kRowsOfPart, mosaics.height);
  const int32_t* const extents = mosaics.extents.Of(sample);
  const int64_t height = std::clamp<int64_t>(extents[0], 0, mosaics.height);
  const int64_t width = std::clamp<int64_t>(extents[1], 0, mosaics.width);
  const int64_t channels = mosaics.demosaicing == Demosaicing::kGray ? 1 : 3, row = mosaics.width * channels;
  for (int64_t y = begin; y < end; ++y) {
    T* const to = mosaics.result + (sample * mosaics.height + y) * row;
    const bool inside = y < height && height > 2 && width > 2;
    if (inside) MakeRow(mosaics, sample, std::clamp<int64_t>(y, 1, height - 2), width, to);
    const int64_t made = inside ? width * channels : 0;
    std::memset(to + made, 0, (row - made) * sizeof(T));
  }
}

template int64_t MosaicParts(const Mosaics<uint8_t>&);
template int64_t MosaicParts(const Mosaics<uint16_t>&);
template void Demosaic(const Mosaics<uint8_t>&, int64_t) noexcept;
template void Demosaic(const Mosaics<uint16_t>&, int64_t) noexcept;

}  // namespace jaxdali::cpu
