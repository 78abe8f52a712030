// Permutations, which are orders of samples, for Python.
#ifndef JAXDALI_BINDINGS_HOST_PERMUTATION_BINDING_H_
#define JAXDALI_BINDINGS_HOST_PERMUTATION_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// Binds _host.permute.
void BindPermutation(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_PERMUTATION_BINDING_H_
