// Page-locks a slot's memory for an accelerator, through functions that are passed in: the ring knows no CUDA.
#ifndef JAXDALI_RING_REGISTRATION_H_
#define JAXDALI_RING_REGISTRATION_H_

#include <cstddef>

namespace jaxdali::host {

struct Registration {
  int (*lock)(void* data, size_t size) = nullptr;  // 0: done; else an error's number
  void (*unlock)(void* data) = nullptr;
};

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_REGISTRATION_H_
