// Picks an element of a mask by a random word.
#ifndef JAXDALI_CALLS_PICKS_CPU_PICKS_H_
#define JAXDALI_CALLS_PICKS_CPU_PICKS_H_

#include <cstdint>

namespace jaxdali::cpu {

// Returns the index of one of the true flags, each equally likely; -1 if none is true. At most 2**31 - 1 flags.
int32_t PickTrue(const bool* flags, int64_t count, uint32_t word);

struct PickedLabel {
  int32_t label, labels;  // the picked label, and how many different labels occur; both 0 if none does
};

// Picks one of the different labels that occur where flags are true, each equally likely; words pick them in ascending
// order. Throws std::bad_alloc.
PickedLabel PickLabel(const int32_t* labels, const bool* flags, int64_t count, uint32_t word);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_PICKS_CPU_PICKS_H_
