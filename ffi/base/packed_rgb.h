// Pixels of three bytes, which a device reads and writes as words.
#ifndef JAXDALI_BASE_PACKED_RGB_H_
#define JAXDALI_BASE_PACKED_RGB_H_

#include <cstdint>

namespace jaxdali::gpu {

inline constexpr int kRgbBytes = 3;

// Reads bytes that need not begin at a word boundary. Reads only words that contain some of the bytes.
struct ByteReader {
  __device__ explicit ByteReader(const uint8_t* bytes)
      : words(reinterpret_cast<const char*>(reinterpret_cast<uintptr_t>(bytes) & ~uintptr_t{3})),
        ahead(static_cast<int32_t>(reinterpret_cast<uintptr_t>(bytes) & 3)) {}

  __device__ uint32_t Word(int32_t byte) const { return *reinterpret_cast<const uint32_t*>(words + (byte & ~3)); }

  // Returns six bytes starting at `byte` in two words, of which the first holds four.
  __device__ uint2 LoadTwoRgb(int32_t byte) const {
    const int32_t at = byte + ahead;
    const auto* const two = reinterpret_cast<const uint32_t*>(words + (at & ~3));
    const uint32_t first = two[0], second = two[1], last = Word(at + 2 * kRgbBytes - 1);
    // Shifts are taken modulo 32.
    return {__funnelshift_r(first, second, 8 * at), __funnelshift_r(second, last, 8 * at)};
  }

  // Returns three bytes starting at `byte`, the first one lowest; the byte above them is whatever follows.
  __device__ uint32_t LoadRgb(int32_t byte) const {
    const int32_t at = byte + ahead;
    return __funnelshift_r(Word(at), Word(at + kRgbBytes - 1), 8 * at);
  }

  const char* words;
  int32_t ahead;
};

__device__ inline uint32_t PackedRgb(const uint32_t (&bytes)[kRgbBytes]) {
  return __byte_perm(__byte_perm(bytes[0], bytes[1], 0x0040), bytes[2], 0x0410);
}

// Turns byte k of a word into a number above kByteBase, as its last bits: this is faster than any conversion.
inline constexpr float kByteBase = 8388608;
__device__ inline float AboveBase(uint32_t word, int k) {
  return __uint_as_float(__byte_perm(word, 0x4b000000, 0x7440 | k));
}

// Like RoundedToByte, for numbers between -0.5 and 255.5. The byte is the lowest one of the word; the bits above it are
// not zero. Adding kByteBase and rounding down leaves an integer.
__device__ inline uint32_t RoundedToWord(float value) {
  return __float_as_uint(__fadd_rd(__fadd_rd(value, 0.5f), kByteBase));
}

// A warp makes results of several rows at once, so that they lie close together even in images that were turned.
inline constexpr int kLanes = 32, kColumnsOfWarp = 8, kRowsOfWarp = kLanes / kColumnsOfWarp;

// Stores a warp's kRowsOfWarp rows of kColumnsOfWarp pixels each. The rows are `pitch` bytes apart and begin at word
// boundaries. Some of the lanes store them, as words.
struct RgbWords {
  static constexpr int kWords = kColumnsOfWarp * kRgbBytes / 4;

  // `row` is where the lane's own row begins.
  __device__ RgbWords(uint8_t* row, int32_t pitch, int lane)
      : row_of_word(lane / kWords),
        // A word begins with byte word % 3 of pixel 4 * word / 3.
        from(row_of_word * kColumnsOfWarp + 4 * (lane % kWords) / kRgbBytes),
        shift(lane % kWords % kRgbBytes * 8),
        to(row + (row_of_word - lane / kColumnsOfWarp) * pitch + lane % kWords * 4) {}

  // Stores one pixel per lane, `bytes` after the beginning of its row; all lanes call it. The first byte of `pixel` is
  // the lowest; the fourth is ignored.
  __device__ void Store(int32_t bytes, uint32_t pixel) const {
    const uint32_t first = __shfl_sync(~0u, pixel, from), second = __shfl_sync(~0u, pixel, from + 1);
    if (row_of_word >= kRowsOfWarp) return;
    *reinterpret_cast<uint32_t*>(to + bytes) = __funnelshift_r(__byte_perm(first, second, 0x4210), second >> 8, shift);
  }

  int row_of_word, from, shift;
  uint8_t* to;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_BASE_PACKED_RGB_H_
