// Functions that end a worker when its parent ends, for Python.
#ifndef JAXDALI_BINDINGS_HOST_PARENT_WATCH_BINDING_H_
#define JAXDALI_BINDINGS_HOST_PARENT_WATCH_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::python {

void BindParentWatch(nanobind::module_& module);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_PARENT_WATCH_BINDING_H_
