#include "bindings/cuda/upload_binding.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/without_gil.h"
#include "gpu_decoding/upload.h"

namespace nb = nanobind;

namespace jaxdali::gpu {
namespace {

// An upload, and the arrays it goes to, which must outlive it.
struct UploadTo {
  nb::object arrays;
  std::unique_ptr<Upload> upload;

  UploadTo(nb::object kept, std::unique_ptr<Upload> made) : arrays(std::move(kept)), upload(std::move(made)) {}
  UploadTo(UploadTo&&) = default;
  ~UploadTo() {
    if (upload == nullptr) return;
    // CUDA may wait for what others do, who may need the GIL.
    const python::WithoutGil released;
    upload.reset();
  }
};

using Part = std::tuple<int, uintptr_t, size_t, size_t>;

UploadTo Make(nb::object arrays, const std::vector<Part>& given) {
  std::vector<UploadPart> parts;
  for (const auto& [device, to, from, size] : given) parts.push_back({device, reinterpret_cast<void*>(to), from, size});
  std::unique_ptr<Upload> made;
  {
    const python::WithoutGil released;
    made = std::make_unique<Upload>(std::move(parts));
  }
  return {std::move(arrays), std::move(made)};
}

}  // namespace

void BindUpload(nb::module_& module) {
  using namespace nanobind::literals;
  using GilFree = nb::call_guard<python::WithoutGil>;
  nb::class_<UploadTo>(module, "Upload")
      .def("memory",
           [](nb::handle_t<UploadTo> self) {
             Upload& upload = *nb::cast<UploadTo&>(self).upload;
             return nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(upload.memory(), {upload.size()}, self);
           })
      .def(
          "start", [](const UploadTo& self) { self.upload->Start(); }, GilFree())
      .def("wait", [](const UploadTo& self) { self.upload->Wait(); }, GilFree());
  module.def("upload", &Make, "arrays"_a, "parts"_a);
}

}  // namespace jaxdali::gpu
