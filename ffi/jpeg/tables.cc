#include "jpeg/tables.h"

#include <algorithm>

namespace jaxdali::jpeg {
namespace {

constexpr int kLongest = 16;         // bits of a code
constexpr int kMostDc = 11;          // bits of a DC difference of 8-bit samples, T.81 table F.1
constexpr int kMostAc = 10;          // bits of an AC coefficient, table F.2
constexpr uint32_t kZeroRun = 0xF0;  // sixteen zeros
constexpr uint32_t kNoCode = kUnsound | 1u << 16 | 1u << 5 | 1u;  // skips one bit

uint32_t EntryOf(int length, uint32_t value_bits, uint32_t advance, bool is_sound) {
  return (length + value_bits) | static_cast<uint32_t>(length) << 5 | value_bits << 10 | advance << 16 |
         (is_sound ? 0 : kUnsound);
}

uint32_t DcEntry(int length, uint32_t symbol) { return EntryOf(length, symbol, 1, symbol <= kMostDc); }

uint32_t AcEntry(int length, uint32_t symbol) {
  const uint32_t run = symbol >> 4, bits = symbol & 15;
  if (bits != 0) return EntryOf(length, bits, run + 1, bits <= kMostAc);
  if (symbol == kZeroRun) return EntryOf(length, 0, kLongest, true);
  // A run without a coefficient ends a band, which only progressive files have.
  return EntryOf(length, 0, kWholeBlock, run == 0);
}

class Builder {
 public:
  explicit Builder(TableSet* tables) : tables_(*tables) {}

  template <typename MakeEntry>
  bool Add(const HuffmanSpec& spec, uint32_t at, uint32_t most_symbol, MakeEntry make_entry) {
    std::fill_n(tables_.begin() + at, kFirstLevel, kNoCode);
    // Makes codes like libjpeg, jdhuff.c, jpeg_make_d_derived_tbl.
    uint32_t code = 0;
    size_t index = 0;
    for (int length = 1; length <= kLongest; ++length, code <<= 1) {
      for (int item = 0; item < spec.counts[length - 1]; ++item, ++code, ++index) {
        const uint32_t symbol = spec.symbols[index];
        // A code of only ones is invalid.
        if (code + 1 >= 1u << length || symbol > most_symbol) return false;
        if (length > kFirstBits && !MakeRoom(spec, length, code, at)) return false;
        Fill(length, code, at, make_entry(length, symbol));
      }
    }
    return true;
  }

 private:
  // Links the first bits of a long code to a table of the second level.
  bool MakeRoom(const HuffmanSpec& spec, int length, uint32_t code, uint32_t at) {
    const uint32_t prefix = code >> (length - kFirstBits);
    uint32_t& link = tables_[at + prefix];
    if (link & kLink) return true;
    const int longest = LongestWith(spec, length, code, prefix);
    const uint32_t size = 1u << (longest - kFirstBits);
    if (used_ + size > kSecondLevel) return false;
    std::fill_n(tables_.begin() + kSecondLevelAt + used_, size, kNoCode);
    link = kLink | used_ << 8 | static_cast<uint32_t>(32 - (longest - kFirstBits));
    used_ += size;
    return true;
  }

  // Returns the length of the longest code that begins with `prefix`; `code`, of length `length`, is the first such
  // code.
  static int LongestWith(const HuffmanSpec& spec, int length, uint32_t code, uint32_t prefix) {
    int longest = length;
    uint32_t first = code;
    // How many codes of this length remain, from `code` on.
    uint32_t left = spec.counts[length - 1] - (code - FirstOf(spec, length));
    for (int at = length; at <= kLongest; ++at) {
      if (left > 0 && first >> (at - kFirstBits) == prefix) longest = at;
      if (first >> (at - kFirstBits) > prefix) break;
      first = (first + left) << 1;
      left = at < kLongest ? spec.counts[at] : 0;
    }
    return longest;
  }

  static uint32_t FirstOf(const HuffmanSpec& spec, int length) {
    uint32_t code = 0;
    for (int at = 1; at < length; ++at) code = (code + spec.counts[at - 1]) << 1;
    return code;
  }

  void Fill(int length, uint32_t code, uint32_t at, uint32_t entry) {
    if (length <= kFirstBits) {
      std::fill_n(tables_.begin() + at + (code << (kFirstBits - length)), size_t{1} << (kFirstBits - length), entry);
      return;
    }
    const uint32_t link = tables_[at + (code >> (length - kFirstBits))];
    const int bits = 32 - static_cast<int>(link & 31), longest = bits + kFirstBits;
    const uint32_t rest = code & ((1u << (length - kFirstBits)) - 1);
    const uint32_t first = kSecondLevelAt + (link >> 8 & 0xFFFF) + (rest << (longest - length));
    std::fill_n(tables_.begin() + first, size_t{1} << (longest - length), entry);
  }

  TableSet& tables_;
  uint32_t used_ = 0;
};

}  // namespace

bool MakeTables(const Header& image, TableSet* tables) noexcept {
  tables->fill(kNoCode);
  int first_of_class[kClasses] = {0, -1};
  int class_of[3] = {0, 0, 0};
  for (int component = 1; component < image.components; ++component) {
    const auto is_like = [&](int other) {
      return image.dc[component] == image.dc[other] && image.ac[component] == image.ac[other];
    };
    if (is_like(0)) continue;
    if (first_of_class[1] >= 0 && !is_like(first_of_class[1])) return false;
    first_of_class[1] = first_of_class[1] < 0 ? component : first_of_class[1];
    class_of[component] = 1;
  }
  Builder builder(tables);
  for (int kind = 0; kind < kClasses; ++kind) {
    if (first_of_class[kind] < 0) continue;
    const uint32_t at = kind * 2 * kFirstLevel;
    if (!builder.Add(image.dc[first_of_class[kind]], at, 15, DcEntry)) return false;
    if (!builder.Add(image.ac[first_of_class[kind]], at + kFirstLevel, 255, AcEntry)) return false;
  }
  const int blocks = BlocksOfMcu(image), luma = image.components == 1 ? 1 : LumaBlocks(image.sampling);
  for (int block = 0; block < static_cast<int>(kMostBlocks); ++block) {
    const int component = block < luma ? 0 : std::min(block - luma + 1, image.components - 1);
    const uint32_t next = block + 1 < blocks ? block + 1 : 0;
    (*tables)[kOrderAt + block] = next | static_cast<uint32_t>(class_of[component]) * 2 * kFirstLevel << 8;
  }
  return true;
}

}  // namespace jaxdali::jpeg
