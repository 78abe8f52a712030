#include "bindings/cuda/engine_binding.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "bindings/without_gil.h"
#include "engine/growth.h"
#include "engine/hardware_queues.h"
#include "engine/job_handle.h"
#include "gpu_decoding/memory.h"

namespace nb = nanobind;

namespace jaxdali::gpu {
namespace {

// For every function that takes the engine's lock. The engine's threads hold the lock while CUDA waits for the device,
// and while they release tensors; the release of some tensors needs the GIL.
using GilFree = nb::call_guard<python::WithoutGil>;

using Rows = nb::ndarray<const int32_t, nb::shape<-1, kRowFields>, nb::c_contig, nb::device::cpu>;

JobHandle Submit(int device, nb::object tensor, Rows rows, int decoder, bool fancy_upsampling, bool luma) {
  nb::object capsule = tensor.attr("__dlpack__")();
  auto* const managed = static_cast<host::DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (managed == nullptr) throw nb::python_error();
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  HeldBytes held(managed);
  Engine& engine = Engine::Of(device);
  const python::WithoutGil released;
  return {engine, engine.Submit(std::move(held), rows.data(), static_cast<int64_t>(rows.shape(0)),
                                {static_cast<Decoder>(decoder), fancy_upsampling, luma})};
}

// Returns a notice for `Lease.tell_at_end`. Once it is called, calls cannot find the job any more.
nb::capsule Notice(JobHandle& self) {
  auto notice = std::make_unique<host::EndNotice>(self.Notice());
  nb::capsule capsule(notice.get(), "jaxdali_notice", [](void* pointer) noexcept {
    auto* const given = static_cast<host::EndNotice*>(pointer);
    if (given->tell != nullptr) given->tell(given->context);  // nobody took the notice
    delete given;
  });
  notice.release();
  return capsule;
}

std::optional<std::pair<int64_t, int>> LateFailure(const JobHandle& self) {
  const auto failure = self.engine().LateFailure(self.job());
  if (!failure) return std::nullopt;
  return std::pair(failure->first, static_cast<int>(failure->second));
}

size_t RaiseBudget(int device, std::optional<size_t> bytes, size_t most) {
  Engine& engine = Engine::Of(device);
  if (!bytes && engine.use().budget == 0) {
    OnDevice current(device);
    size_t free = 0, total = 0;
    Check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    bytes = std::min(free / 2, most);
  }
  if (bytes) engine.RaiseBudget(*bytes);
  return engine.use().budget;
}

nb::dict Counts(int device) {
  Engine& engine = Engine::Of(device);
  const EngineCounts& counts = engine.counts();
  const Engine::Use use = [&engine] {
    const python::WithoutGil released;
    return engine.use();
  }();
  nb::dict result;
  result["gpu"] = counts.gpu.load();
  result["host"] = counts.host.load();
  result["copied"] = counts.copied.load();
  result["failed"] = counts.failed.load();
  result["used"] = counts.used.load();
  result["missed"] = counts.missed.load();
  result["read_back"] = counts.read_back.load();
  result["given_up"] = counts.given_up.load();
  result["decode_memory"] = use.budget;
  result["allocated"] = use.allocated;
  result["growths"] = use.growths;
  result["most_per_image"] = use.most_per_image;
  result["jobs"] = use.jobs;
  result["waiting"] = use.images_waiting;
  result["decoded"] = use.images_decoded;
  result["hardware_queues"] = hardware_queues.load();
  return result;
}

}  // namespace

void BindEngine(nb::module_& module) {
  using namespace nanobind::literals;
  nb::class_<JobHandle>(module, "DecodeJob")
      .def(
          "wait", [](const JobHandle& self, double timeout_s) { return self.engine().Await(self.job(), timeout_s); },
          "timeout_s"_a, GilFree())
      .def_prop_ro(
          "settled", [](const JobHandle& self) { return self.engine().IsSettled(self.job()); }, GilFree())
      .def_prop_ro(
          "wanted",
          [](const JobHandle& self) -> std::optional<std::tuple<int, bool, bool>> {
            const auto wanted = self.engine().Wanted(self.job());
            if (!wanted) return std::nullopt;
            return std::tuple(static_cast<int>(wanted->decoder), wanted->fancy_upsampling, wanted->luma);
          },
          GilFree())
      .def_prop_ro("times_used", [](const JobHandle& self) { return self.job().times_used.load(); })
      .def(
          "set_known_rows",
          [](const JobHandle& self, uintptr_t rows) {
            self.engine().SetKnownRows(self.job(), reinterpret_cast<const void*>(rows));
          },
          "address"_a, GilFree())
      .def("late_failure", &LateFailure, GilFree())
      .def("release", [](const JobHandle& self) { self.engine().Release(self.job()); })
      .def("notice", &Notice);
  module.def("decode_ahead", &Submit, "device"_a, "files"_a, "rows"_a, "decoder"_a, "fancy_upsampling"_a, "luma"_a);
  module.def("set_decode_memory", &RaiseBudget, "device"_a, "bytes"_a.none(), "most"_a, GilFree());
  module.def(
      "limit_decode_memory", [](int device, size_t bytes) { Engine::Of(device).SetBudget(bytes); }, "device"_a,
      "bytes"_a, GilFree());
  module.def(
      "reserve_decode_memory",
      [](int device, size_t bytes, size_t batches, size_t rows) {
        return Engine::Of(device).Reserve(bytes, batches, rows);
      },
      "device"_a, "bytes"_a, "batches"_a, "rows"_a, GilFree());
  module.def("engine_counts", &Counts, "device"_a);
  module.def("set_growth_factor", [](double factor) { growth_factor = factor; }, "factor"_a);
  module.def("set_hardware_queues", [](int count) { hardware_queues = count; }, "count"_a);
  module.def(
      "stop_engines",
      [] {
        for (Engine* engine : Engine::All()) engine->Stop();
      },
      GilFree());
}

}  // namespace jaxdali::gpu
