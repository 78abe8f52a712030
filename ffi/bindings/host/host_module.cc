// jaxdali._feed._host: shared memory, claims and leases for Python. Loaded by workers, so it does not know XLA.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings/host/audio_binding.h"
#include "bindings/host/files_binding.h"
#include "bindings/host/image_binding.h"
#include "bindings/host/lease_binding.h"
#include "bindings/host/parent_watch_binding.h"
#include "bindings/host/permutation_binding.h"
#include "bindings/host/reading.h"
#include "bindings/host/records_binding.h"
#include "bindings/host/sample_writer.h"
#include "bindings/host/video_binding.h"
#include "bindings/without_gil.h"
#include "host/crc32c.h"
#include "ring/buffers.h"
#include "ring/lease.h"
#include "ring/moved_rows.h"
#include "ring/ring.h"

namespace nb = nanobind;
using namespace jaxdali::host;  // NOLINT: this file only binds the namespace to Python
using jaxdali::python::BindErrors;
using jaxdali::python::BindLease;
using jaxdali::python::BindReading;
using jaxdali::python::BindRecords;
using jaxdali::python::BufferView;
using jaxdali::python::FileSample;
using jaxdali::python::IsMasked;
using jaxdali::python::Lease;
using jaxdali::python::WithoutGil;
using jaxdali::python::WriteBatch;
using jaxdali::python::WriteNumber;
using jaxdali::python::WriteResult;
using jaxdali::python::WriteSample;

namespace {

std::vector<OutputPlan> ReadPlans(nb::list plans, uint32_t outputs) {
  if (plans.size() != outputs) throw nb::value_error("one plan an output is needed");
  std::vector<OutputPlan> result(outputs);
  for (uint32_t output = 0; output < outputs; ++output) {
    // (encoded, None) or (encoded, (dtype, shape))
    const auto [encoded, shape] =
        nb::cast<std::tuple<bool, std::optional<std::pair<uint8_t, std::vector<int64_t>>>>>(plans[output]);
    OutputPlan& plan = result[output];
    plan.encoded = encoded;
    if (!shape) continue;
    if (shape->first >= kDtypeCount || shape->second.size() > kMaxDims)
      throw nb::value_error("plan has no such type or rank");
    plan.dense = 1;
    plan.dtype = shape->first;
    plan.ndim = static_cast<uint8_t>(shape->second.size());
    plan.size_bytes = kDtypes[plan.dtype].size_bytes;
    for (size_t axis = 0; axis < shape->second.size(); ++axis) {
      plan.dims[axis] = shape->second[axis];
      plan.size_bytes *= static_cast<uint64_t>(shape->second[axis]);
    }
  }
  return result;
}

void CheckIndex(const Ring& ring, uint32_t slot, uint32_t sample) {
  if (slot >= ring.geometry().slots || sample >= ring.geometry().batch_size)
    throw nb::index_error("no such slot or sample");
}

// Writes the outputs of a sample. Returns -1, or the index in `values` of the first one that was refused. `numbers`:
// the values come from `__getitem__`, so Python numbers are accepted and masked arrays are not.
int WriteOutputs(Ring& ring, uint32_t slot, uint32_t chunk, uint32_t sample, nb::handle values, uint32_t first_output,
                 bool numbers) {
  CheckIndex(ring, slot, sample);
  nb::object fast = nb::steal(PySequence_Fast(values.ptr(), "a sample of several outputs must be a tuple or a list"));
  if (!fast.is_valid()) throw nb::python_error();
  const Py_ssize_t count = PySequence_Size(fast.ptr());
  if (first_output + count > ring.geometry().outputs) throw nb::index_error("more values than outputs");
  for (Py_ssize_t k = 0; k < count; ++k) {
    const uint32_t output = first_output + static_cast<uint32_t>(k);
    const nb::object held = nb::steal(PySequence_GetItem(fast.ptr(), k));
    if (!held.is_valid()) throw nb::python_error();
    PyObject* const value = held.ptr();
    if (numbers && IsMasked(value)) return static_cast<int>(k);
    const bool is_number = numbers && (PyLong_Check(value) || PyFloat_CheckExact(value));
    const WriteResult result =
        is_number ? WriteNumber(ring, slot, output, sample, value) : WriteSample(ring, slot, output, sample, value, 0);
    if (result == WriteResult::kFailed) throw nb::python_error();
    if (result == WriteResult::kRefused) return static_cast<int>(k);
  }
  ring.progress(slot)[chunk].store(sample + 1, std::memory_order_relaxed);
  return -1;
}

bool WriteOutput(Ring& ring, uint32_t slot, uint32_t sample, uint32_t output, nb::handle value, uint16_t flags) {
  CheckIndex(ring, slot, sample);
  if (output >= ring.geometry().outputs) throw nb::index_error("no such output");
  const WriteResult result = WriteSample(ring, slot, output, sample, value.ptr(), flags);
  if (result == WriteResult::kFailed) throw nb::python_error();
  return result == WriteResult::kWritten;
}

// The rings of one pool, all of which a worker serves.
struct Claimant {
  std::vector<std::shared_ptr<Ring>> rings;
  uint64_t owner;
  std::vector<bool> kept;
};

nb::object NextClaim(const Claimant& self, double timeout_s) {
  std::optional<Claim> claim;
  {
    const WithoutGil released;
    claim = Ring::AwaitClaim(self.rings, self.owner, timeout_s, self.kept);
  }
  if (!claim) return nb::none();
  return nb::make_tuple(claim->ring, claim->slot, claim->chunk, claim->ticket, claim->epoch, claim->iteration,
                        claim->first_sample, claim->range.start, claim->range.stop);
}

bool WriteWhole(Ring& ring, uint32_t slot, uint32_t output, nb::handle value) {
  CheckIndex(ring, slot, 0);
  if (output >= ring.geometry().outputs) throw nb::index_error("no such output");
  const WriteResult result = WriteBatch(ring, slot, output, value.ptr());
  if (result == WriteResult::kFailed) throw nb::python_error();
  return result == WriteResult::kWritten;
}

void CheckRows(const Ring& ring, uint32_t slot, uint32_t start, uint32_t stop) {
  CheckIndex(ring, slot, 0);
  if (start > stop || stop > ring.geometry().batch_size) throw nb::index_error("no such rows");
}

nb::bytes PackRows(const Ring& ring, uint32_t slot, uint32_t start, uint32_t stop) {
  CheckRows(ring, slot, start, stop);
  const std::vector<SampleRecord> records = RecordsOfRows(ring, slot, start, stop);
  return nb::bytes(reinterpret_cast<const char*>(records.data()), sizeof(SampleRecord) * records.size());
}

void UnpackRows(Ring& ring, uint32_t slot, uint32_t start, uint32_t stop, nb::bytes records, nb::handle data) {
  CheckRows(ring, slot, start, stop);
  const BufferView held(data.ptr());
  if (!held || !PyBuffer_IsContiguous(&held.view(), 'C')) throw nb::type_error("the data are no contiguous buffer");
  const auto* const first = reinterpret_cast<const uint8_t*>(records.c_str());
  const size_t records_size = records.size();
  const WithoutGil released;
  StoreRows(&ring, slot, start, stop, first, records_size, static_cast<const uint8_t*>(held.view().buf),
            static_cast<size_t>(held.view().len));
}

void BindRing(nb::module_& m) {
  nb::class_<Ring> ring(m, "Ring", "A ring of slots; see ffi/ring/ring.h.");
  BindReading(ring);
  jaxdali::python::BindImages(m, ring);
  jaxdali::python::BindFiles(m, ring);
  ring.def_static(
          "create",
          [](uint32_t slots, uint32_t chunks, uint32_t outputs, uint32_t batch_size, uint64_t capacity, uint64_t stride,
             std::shared_ptr<Ring> events) {
            return Ring::Create({slots, chunks, outputs, batch_size, capacity, stride}, std::move(events));
          },
          nb::arg("slots"), nb::arg("chunks"), nb::arg("outputs"), nb::arg("batch_size"), nb::arg("capacity"),
          nb::arg("stride"), nb::arg("events").none() = nb::none())
      .def_static("attach", &Ring::Attach, nb::arg("control_fd"), nb::arg("data_fd"),
                  nb::arg("events").none() = nb::none())
      .def_prop_ro("control_fd", [](const Ring& self) { return self.control().fd(); })
      .def_prop_ro("data_fd", [](const Ring& self) { return self.data().fd(); })
      .def_prop_ro("closing", &Ring::Closing)
      .def_prop_ro("free_slots", &Ring::FreeSlots)
      .def_prop_ro("slots", [](const Ring& self) { return self.geometry().slots; })
      .def("capacities",
           [](const Ring& self) {
             std::vector<uint64_t> result;
             for (uint32_t slot = 0; slot < self.geometry().slots; ++slot) result.push_back(self.capacity(slot));
             return result;
           })
      .def_prop_ro("allocated",
                   [](const Ring& self) {
                     std::vector<uint64_t> result;
                     for (uint32_t slot = 0; slot < self.geometry().slots; ++slot)
                       result.push_back(self.allocated(slot));
                     return result;
                   })
      .def_prop_ro("growths", [](const Ring& self) { return self.header()->growths.load(); })
      .def_prop_ro("shrinks", &Ring::shrinks)
      .def("take_free", &Ring::TakeFree)
      .def("divide_into", &Ring::DivideInto)
      .def(
          "publish",
          [](Ring& self, uint32_t slot, uint64_t ticket, int64_t epoch, int64_t iteration, int64_t first_sample,
             uint32_t samples, nb::list plans, uint32_t only) {
            CheckIndex(self, slot, samples - 1);
            self.Publish(slot, {ticket, epoch, iteration, first_sample, samples, only},
                         ReadPlans(plans, self.geometry().outputs));
          },
          nb::arg("slot"), nb::arg("ticket"), nb::arg("epoch"), nb::arg("iteration"), nb::arg("first_sample"),
          nb::arg("samples"), nb::arg("plans"), nb::arg("only") = 0)
      .def("state", [](const Ring& self, uint32_t slot) { return static_cast<int>(self.State(slot)); })
      .def(
          "wait",
          [](Ring& self, uint32_t slot, double timeout_s) { return static_cast<int>(self.Wait(slot, timeout_s)); },
          nb::call_guard<WithoutGil>())
      .def("wait_event", &Ring::WaitEvent, nb::call_guard<WithoutGil>())
      .def("wake_workers", &Ring::WakeWorkers)
      .def("retire", &Ring::Retire)
      .def("reopen", &Ring::Reopen)
      .def("ticket", [](const Ring& self, uint32_t slot) { return self.book(slot).ticket; })
      .def("only", [](const Ring& self, uint32_t slot) { return self.slot_header(slot)->only; })
      .def("release", &Ring::Release)
      .def("show", &Ring::Show)
      .def("owned_by", &Ring::OwnedBy)
      .def("close", &Ring::Close)
      .def("lease",
           [](std::shared_ptr<Ring> self, uint32_t slot) {
             const uint64_t generation = self->generation(slot);
             return Lease{std::make_shared<SlotHold>(std::move(self), slot), generation};
           })
      .def("write", &WriteOutputs, nb::arg("slot"), nb::arg("chunk"), nb::arg("sample"), nb::arg("values"),
           nb::arg("first_output") = 0, nb::arg("numbers") = false)
      .def("write_output", &WriteOutput, nb::arg("slot"), nb::arg("sample"), nb::arg("output"), nb::arg("value").none(),
           nb::arg("flags") = 0)
      .def("write_batch", &WriteWhole, nb::arg("slot"), nb::arg("output"), nb::arg("values"))
      .def("pack_rows", &PackRows, nb::arg("slot"), nb::arg("start"), nb::arg("stop"),
           "The records of rows of a slot, for `unpack_rows` of another ring with the slot's bytes.")
      .def("unpack_rows", &UnpackRows, nb::arg("slot"), nb::arg("start"), nb::arg("stop"), nb::arg("records"),
           nb::arg("data"))
      .def("set_samples",
           [](Ring& self, uint32_t slot, uint32_t samples) {
             CheckIndex(self, slot, samples == 0 ? 0 : samples - 1);
             self.SetSamples(slot, samples);
           })
      .def("advance",
           [](Ring& self, uint32_t slot, uint32_t chunk, uint32_t sample) {
             CheckIndex(self, slot, 0);
             if (chunk >= self.geometry().chunks) throw nb::index_error("no such chunk");
             self.progress(slot)[chunk].store(sample, std::memory_order_relaxed);
           })
      .def("finish", [](Ring& self, uint32_t slot, uint32_t chunk, uint64_t ticket, uint64_t owner, int state) {
        self.Finish(slot, chunk, ticket, owner, static_cast<WordState>(state));
      });
}

}  // namespace

NB_MODULE(_host, m) {
  m.doc() = "Shared memory, claims and leases.";
  // Rings live as long as arrays in their slots, which may still exist when the interpreter looks for leaks.
  nb::set_leak_warnings(false);
  BindErrors(m);
  BindLease(m);
  BindRing(m);
  nb::class_<Claimant>(m, "Claimant", "Takes work from rings that share their events, in the name of `owner`.")
      .def(
          "__init__",
          [](Claimant* self, std::vector<std::shared_ptr<Ring>> rings, uint64_t owner, std::vector<bool> kept) {
            if (rings.empty() || owner == 0 || owner > kMaxOwner) throw nb::value_error("no rings, or no such owner");
            new (self) Claimant{std::move(rings), owner, std::move(kept)};
          },
          nb::arg("rings"), nb::arg("owner"), nb::arg("kept") = std::vector<bool>())
      .def("next", &NextClaim, nb::arg("timeout_s") = -1.0);
  nb::class_<FileSample>(m, "FileSample", "A sample that is the content of a file, read into the slot itself.")
      .def(
          "__init__",
          [](FileSample* self, nb::bytes path) {
            const std::string name(path.c_str(), path.size());
            if (name.find('\0') != std::string::npos) throw nb::value_error("embedded null byte");
            new (self) FileSample{name};
          },
          nb::arg("path"))
      .def_prop_ro("path", [](const FileSample& self) { return nb::bytes(self.path.data(), self.path.size()); });
  jaxdali::python::BindAudio(m);
  jaxdali::python::BindVideo(m);
  jaxdali::python::BindPermutation(m);
  BindRecords(m);
  jaxdali::python::BindParentWatch(m);
  m.def(
      "set_buffers",
      [](double growth_factor, double shrink_threshold) {
        buffer_settings.growth_factor = growth_factor;
        buffer_settings.shrink_threshold = shrink_threshold;
      },
      nb::arg("growth_factor"), nb::arg("shrink_threshold"), "How slots grow and shrink, see ffi/ring/buffers.h.");
  m.def(
      "append_result",
      [](nb::list kept, nb::callable function, nb::args arguments) { kept.append(function(*arguments)); },
      nb::arg("kept"), nb::arg("function"), nb::arg("arguments"),
      "Appends function(*arguments) to a list; no interrupt comes between the two.");
  m.def(
      "crc32c",
      [](nb::bytes data) {
        const auto* bytes = reinterpret_cast<const uint8_t*>(data.c_str());
        const WithoutGil released;
        return Crc32c(bytes, data.size());
      },
      nb::arg("data"), "CRC-32C of some bytes.");
  m.attr("RECORD_SIZE") = sizeof(SampleRecord);
  m.attr("RECORD_DECODED") = kRecordDecoded;
  m.attr("RECORD_SEEN") = kRecordSeen;
  m.attr("RECORD_RAW") = kRecordRaw;
  m.attr("STATUS_SHIFT") = kRecordStatusShift;
  m.attr("MAX_DIMS") = kMaxDims;
  m.attr("WORD_STATES") = nb::make_tuple("idle", "ready", "claimed", "done", "failed", "exhausted");
}
