// What the parent reads from a ring, for Python, and the errors of shared memory.
#ifndef JAXDALI_BINDINGS_HOST_READING_H_
#define JAXDALI_BINDINGS_HOST_READING_H_

#include <nanobind/nanobind.h>

#include "ring/ring.h"

namespace jaxdali::python {

void BindReading(nanobind::class_<host::Ring>& ring);

// Binds _host.RingDamaged, _host.ShortOfMemory and _host.available_memory.
void BindErrors(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_READING_H_
