// The Python functions `_cpu.images` and `_cpu.images_as_device`.
#ifndef JAXDALI_BINDINGS_CPU_IMAGES_BINDING_H_
#define JAXDALI_BINDINGS_CPU_IMAGES_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali {

void BindImages(nanobind::module_& module);

}  // namespace jaxdali

#endif  // JAXDALI_BINDINGS_CPU_IMAGES_BINDING_H_
