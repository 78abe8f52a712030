#include <nanobind/nanobind.h>
NB_MODULE(_host, m) { m.doc() = "Shared memory, claims and leases."; }
