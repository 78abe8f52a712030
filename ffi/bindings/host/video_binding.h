// Operations on video frames on the host, for Python.
#ifndef JAXDALI_BINDINGS_HOST_VIDEO_BINDING_H_
#define JAXDALI_BINDINGS_HOST_VIDEO_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// Binds _host.yuv_to_rgb.
void BindVideo(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_VIDEO_BINDING_H_
