// Reads the symbols of a progressive scan, by a warp: its lanes look up what would begin at each bit of a window,
// before it is known at which of them something does.
#ifndef JAXDALI_JPEG_SYMBOLS_H_
#define JAXDALI_JPEG_SYMBOLS_H_

#include <cstdint>

#include "base/warp.h"
#include "jpeg/batch.h"
#include "jpeg/lookup.h"

namespace jaxdali::jpeg {

// What a symbol of an AC scan says:
//   bits 0-4    how many bits its code takes with those that follow it, 1 to 31
//   bit 5       whether the last of the coefficients that it gives is not zero
//   bit 6       set if a sound file does not have this symbol
//   bits 8-24   if it ends the block, the number of blocks that end here, this one included
//   bits 25-31  how many coefficients it gives, zeros included; 0 if it ends the block. In a refinement, of those that
//               are still zero. Of a symbol that a sound file does not have, more than any block has
// of a DC scan:
//   bits 0-4 and 6 as above
//   bits 16-31  the difference of DC coefficients, signed
struct Symbol {
  static constexpr uint32_t kHasCoefficient = 1u << 5, kIsUnsound = 1u << 6;
  static constexpr uint32_t kRun = 8, kAdvance = 25, kBeyond = 127;
  uint32_t packed;

  JAXDALI_PORTABLE uint32_t bits() const { return packed & 31; }
  JAXDALI_PORTABLE uint32_t advance() const { return packed >> kAdvance; }
  JAXDALI_PORTABLE bool has_coefficient() const { return (packed & kHasCoefficient) != 0; }
  JAXDALI_PORTABLE bool is_unsound() const { return (packed & kIsUnsound) != 0; }
  JAXDALI_PORTABLE uint32_t run() const { return packed >> kRun; }
  JAXDALI_PORTABLE int32_t difference() const { return static_cast<int32_t>(packed) >> 16; }
};

inline constexpr uint32_t kUnsoundSymbol = Symbol::kBeyond << Symbol::kAdvance | Symbol::kIsUnsound | 1;
inline constexpr uint32_t kZeroRunSymbol = 0xF0;  // sixteen zeros

// Returns the symbol that `window` begins with. `most` is how many bits a coefficient or a difference has at most.
template <ScanKind kKind>
JAXDALI_PORTABLE Symbol SymbolAt(const Lookup& lookup, uint32_t most, uint32_t window) {
  // Without branches: lanes of a warp look up different symbols.
  const uint32_t found = Find(lookup, window), length = CodeLengthOf(found), symbol = SymbolOf(found);
  if (kKind == ScanKind::kDcFirst) {
    const auto difference = static_cast<uint32_t>(Extend(BitsOf(window, length, symbol & 15), symbol & 15));
    return {found == 0 || symbol > most ? kUnsoundSymbol : (length + symbol) | difference << 16};
  }
  const uint32_t run = symbol >> 4, size = symbol & 15;
  const uint32_t ending = (length + run) | ((1u << run) + BitsOf(window, length, run)) << Symbol::kRun;
  const uint32_t zeros = symbol == kZeroRunSymbol ? length | 16u << Symbol::kAdvance : ending;
  // In a refinement, the only bit is the sign.
  const uint32_t packed = size == 0 ? zeros : (length + size) | Symbol::kHasCoefficient | (run + 1) << Symbol::kAdvance;
  return {found == 0 || size > most ? kUnsoundSymbol : packed};
}

// What a warp keeps in fast memory while it walks through a scan.
struct WalkShared {
  Lookup lookups[kMostComponents];  // copies of the scan's tables
  uint32_t symbols[512];            // what would begin at each bit of a window
};

template <ScanKind kKind>
class SymbolReader {
 public:
  // Reads from `bits` bits in `words`; behind them are zeros.
  JAXDALI_TEAM SymbolReader(const ScriptScan& scan, WalkShared& shared, const uint32_t* words, uint32_t bits)
      : shared_(shared),
        tables_(scan.lookups_count),
        most_(scan.most_bits),
        words_(words),
        size_(CeilDivide<uint32_t>(bits, 32)) {
    Open(0);
  }

  // Returns the symbol that begins at a bit, by one of the tables.
  JAXDALI_TEAM Symbol At(uint32_t bit, uint32_t table) {
    // Loads before it is known that the window is the right one, which it nearly always is; without `volatile`, the
    // compiler would load after that.
    const volatile uint32_t* const at = shared_.symbols + table * kWindow + bit % kWindow;
    uint32_t symbol = *at;
    if (bit / kWindow != window_) {
      Open(bit / kWindow);
      symbol = *at;
    }
    return {symbol};
  }

 private:
  // How many bits are looked up at once, by each of the tables that a scan may have.
  static constexpr uint32_t kWindow = kKind == ScanKind::kDcFirst ? 128 : 512;
  static_assert(kWindow * (kKind == ScanKind::kDcFirst ? kMostComponents : 1) <= sizeof(WalkShared::symbols) / 4,
                "symbols have room");

  JAXDALI_TEAM uint32_t WordAt(uint32_t word) const { return word < size_ ? Load(words_ + word) : 0; }

  JAXDALI_TEAM void Open(uint32_t window) {
    window_ = window;
    SyncWarp();
    EachLane([&](uint32_t lane) {
      for (uint32_t first = 0; first < kWindow; first += 32) {
        const uint32_t word = (window * kWindow + first) / 32;
        const uint32_t bits = FunnelLeft(WordAt(word + 1), WordAt(word), lane);
        for (uint32_t table = 0; table < tables_; ++table) {
          shared_.symbols[table * kWindow + first + lane] = SymbolAt<kKind>(shared_.lookups[table], most_, bits).packed;
        }
      }
    });
    SyncWarp();
  }

  WalkShared& shared_;
  uint32_t tables_, most_;
  const uint32_t* words_;
  uint32_t size_;  // in words
  uint32_t window_;
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_SYMBOLS_H_
