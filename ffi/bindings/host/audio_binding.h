// What is done to signals on the host, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// _host.resample.
void BindAudio(nanobind::module_& m);

}  // namespace jaxdali::python
