// What a random word picks of the elements of a mask.
#ifndef JAXDALI_CPU_PICKS_H_
#define JAXDALI_CPU_PICKS_H_

#include <cstdint>

namespace jaxdali::cpu {

// The place of one of the flags that are true, all of which are as likely; -1 where none is. At most 2**31 - 1 flags.
int32_t PickTrue(const bool* flags, int64_t count, uint32_t word);

struct PickedLabel {
  int32_t label, labels;  // of the labels that occur one, and how many there are; zeros of none
};

// Likewise of the labels that occur where flags are true, of which the least is the first. Throws std::bad_alloc.
PickedLabel PickLabel(const int32_t* labels, const bool* flags, int64_t count, uint32_t word);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_PICKS_H_
