// Videos that the engines of a GPU decode, in Python.
#ifndef JAXDALI_BINDINGS_CUDA_VIDEO_BINDING_H_
#define JAXDALI_BINDINGS_CUDA_VIDEO_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::gpu {

void BindVideo(nanobind::module_& module);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_BINDINGS_CUDA_VIDEO_BINDING_H_
