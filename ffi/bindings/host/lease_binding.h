// Leases for Python.
#ifndef JAXDALI_BINDINGS_HOST_LEASE_BINDING_H_
#define JAXDALI_BINDINGS_HOST_LEASE_BINDING_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>

#include "ring/lease.h"

namespace jaxdali::python {

// Python's handle on a leased slot: exports its memory as a read-only buffer, and as DLPack tensors.
struct Lease {
  std::shared_ptr<host::Hold> hold;
  uint64_t generation;
};

void BindLease(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_LEASE_BINDING_H_
