#include "bindings/host/lease_binding.h"

#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "bindings/without_gil.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

using namespace jaxdali::host;  // NOLINT: this file only binds the namespace to Python

struct TensorExport {
  std::shared_ptr<Hold> hold;
  uint64_t offset;
  std::vector<int64_t> shape;
  uint8_t dtype;
  DLDevice device;
};

int LeaseGetBuffer(PyObject* self, Py_buffer* view, int flags) {
  const Lease& lease = *nb::inst_ptr<Lease>(self);
  return PyBuffer_FillInfo(view, self, lease.hold->data(), static_cast<Py_ssize_t>(lease.hold->capacity()), 1, flags);
}

PyType_Slot lease_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&LeaseGetBuffer)}, {0, nullptr}};

TensorExport MakeExport(const Lease& lease, uint64_t offset, std::vector<int64_t> shape, uint8_t dtype,
                        int32_t device_id, int32_t device_type, bool holds) {
  if (device_type != kDLCPU && device_type != kDLCUDAHost) throw nb::value_error("a slot lies in host memory");
  if (dtype >= kDtypeCount) throw nb::value_error("unknown dtype number");
  uint64_t size = kDtypes[dtype].size_bytes;
  for (const int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(size, static_cast<uint64_t>(extent), &size)) {
      throw nb::value_error("shape is negative or overflows");
    }
  }
  if (offset > lease.hold->capacity() || size > lease.hold->capacity() - offset) {
    throw nb::value_error("the tensor does not lie in the slot");
  }
  const std::shared_ptr<Hold> hold = holds ? lease.hold : std::make_shared<Place>(*lease.hold);
  return {hold, offset, std::move(shape), dtype, {device_type, device_id}};
}

nb::object ToCapsule(const TensorExport& self) {
  DLManagedTensor* tensor = ExportTensor(self.hold, self.offset, self.shape, self.dtype, self.device);
  PyObject* capsule = PyCapsule_New(tensor, "dltensor", [](PyObject* object) {
    // A consumer renames the capsule; one that still has its name was never consumed.
    if (!PyCapsule_IsValid(object, "dltensor")) return;
    auto* unused = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(object, "dltensor"));
    unused->deleter(unused);
  });
  if (capsule == nullptr) {
    tensor->deleter(tensor);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

}  // namespace

void BindLease(nb::module_& m) {
  nb::class_<Lease>(
      m, "Lease", nb::type_slots(lease_slots),
      "The right to read a slot: a read-only buffer of its whole capacity. The slot is free again when this "
      "object and everything made from it are gone.")
      .def_ro("generation", &Lease::generation)
      .def_prop_ro("capacity", [](const Lease& self) { return self.hold->capacity(); })
      .def_prop_ro("address", [](const Lease& self) { return reinterpret_cast<uintptr_t>(self.hold->data()); })
      .def(
          "copy",
          [](const Lease& self, uint64_t used) {
            if (used > self.hold->capacity()) throw nb::value_error("more bytes than the slot has");
            return Lease{std::make_shared<CopyHold>(*self.hold, used), self.generation};
          },
          nb::arg("used"), "The same contents (the first `used` bytes) in memory of its own, so that the slot can go.")
      .def("tensor", &MakeExport, nb::arg("offset"), nb::arg("shape"), nb::arg("dtype"), nb::arg("device_id") = 0,
           nb::arg("device_type") = static_cast<int32_t>(kDLCPU), nb::arg("holds") = true,
           "An object with __dlpack__ on part of the slot, as a tensor of device `device_id`; of a CPU, or of the "
           "memory on the host that belongs to a GPU. One that does not hold the slot must not be read after it.")
      .def(
          "lock",
          [](const Lease& self, nb::capsule lock, nb::capsule unlock) {
            Registration registration;
            registration.lock = reinterpret_cast<int (*)(void*, size_t)>(lock.data("jaxdali_lock"));
            registration.unlock = reinterpret_cast<void (*)(void*)>(unlock.data("jaxdali_unlock"));
            if (registration.lock == nullptr || registration.unlock == nullptr)
              throw nb::value_error("no functions that lock and unlock memory");
            const WithoutGil released;
            return self.hold->Lock(registration);
          },
          nb::arg("lock"), nb::arg("unlock"), "Page-locks the slot's memory; false where that cannot be.")
      .def(
          "tell_at_end",
          [](const Lease& self, nb::capsule notice) {
            auto* const given = static_cast<EndNotice*>(notice.data("jaxdali_notice"));
            if (given == nullptr) throw nb::value_error("no notice, or one that was given away");
            self.hold->TellAtEnd(*given);
            given->tell = nullptr;
          },
          nb::arg("notice"), "Registers a callback that is called once, when the memory may change.");
  nb::class_<TensorExport>(m, "TensorExport")
      .def("__dlpack__", [](const TensorExport& self, nb::kwargs) { return ToCapsule(self); })
      .def("__dlpack_device__",
           [](const TensorExport& self) { return nb::make_tuple(self.device.device_type, self.device.device_id); });
}

}  // namespace jaxdali::python
