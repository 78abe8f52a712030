// Readers of records, for Python.
#ifndef JAXDALI_BINDINGS_HOST_RECORDS_BINDING_H_
#define JAXDALI_BINDINGS_HOST_RECORDS_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// Binds _host.RowReader and its kinds, and functions for indices of records.
void BindRecords(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_RECORDS_BINDING_H_
