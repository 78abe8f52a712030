// The model of the parallel JPEG decoder, for tests in Python.
#ifndef JAXDALI_BINDINGS_CPU_JPEG_BINDING_H_
#define JAXDALI_BINDINGS_CPU_JPEG_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali {

void BindJpeg(nanobind::module_& module);

}  // namespace jaxdali

#endif  // JAXDALI_BINDINGS_CPU_JPEG_BINDING_H_
