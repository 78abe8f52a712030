// Who makes the pixels of a row.
#ifndef JAXDALI_GPU_MAKER_H_
#define JAXDALI_GPU_MAKER_H_

#include <cstdint>

#include "common/rows.h"

namespace jaxdali::gpu {

enum class Maker : uint8_t { kNobody, kUnknown, kNvjpeg, kCopy, kHost };

// It follows from the file alone, so that it is the same one whatever is beside it. `row` is OK, and its bytes are at
// `file`. Reads all of the file.
Maker ChooseMaker(const Row& row, const uint8_t* file) noexcept;

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_MAKER_H_
