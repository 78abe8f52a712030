// The header of a JPEG file of the kind that the parallel decoder accepts, parsed on the host.
#ifndef JAXDALI_JPEG_BASELINE_H_
#define JAXDALI_JPEG_BASELINE_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace jaxdali::jpeg {

inline constexpr int kBlockSize = 64;  // coefficients of a block
inline constexpr int kSide = 8;        // pixels along a block's side

// A Huffman table as stored in the file, ITU-T T.81 B.2.4.2.
struct HuffmanSpec {
  bool present = false;
  std::array<uint8_t, 16> counts = {};    // how many codes have 1 to 16 bits
  std::array<uint8_t, 256> symbols = {};  // those beyond `counts` are zeros, so that specs can be compared

  bool operator==(const HuffmanSpec& other) const {
    return present == other.present && counts == other.counts && symbols == other.symbols;
  }
};

// Luma samples per chroma sample, across and down.
enum class Sampling : uint8_t { k1x1, k2x1, k1x2, k2x2, k4x1 };

struct Baseline {
  int32_t height = 0, width = 0;  // as stored
  int32_t components = 0;         // 1 or 3
  Sampling sampling = Sampling::k1x1;
  bool is_ycc = true;                                               // else the three components are red, green and blue
  int32_t restart_interval = 0;                                     // in MCUs; 0 if there are no restarts
  std::array<std::array<uint16_t, kBlockSize>, 3> quantizers = {};  // of each component, in the file's zigzag order
  std::array<HuffmanSpec, 3> dc = {}, ac = {};                      // of each component
  size_t scan = 0;                                                  // where entropy-coded data begin
};

// Reads the markers up to the scan. Returns true if the file is 8-bit Huffman-coded, baseline or extended sequential,
// with one scan of all components: gray, or three components with chroma 4:4:4, 4:2:2, 4:4:0, 4:2:0 or 4:1:1. Decides
// on the color space as libjpeg-turbo does. If it returns false, another decoder has to determine what the file is.
bool ReadBaseline(const uint8_t* data, size_t size, Baseline* image) noexcept;

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_BASELINE_H_
