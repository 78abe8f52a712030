// Orders of samples, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// _host.permute.
void BindPermutation(nanobind::module_& m);

}  // namespace jaxdali::python
