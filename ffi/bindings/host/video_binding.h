// What is done to frames of video on the host, for Python.
#ifndef JAXDALI_BINDINGS_HOST_VIDEO_BINDING_H_
#define JAXDALI_BINDINGS_HOST_VIDEO_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// _host.yuv_to_rgb.
void BindVideo(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_VIDEO_BINDING_H_
