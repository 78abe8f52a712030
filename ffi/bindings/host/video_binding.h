// What is done to frames of video on the host, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// _host.yuv_to_rgb.
void BindVideo(nanobind::module_& m);

}  // namespace jaxdali::python
