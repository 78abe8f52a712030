#include <nanobind/nanobind.h>
NB_MODULE(_cpu, m) {}
