// Binds the decoder of PNG files.
#ifndef JAXDALI_BINDINGS_HOST_PNG_BINDING_H_
#define JAXDALI_BINDINGS_HOST_PNG_BINDING_H_

#include <nanobind/nanobind.h>

#include "ring/ring.h"

namespace jaxdali::python {

void BindPng(nanobind::module_& m, nanobind::class_<host::Ring>& ring);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_PNG_BINDING_H_
