#include "bindings/host/audio_binding.h"

#include <nanobind/ndarray.h>

#include <cmath>

#include "audio/resampling.h"
#include "bindings/without_gil.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

using Signal = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Result = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void Resample(const Signal& signal, const Result& out, double step, double quality) {
  // Positions become integers of 64 bits; this keeps them far from the limits.
  const double last = static_cast<double>(out.shape(0)) * step;
  if (!(step > 0) || !(last < 0x1p53) || !(quality >= 0 && quality <= 100)) {
    throw nb::value_error("step must be above 0 and quality 0 to 100");
  }
  const audio::Sinc& sinc = audio::SincOf(quality);
  const WithoutGil released;
  sinc.Resample(signal.data(), static_cast<int64_t>(signal.shape(0)), out.data(), static_cast<int64_t>(out.shape(0)),
                step);
}

}  // namespace

void BindAudio(nb::module_& m) {
  m.def("resample", &Resample, nb::arg("signal").noconvert(), nb::arg("out").noconvert(), nb::arg("step"),
        nb::arg("quality"));
}

}  // namespace jaxdali::python
