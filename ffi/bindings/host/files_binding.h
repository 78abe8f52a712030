// What is known of files in slots: notes about their headers, and the rows that describe them to custom calls.
#ifndef JAXDALI_BINDINGS_HOST_FILES_BINDING_H_
#define JAXDALI_BINDINGS_HOST_FILES_BINDING_H_

#include <nanobind/nanobind.h>

#include "ring/ring.h"

namespace jaxdali::python {

void BindFiles(nanobind::module_& m, nanobind::class_<host::Ring>& ring);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_FILES_BINDING_H_
