// Reads the symbols of a progressive scan, by a warp: each lane looks up what would begin at one of 32 bits, before it
// is known which of them do.
#ifndef JAXDALI_JPEG_SYMBOLS_H_
#define JAXDALI_JPEG_SYMBOLS_H_

#include <cstdint>

#include "base/warp.h"
#include "jpeg/batch.h"
#include "jpeg/lookup.h"

namespace jaxdali::jpeg {

// What a symbol of an AC scan says:
//   bits 0-4    how many bits its code takes with those that follow it, 1 to 31
//   bits 5-9    how many coefficients it gives, zeros included; 0 if it ends the block. In a refinement, of those that
//               are still zero
//   bit 10      whether the last of these is not zero
//   bit 11      set if a sound file does not have this symbol
//   bits 16-31  if it ends the block, the number of blocks that end here, this one included
// of a DC scan:
//   bits 0-4 and 11 as above
//   bits 16-31  the difference of DC coefficients, signed
struct Symbol {
  uint32_t packed;

  JAXDALI_PORTABLE uint32_t bits() const { return packed & 31; }
  JAXDALI_PORTABLE uint32_t advance() const { return packed >> 5 & 31; }
  JAXDALI_PORTABLE bool has_coefficient() const { return (packed >> 10 & 1) != 0; }
  JAXDALI_PORTABLE bool is_unsound() const { return (packed >> 11 & 1) != 0; }
  JAXDALI_PORTABLE uint32_t run() const { return packed >> 16; }
  JAXDALI_PORTABLE int32_t difference() const { return static_cast<int32_t>(packed) >> 16; }
};

inline constexpr uint32_t kUnsoundSymbol = 1u << 11 | 1;
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
  const uint32_t ending = (length + run) | ((1u << run) + BitsOf(window, length, run)) << 16;
  const uint32_t zeros = symbol == kZeroRunSymbol ? length | 16u << 5 : ending;
  // In a refinement, the only bit is the sign.
  const uint32_t packed = size == 0 ? zeros : (length + size) | (run + 1) << 5 | 1u << 10;
  return {found == 0 || size > most ? kUnsoundSymbol : packed};
}

template <ScanKind kKind>
class SymbolReader {
 public:
  // How many tables a scan may have.
  static constexpr uint32_t kTables = kKind == ScanKind::kDcFirst ? kMostComponents : 1;

  // Reads from `bits` bits in `words`; behind them are zeros.
  JAXDALI_TEAM SymbolReader(const ScriptScan& scan, const Lookup* lookups, const uint32_t* words, uint32_t bits)
      : lookups_(lookups),
        tables_(scan.lookups_count),
        most_(scan.most_bits),
        words_(words),
        size_(CeilDivide<uint32_t>(bits, 32)) {
#ifdef __CUDACC__
    Open(0);
#endif
  }

  // Returns the symbol that begins at a bit, by one of the tables.
  JAXDALI_TEAM Symbol At(uint32_t bit, uint32_t table) {
#ifdef __CUDACC__
    if (bit / 32 != word_) Move(bit / 32);
    uint32_t own = own_[0];
    JAXDALI_UNROLL
    for (uint32_t other = 1; other < kTables; ++other) own = table == other ? own_[other] : own;
    return {__shfl_sync(kWholeWarp, own, static_cast<int>(bit % 32))};
#else
    return SymbolAt<kKind>(lookups_[table], most_, FunnelLeft(WordAt(bit / 32 + 1), WordAt(bit / 32), bit % 32));
#endif
  }

 private:
  JAXDALI_TEAM uint32_t WordAt(uint32_t word) const { return word < size_ ? Load(words_ + word) : 0; }

  const Lookup* lookups_;
  uint32_t tables_, most_;
  const uint32_t* words_;
  uint32_t size_;  // in words

#ifdef __CUDACC__
  // Words are read ahead by lines, one word a lane.
  __device__ __forceinline__ uint32_t LineOf(uint32_t line) const { return WordAt(line * kWarp + threadIdx.x % kWarp); }

  __device__ __forceinline__ void Open(uint32_t word) {
    line_ = word / kWarp;
    first_ = LineOf(line_);
    second_ = LineOf(line_ + 1);
    third_ = LineOf(line_ + 2);
    LookUp(word, own_);
    LookUp(word + 1, next_);
    word_ = word;
  }

  __device__ __forceinline__ void Move(uint32_t word) {
    // Line `word / kWarp` and the one behind it have to be there.
    const uint32_t line = word / kWarp;
    if (line > line_ + 1) return Open(word);
    if (line != line_) {
      line_ = line;
      first_ = second_;
      second_ = third_;
      third_ = LineOf(line + 2);
    }
    if (word == word_ + 1) {
      JAXDALI_UNROLL
      for (uint32_t table = 0; table < kTables; ++table) own_[table] = next_[table];
    } else {
      LookUp(word, own_);
    }
    LookUp(word + 1, next_);
    word_ = word;
  }

  __device__ __forceinline__ uint32_t Shared(uint32_t word) const {
    return __shfl_sync(kWholeWarp, word / kWarp == line_ ? first_ : second_, static_cast<int>(word % kWarp));
  }

  // Looks up what begins at each bit of a word of the first two lines.
  __device__ __forceinline__ void LookUp(uint32_t word, uint32_t* symbols) const {
    const uint32_t window = FunnelLeft(Shared(word + 1), Shared(word), threadIdx.x % kWarp);
    JAXDALI_UNROLL
    for (uint32_t table = 0; table < kTables; ++table) {
      if (table < tables_) symbols[table] = SymbolAt<kKind>(lookups_[table], most_, window).packed;
    }
  }

  uint32_t word_, line_;
  uint32_t first_, second_, third_;        // this lane's words of three lines
  uint32_t own_[kTables], next_[kTables];  // the symbols that begin at this lane's bit of this word, and of the next
#endif
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_SYMBOLS_H_
