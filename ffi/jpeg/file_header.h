// The markers of a JPEG file of the kind that the parallel decoder accepts, parsed on the host.
#ifndef JAXDALI_JPEG_FILE_HEADER_H_
#define JAXDALI_JPEG_FILE_HEADER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jaxdali::jpeg {

inline constexpr int kBlockSize = 64;  // coefficients of a block
inline constexpr int kSide = 8;        // pixels along a block's side
inline constexpr uint32_t kMostComponents = 3;
inline constexpr int kMostProgressiveScans = 500;  // as on the host, decoding/jpeg_decoder.cc

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

// A scan of a progressive file.
struct ScanHeader {
  std::array<uint8_t, kMostComponents> components = {};  // by their order in the file
  int components_count = 0;
  int first = 0, last = 0;                           // coefficients, in zigzag order
  int high = 0, low = 0;                             // the bits that were known before, and will be: 0 is the last
  std::array<uint16_t, kMostComponents> codes = {};  // the index of each component's table in `Header::codes`
  int32_t restart_interval = 0;                      // in MCUs of this scan; 0 if there are no restarts
  size_t at = 0, bytes = 0;                          // entropy-coded data, with the two bytes of the marker behind
  uint8_t end = 0;                                   // the code of that marker
};

struct Header {
  int32_t height = 0, width = 0;  // as stored
  int32_t components = 0;         // 1 or 3
  Sampling sampling = Sampling::k1x1;
  bool is_ycc = true;                                               // else the three components are red, green and blue
  std::array<std::array<uint16_t, kBlockSize>, 3> quantizers = {};  // of each component, in the file's zigzag order
  size_t scan = 0;                                                  // where entropy-coded data begin
  // If the file has one scan of everything:
  int32_t restart_interval = 0;                 // in MCUs; 0 if there are no restarts
  std::array<HuffmanSpec, 3> dc = {}, ac = {};  // of each component
  // If it is progressive:
  std::vector<ScanHeader> scans;   // in the file's order
  std::vector<HuffmanSpec> codes;  // that scans use
  size_t end = 0;                  // where the image ends

  bool is_progressive() const { return !scans.empty(); }
};

// Reads the markers: of a file with one scan, those before its data; of a progressive file, all. Returns true if the
// file is 8-bit Huffman-coded, gray, or of three components with chroma 4:4:4, 4:2:2, 4:4:0, 4:2:0 or 4:1:1, and either
// baseline or extended sequential with one scan of all components, or progressive with scans that, in a sound order,
// give every bit of every coefficient. (libjpeg-turbo smooths what was not given, across blocks.) Decides on the color
// space as libjpeg-turbo does. If it returns false, another decoder has to determine what the file is.
bool ReadHeader(const uint8_t* data, size_t size, Header* image) noexcept;

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_FILE_HEADER_H_
