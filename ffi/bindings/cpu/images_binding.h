// The Python function `_cpu.images`.
#pragma once

#include <nanobind/nanobind.h>

namespace jaxdali {

void BindImages(nanobind::module_& module);

}  // namespace jaxdali
