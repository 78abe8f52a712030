// Binds the decoders of images.
#ifndef JAXDALI_BINDINGS_HOST_IMAGE_BINDING_H_
#define JAXDALI_BINDINGS_HOST_IMAGE_BINDING_H_

#include <nanobind/nanobind.h>

#include "ring/ring.h"

namespace jaxdali::python {

void BindImages(nanobind::module_& m, nanobind::class_<host::Ring>& ring);

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_IMAGE_BINDING_H_
