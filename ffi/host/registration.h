// Page-locking a slot's memory for an accelerator, by functions that somebody else brings: the ring knows no CUDA.
#pragma once

#include <cstddef>

namespace jaxdali::host {

struct Registration {
  int (*lock)(void* data, size_t size) = nullptr;  // 0: done; else an error's number
  void (*unlock)(void* data) = nullptr;
};

}  // namespace jaxdali::host
