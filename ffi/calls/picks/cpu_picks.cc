#include "calls/picks/cpu_picks.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace jaxdali::cpu {
namespace {

// A flag is a byte, 0 or 1: this many words of eight flags can be added before a byte of the sum overflows.
constexpr int64_t kFlagsOfWord = 8, kFlagsOfBlock = 255 * kFlagsOfWord;

int64_t CountOfBlock(const bool* flags, int64_t count) {
  const int64_t whole = count / kFlagsOfWord * kFlagsOfWord;
  uint64_t sums = 0;
  for (int64_t k = 0; k < whole; k += kFlagsOfWord) {
    uint64_t word;
    std::memcpy(&word, flags + k, sizeof word);
    sums += word;
  }
  int64_t found = 0;
  for (; sums != 0; sums >>= 8) found += static_cast<int64_t>(sums & 0xFF);
  for (int64_t k = whole; k < count; ++k) found += flags[k];
  return found;
}

// Returns the number below `count` that a random word picks.
int64_t PickedNumber(uint32_t word, int64_t count) {
  return static_cast<int64_t>((static_cast<uint64_t>(word) * static_cast<uint64_t>(count)) >> 32);
}

}  // namespace

int32_t PickTrue(const bool* flags, int64_t count, uint32_t word) {
  int64_t all = 0;
  for (int64_t begin = 0; begin < count; begin += kFlagsOfBlock) {
    all += CountOfBlock(flags + begin, std::min(kFlagsOfBlock, count - begin));
  }
  if (all == 0) return -1;
  int64_t left = PickedNumber(word, all), begin = 0;
  for (;; begin += kFlagsOfBlock) {
    const int64_t here = CountOfBlock(flags + begin, std::min(kFlagsOfBlock, count - begin));
    if (left < here) break;
    left -= here;
  }
  for (;; ++begin) {
    if (flags[begin] && left-- == 0) return static_cast<int32_t>(begin);
  }
}

PickedLabel PickLabel(const int32_t* labels, const bool* flags, int64_t count, uint32_t word) {
  std::vector<int32_t> found;
  for (int64_t k = 0; k < count; ++k) {
    if (flags[k] && (found.empty() || found.back() != labels[k])) found.push_back(labels[k]);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.empty()) return {0, 0};
  const int64_t number = PickedNumber(word, static_cast<int64_t>(found.size()));
  return {found[static_cast<size_t>(number)], static_cast<int32_t>(found.size())};
}

}  // namespace jaxdali::cpu
