// Readers of records, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// _host.RowReader and its kinds.
void BindRecords(nanobind::module_& m);

}  // namespace jaxdali::python
