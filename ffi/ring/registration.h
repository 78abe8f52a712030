// Page-locks a slot's memory for an accelerator through functions that are passed in: the ring does not know CUDA.
#ifndef JAXDALI_RING_REGISTRATION_H_
#define JAXDALI_RING_REGISTRATION_H_

#include <cstddef>

namespace jaxdali::host {

struct Registration {
  int (*lock)(void* data, size_t size) = nullptr;  // returns 0, or an error's number
  void (*unlock)(void* data) = nullptr;
};

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_REGISTRATION_H_
