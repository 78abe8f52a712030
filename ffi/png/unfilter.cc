#include "png/unfilter.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/cloned.h"

namespace jaxdali::png {
namespace {

enum Filter : uint8_t { kNone, kSub, kUp, kAverage, kPaeth };

// Eight levels: two pixels of up to 4 bytes, or one of up to 8.
using Levels = int16_t __attribute__((vector_size(16)));
using Packed = uint8_t __attribute__((vector_size(8)));

// The neighbour, left, above, or left of that, which is the nearest to left + above - corner. This form has the
// shortest way from `left`, which is known last, to the result; stb_image has it.
template <typename Value>
JAXDALI_ALWAYS_INLINE Value Nearest(Value left, Value above, Value corner) {
  const Value threshold = static_cast<Value>(corner + corner + corner - above - left);
  const Value low = left < above ? left : above, high = left < above ? above : left;
  const Value inner = high <= threshold ? low : corner;
  return threshold <= low ? high : inner;
}

// Rows of which each uses the one before it are computed side by side, each a pixel behind the row before it: what a
// pixel needs is then always there, and processors have several chains of dependent operations to work on.
template <size_t kPixel>
struct Rows {
  static constexpr bool kPairs = kPixel <= 4;  // a vector holds pixels of two rows
  static constexpr size_t kCount = kPairs ? 4 : 2;
  static constexpr size_t kLoaded = kPairs ? 4 : 8;

  const uint8_t* above;
  const uint8_t* filtered[kCount];
  uint8_t* out[kCount];
  size_t width;  // in pixels
  Levels pixels[2] = {}, corners[2] = {};

  // The pixels that the rows are at in step `t`. At either end, where some rows are not in the image, they are zeros.
  template <bool kInside>
  JAXDALI_ALWAYS_INLINE uint64_t Load(const uint8_t* row, size_t t, size_t behind) const {
    uint64_t bits = 0;
    if (kInside || t - behind < width) std::memcpy(&bits, row + (t - behind) * kPixel, kLoaded);
    return bits;
  }
  JAXDALI_ALWAYS_INLINE static Levels Widen(uint64_t bits) {
    Packed packed;
    std::memcpy(&packed, &bits, sizeof(packed));
    return __builtin_convertvector(packed, Levels);
  }
  template <bool kInside>
  JAXDALI_ALWAYS_INLINE void Store(uint8_t* row, size_t t, size_t behind, uint64_t bits) {
    // Inside, bytes of the next pixel are written too; that pixel comes later.
    if (kInside) {
      std::memcpy(row + (t - behind) * kPixel, &bits, kLoaded);
    } else if (t - behind < width) {
      std::memcpy(row + (t - behind) * kPixel, &bits, kPixel);
    }
  }

  template <bool kInside>
  JAXDALI_ALWAYS_INLINE void Step(size_t t) {
    const Levels top = Widen(Load<kInside>(above, t, 0));
    Levels aboves[2];
    uint64_t bits[2];
    if constexpr (kPairs) {
      for (size_t k = 0; k < 2; ++k) {
        bits[k] = Load<kInside>(filtered[2 * k], t, 2 * k) | Load<kInside>(filtered[2 * k + 1], t, 2 * k + 1) << 32;
      }
      aboves[0] = __builtin_shufflevector(top, pixels[0], 0, 1, 2, 3, 8, 9, 10, 11);
      aboves[1] = __builtin_shufflevector(pixels[0], pixels[1], 4, 5, 6, 7, 8, 9, 10, 11);
    } else {
      for (size_t k = 0; k < 2; ++k) bits[k] = Load<kInside>(filtered[k], t, k);
      aboves[0] = top;
      aboves[1] = pixels[0];
    }
    for (size_t k = 0; k < 2; ++k) {
      pixels[k] = (Nearest(pixels[k], aboves[k], corners[k]) + Widen(bits[k])) & 255;
      corners[k] = aboves[k];
      const Packed packed = __builtin_convertvector(pixels[k], Packed);
      std::memcpy(&bits[k], &packed, sizeof(packed));
    }
    for (size_t k = 0; k < 2; ++k) {
      if constexpr (kPairs) {
        Store<kInside>(out[2 * k], t, 2 * k, bits[k]);
        Store<kInside>(out[2 * k + 1], t, 2 * k + 1, bits[k] >> 32);
      } else {
        Store<kInside>(out[k], t, k, bits[k]);
      }
    }
  }

  JAXDALI_ALWAYS_INLINE void Run() {
    const size_t room = (kLoaded + kPixel - 1) / kPixel;  // pixels that a store may touch
    const size_t begin = std::min(kCount - 1, width), end = std::max(begin, width < room ? 0 : width - room + 1);
    for (size_t t = 0; t < begin; ++t) Step<false>(t);
    for (size_t t = begin; t < end; ++t) Step<true>(t);
    for (size_t t = end; t < width + kCount - 1; ++t) Step<false>(t);
  }
};

template <size_t kPixel>
JAXDALI_ALWAYS_INLINE void PaethRows(const uint8_t* filtered, size_t row_bytes, const uint8_t* above, uint8_t* out) {
  Rows<kPixel> rows;
  rows.above = above;
  rows.width = row_bytes / kPixel;
  for (size_t k = 0; k < Rows<kPixel>::kCount; ++k) {
    rows.filtered[k] = filtered + k * (row_bytes + 1) + 1;
    rows.out[k] = out + k * row_bytes;
  }
  rows.Run();
}

template <size_t kPixel>
JAXDALI_ALWAYS_INLINE void OneRow(uint8_t filter, const uint8_t* row, size_t row_bytes, const uint8_t* above,
                                  uint8_t* out) {
  if (filter == kNone) {
    std::memcpy(out, row, row_bytes);
    return;
  }
  if (filter == kUp) {
    for (size_t x = 0; x < row_bytes; ++x) out[x] = static_cast<uint8_t>(row[x] + above[x]);
    return;
  }
  uint8_t left[kPixel] = {}, corner[kPixel] = {};
  const auto each = [&](const auto predicted) {
    for (size_t x = 0; x < row_bytes; x += kPixel) {
      for (size_t k = 0; k < kPixel; ++k) {
        const uint8_t up = above[x + k];
        left[k] = static_cast<uint8_t>(row[x + k] + predicted(int{left[k]}, int{up}, int{corner[k]}));
        corner[k] = up;
        out[x + k] = left[k];
      }
    }
  };
  if (filter == kSub) return each([](int a, int, int) { return a; });
  if (filter == kAverage) return each([](int a, int b, int) { return (a + b) >> 1; });
  each([](int a, int b, int c) { return Nearest(a, b, c); });
}

template <size_t kPixel>
JAXDALI_ALWAYS_INLINE void AllRows(const uint8_t* filtered, size_t rows, size_t row_bytes, const uint8_t* above,
                                   uint8_t* out) {
  constexpr size_t kTogether = Rows<kPixel>::kCount;
  const size_t stride = row_bytes + 1;
  for (size_t y = 0; y < rows;) {
    const uint8_t* const row = filtered + y * stride;
    size_t alike = 0;
    while (alike < kTogether && y + alike < rows && row[alike * stride] == kPaeth) ++alike;
    if (alike == kTogether) {
      PaethRows<kPixel>(row, row_bytes, above, out);
    } else {
      OneRow<kPixel>(row[0], row + 1, row_bytes, above, out);
      alike = 1;
    }
    y += alike;
    out += alike * row_bytes;
    above = out - row_bytes;
  }
}

// One function a size of pixels, since each gets a copy for other processors.
#define JAXDALI_ALL_ROWS(size)                                                                                    \
  JAXDALI_CLONED void AllRows##size(const uint8_t* filtered, size_t rows, size_t row_bytes, const uint8_t* above, \
                                    uint8_t* out) {                                                               \
    AllRows<size>(filtered, rows, row_bytes, above, out);                                                         \
  }
JAXDALI_ALL_ROWS(1)
JAXDALI_ALL_ROWS(2)
JAXDALI_ALL_ROWS(3)
JAXDALI_ALL_ROWS(4)
JAXDALI_ALL_ROWS(6)
JAXDALI_ALL_ROWS(8)
#undef JAXDALI_ALL_ROWS

}  // namespace

void Unfilter(const uint8_t* filtered, size_t rows, size_t row_bytes, size_t pixel_bytes, uint8_t* out) {
  const std::vector<uint8_t> zeros(row_bytes + kReadBeyond);  // the row above the first one
  switch (pixel_bytes) {
    case 1:
      return AllRows1(filtered, rows, row_bytes, zeros.data(), out);
    case 2:
      return AllRows2(filtered, rows, row_bytes, zeros.data(), out);
    case 3:
      return AllRows3(filtered, rows, row_bytes, zeros.data(), out);
    case 4:
      return AllRows4(filtered, rows, row_bytes, zeros.data(), out);
    case 6:
      return AllRows6(filtered, rows, row_bytes, zeros.data(), out);
    default:
      return AllRows8(filtered, rows, row_bytes, zeros.data(), out);
  }
}

}  // namespace jaxdali::png
