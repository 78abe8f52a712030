#include "bindings/cuda/video_binding.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/without_gil.h"
#include "gpu_decoding/memory.h"
#include "gpu_video/nvcuvid_library.h"
#include "gpu_video/ticket.h"
#include "gpu_video/video_engine.h"

namespace nb = nanobind;

namespace jaxdali::gpu {
namespace {

// Jobs are ended by threads that may need the GIL, to release a slot.
using GilFree = nb::call_guard<python::WithoutGil>;

struct JobHolder {
  std::shared_ptr<ClipsJob> job;
};

// The array that a call takes in place of the clips; has __dlpack__.
struct TicketExport {
  std::shared_ptr<ClipsJob> job;
};

JobHolder Submit(int device, nb::object tensor, const std::vector<uint64_t>& offsets,
                 const std::vector<uint64_t>& sizes, const std::array<int64_t, 3>& extents) {
  if (offsets.size() != sizes.size()) throw nb::value_error("each clip has an offset and a size");
  nb::object capsule = tensor.attr("__dlpack__")();
  auto* const managed = static_cast<host::DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (managed == nullptr) throw nb::python_error();
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  HeldBytes held(managed);
  const python::WithoutGil released;
  VideoEngine& engine = VideoEngine::Of(device);
  const ClipsShape shape{static_cast<int64_t>(offsets.size()), extents[0], extents[1], extents[2]};
  auto job = std::make_shared<ClipsJob>(engine, std::move(held), offsets, sizes, shape);
  engine.Submit(job);
  return {std::move(job)};
}

// Returns (row, why, whether another decoder may have the frames) of clips without frames.
nb::list Faults(const JobHolder& self) {
  nb::list found;
  for (const auto& [row, fault] : self.job->Faults()) found.append(nb::make_tuple(row, fault.text, fault.elsewhere));
  return found;
}

using Pixels = nb::ndarray<const uint8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

void Supply(const JobHolder& self, size_t row, const Pixels& pixels) {
  const python::WithoutGil released;
  self.job->Supply(row, pixels.data(), pixels.nbytes());
}

nb::object TicketCapsule(const TicketExport& self) {
  host::DLManagedTensor* const tensor = MakeTicket(self.job);
  PyObject* const capsule = PyCapsule_New(tensor, "dltensor", [](PyObject* object) {
    // A consumer renames the capsule; one that still has its name was never consumed.
    if (!PyCapsule_IsValid(object, "dltensor")) return;
    auto* const unused = static_cast<host::DLManagedTensor*>(PyCapsule_GetPointer(object, "dltensor"));
    unused->deleter(unused);
  });
  if (capsule == nullptr) {
    tensor->deleter(tensor);
    throw nb::python_error();
  }
  return nb::steal(capsule);
}

// Returns for each codec the least and the largest extents, and the most macroblocks of a frame.
nb::dict Caps(int device) {
  nb::dict result;
  for (const nvcuvid::Codec codec : {nvcuvid::kH264, nvcuvid::kHevc}) {
    nvcuvid::Caps caps{};
    {
      const python::WithoutGil released;
      const OnDevice current(device);
      caps = CapsOf(codec);
    }
    if (caps.is_supported == 0 || caps.engines == 0) continue;
    result[nb::int_(static_cast<int>(codec))] =
        nb::make_tuple(caps.min_height, caps.min_width, caps.max_height, caps.max_width, caps.max_macroblocks);
  }
  return result;
}

}  // namespace

void BindVideo(nb::module_& module) {
  using namespace nanobind::literals;
  nb::class_<JobHolder>(module, "ClipsJob")
      .def(
          "wait", [](const JobHolder& self, double timeout_s) { return self.job->Await(timeout_s); }, "timeout_s"_a,
          GilFree())
      .def("faults", &Faults)
      .def("supply", &Supply, "row"_a, "pixels"_a)
      .def("ticket", [](const JobHolder& self) { return TicketExport{self.job}; });
  nb::class_<TicketExport>(module, "ClipsTicket")
      .def("__dlpack__", [](const TicketExport& self, nb::kwargs) { return TicketCapsule(self); })
      .def("__dlpack_device__", [](const TicketExport& self) {
        return nb::make_tuple(static_cast<int>(host::kDLCUDAHost), self.job->engine().device());
      });
  module.def("decode_clips", &Submit, "device"_a, "slot"_a, "offsets"_a, "sizes"_a, "extents"_a);
  module.def("video_caps", &Caps, "device"_a);
  module.def("stop_video_engines", &VideoEngine::StopAll, GilFree());
}

}  // namespace jaxdali::gpu
