// Which element of a mask a random word picks.
#ifndef JAXDALI_CALLS_PICKS_CPU_PICKS_H_
#define JAXDALI_CALLS_PICKS_CPU_PICKS_H_

#include <cstdint>

namespace jaxdali::cpu {

// The position of one of the true flags, each equally likely; -1 if there is none. At most 2**31 - 1 flags.
int32_t PickTrue(const bool* flags, int64_t count, uint32_t word);

struct PickedLabel {
  int32_t label, labels;  // of the labels that occur one, and how many there are; zeros of none
};

// The same for the labels that occur where flags are true; the smallest label comes first. Throws std::bad_alloc.
PickedLabel PickLabel(const int32_t* labels, const bool* flags, int64_t count, uint32_t word);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_PICKS_CPU_PICKS_H_
