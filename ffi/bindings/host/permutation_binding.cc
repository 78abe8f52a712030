#include "bindings/host/permutation_binding.h"

#include <nanobind/ndarray.h>

#include "bindings/without_gil.h"
#include "host/permutation.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

using Words = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Replaces each value with the value at its new position, or with `backward`, at its old one.
void Permute(Values values, uint64_t length, Words keys, bool backward) {
  if (keys.size() != host::kPermutationRounds || length == 0 || length > uint64_t{1} << 62) {
    throw nb::value_error("a permutation has 8 keys, and from 1 to 2**62 values");
  }
  const host::Permutation permutation(length, keys.data());
  uint64_t* const data = values.data();
  const size_t count = values.size();
  for (size_t k = 0; k < count; ++k) {
    if (data[k] >= length) throw nb::value_error("a value is not one of the permutation's");
  }
  const WithoutGil released;
  for (size_t k = 0; k < count; ++k) data[k] = backward ? permutation.Backward(data[k]) : permutation.Forward(data[k]);
}

}  // namespace

void BindPermutation(nb::module_& m) {
  m.def("permute", &Permute, nb::arg("values").noconvert(), nb::arg("length"), nb::arg("keys"), nb::arg("backward"),
        "Permutes uint64[n] in place, see ffi/host/permutation.h.");
}

}  // namespace jaxdali::python
