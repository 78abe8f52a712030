// Makes uploads available to Python.
#ifndef JAXDALI_BINDINGS_CUDA_UPLOAD_BINDING_H_
#define JAXDALI_BINDINGS_CUDA_UPLOAD_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::gpu {

void BindUpload(nanobind::module_& module);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_BINDINGS_CUDA_UPLOAD_BINDING_H_
