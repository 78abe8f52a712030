#include "bindings/host/parent_watch_binding.h"

#include "host/parent_watch.h"

namespace nb = nanobind;

namespace jaxdali::python {

void BindParentWatch(nb::module_& module) {
  module.def(
      "watch_parent", &host::WatchParent, nb::arg("pidfd"), nb::arg("exit_code"), nb::arg("lost_code"),
      nb::arg("connection") = -1,
      "Ends this process as soon as the process behind `pidfd` is gone, or the other end of the socket "
      "`connection` is closed, whoever holds the GIL; with `lost_code` where that can no longer be known, because "
      "somebody closed its descriptor.");
  module.def("die_with_parent", &host::DieWithParent,
             "Has this process killed when the thread that started it ends, also while it is stopped.");
}

}  // namespace jaxdali::python
