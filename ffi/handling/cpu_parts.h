// What the handlers of the CPU platform alone have in common.
#ifndef JAXDALI_HANDLING_CPU_PARTS_H_
#define JAXDALI_HANDLING_CPU_PARTS_H_

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>

#include "base/shared_work.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline xla::ffi::Error Wrong(const char* target, const char* what) {
  return xla::ffi::Error::InvalidArgument(std::string(target) + ": " + what);
}

// Runs parts, which return whether there was memory. Nothing may be thrown into XLA.
template <typename Part>
xla::ffi::Error RunParts(xla::ffi::ThreadPool& pool, int64_t count, Part part) {
  std::atomic<bool> complete{true};
  try {
    RunShared(pool, count, 0, [&](int64_t index) noexcept {
      if (!part(index)) complete = false;
    });
  } catch (const std::exception& error) {
    return xla::ffi::Error::Internal(error.what());
  }
  if (complete) return xla::ffi::Error::Success();
  return xla::ffi::Error(xla::ffi::ErrorCode::kResourceExhausted, "no memory is left");
}

}  // namespace jaxdali::cpu

#endif  // JAXDALI_HANDLING_CPU_PARTS_H_
