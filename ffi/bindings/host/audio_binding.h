// Operations on audio signals on the host, for Python.
#ifndef JAXDALI_BINDINGS_HOST_AUDIO_BINDING_H_
#define JAXDALI_BINDINGS_HOST_AUDIO_BINDING_H_

#include <nanobind/nanobind.h>

namespace jaxdali::python {

// Binds _host.resample.
void BindAudio(nanobind::module_& m);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_AUDIO_BINDING_H_
