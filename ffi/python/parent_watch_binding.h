// How a worker's end hangs on its parent's, for Python.
#ifndef JAXDALI_PYTHON_PARENT_WATCH_BINDING_H_
#define JAXDALI_PYTHON_PARENT_WATCH_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::python {

void BindParentWatch(nanobind::module_& module);

}  // namespace jaxdali::python

#endif  // JAXDALI_PYTHON_PARENT_WATCH_BINDING_H_
