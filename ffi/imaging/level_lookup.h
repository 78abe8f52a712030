// Replaces bytes by their entries in a table.
#ifndef JAXDALI_IMAGING_LEVEL_LOOKUP_H_
#define JAXDALI_IMAGING_LEVEL_LOOKUP_H_

#include <cstdint>

namespace jaxdali::cpu {

// Sets to[x] = table[from[x]] for x < count; the table has 256 bytes. The arrays must not overlap.
void LookUpLevels(const uint8_t* from, int64_t count, const uint8_t* table, uint8_t* to);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_IMAGING_LEVEL_LOOKUP_H_
