// Who makes the pixels of a row.
#ifndef JAXDALI_GPU_MAKER_H_
#define JAXDALI_GPU_MAKER_H_

#include <cstdint>

#include "common/rows.h"
#include "gpu/decode_settings.h"
#include "jpeg/baseline.h"

namespace jaxdali::gpu {

enum class Maker : uint8_t { kNobody, kUnknown, kDevice, kCopy, kHost };

// It follows from file and settings alone, so that it is the same one whatever is beside it; a decoder that refuses a
// file for what its data are leaves it to the host. `row` is OK, and its bytes are at `file`. Reads all of the file;
// for our own kernels only its header, which it puts into `header`.
Maker ChooseMaker(const Row& row, const uint8_t* file, const DecodeSettings& settings, jpeg::Baseline* header) noexcept;

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_MAKER_H_
