// jaxdali._host: shared memory, claims and leases for Python. Loaded by workers, so it knows no XLA.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>

#include "host/buffers.h"
#include "host/lease.h"
#include "host/parent_watch.h"
#include "host/ring.h"
#include "python/sample_writer.h"

namespace nb = nanobind;
using namespace jaxdali::host;  // NOLINT: this file is nothing but its Python face
using jaxdali::python::FileSample;
using jaxdali::python::WriteBatch;
using jaxdali::python::WriteResult;
using jaxdali::python::WriteSample;

namespace {

// Python's handle on a leased slot: exports the buffer, read-only, and DLPack.
struct Lease {
  std::shared_ptr<Hold> hold;
  uint64_t generation;
};

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
                        int32_t device_id, int32_t device_type) {
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
  return {lease.hold, offset, std::move(shape), dtype, {device_type, device_id}};
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
  if (slot >= ring.header()->slots || sample >= ring.header()->batch_size)
    throw nb::index_error("no such slot or sample");
}

// Writes the outputs of a sample; returns -1, or the first output that was refused.
int WriteOutputs(Ring& ring, uint32_t slot, uint32_t chunk, uint32_t sample, nb::handle values, uint32_t first_output) {
  CheckIndex(ring, slot, sample);
  nb::object fast = nb::steal(PySequence_Fast(values.ptr(), "a sample of several outputs must be a tuple or a list"));
  if (!fast.is_valid()) throw nb::python_error();
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(fast.ptr());
  if (first_output + count > ring.header()->outputs) throw nb::index_error("more values than outputs");
  for (Py_ssize_t k = 0; k < count; ++k) {
    const WriteResult result = WriteSample(ring, slot, first_output + static_cast<uint32_t>(k), sample,
                                           PySequence_Fast_GET_ITEM(fast.ptr(), k), 0);
    if (result == WriteResult::kFailed) throw nb::python_error();
    if (result == WriteResult::kRefused) return static_cast<int>(k);
  }
  ring.progress(slot)[chunk].store(sample + 1, std::memory_order_relaxed);
  return -1;
}

bool WriteOutput(Ring& ring, uint32_t slot, uint32_t sample, uint32_t output, nb::handle value, uint16_t flags) {
  CheckIndex(ring, slot, sample);
  if (output >= ring.header()->outputs) throw nb::index_error("no such output");
  const WriteResult result = WriteSample(ring, slot, output, sample, value.ptr(), flags);
  if (result == WriteResult::kFailed) throw nb::python_error();
  return result == WriteResult::kWritten;
}

nb::list DenseOutputs(const Ring& ring, uint32_t slot) {
  CheckIndex(ring, slot, 0);
  nb::list result;
  const uint32_t samples = ring.slot_header(slot)->samples;
  for (uint32_t output = 0; output < ring.header()->outputs; ++output) {
    const SampleRecord* const first = ring.records(slot) + ring.header()->batch_size * output;
    bool dense = samples > 0 && first->flags == 0;
    for (uint32_t sample = 1; dense && sample < samples; ++sample) {
      const SampleRecord& record = first[sample];
      dense = record.dtype == first->dtype && record.ndim == first->ndim && record.flags == 0 &&
              record.offset == first->offset + first->size_bytes * sample &&
              std::memcmp(record.dims, first->dims, sizeof(int64_t) * first->ndim) == 0;
    }
    if (!dense) {
      result.append(nb::none());
      continue;
    }
    nb::object shape = nb::steal(PyTuple_New(first->ndim));
    for (int axis = 0; axis < first->ndim; ++axis)
      PyTuple_SET_ITEM(shape.ptr(), axis, PyLong_FromLongLong(first->dims[axis]));
    result.append(nb::make_tuple(first->dtype, first->offset, shape));
  }
  return result;
}

nb::object Bytes(const void* data, size_t size) {
  return nb::steal(PyBytes_FromStringAndSize(static_cast<const char*>(data), static_cast<Py_ssize_t>(size)));
}

// The rings of one pool, as a worker serves them.
struct Claimant {
  std::vector<std::shared_ptr<Ring>> rings;
  uint64_t owner;
};

nb::object NextClaim(const Claimant& self, double timeout_s) {
  std::optional<Claim> claim;
  {
    nb::gil_scoped_release release;
    claim = Ring::AwaitClaim(self.rings, self.owner, timeout_s);
  }
  if (!claim) return nb::none();
  return nb::make_tuple(claim->ring, claim->slot, claim->chunk, claim->ticket, claim->epoch, claim->iteration,
                        claim->first_sample, claim->range.start, claim->range.stop);
}

bool WriteWhole(Ring& ring, uint32_t slot, uint32_t output, nb::handle value) {
  CheckIndex(ring, slot, 0);
  if (output >= ring.header()->outputs) throw nb::index_error("no such output");
  const WriteResult result = WriteBatch(ring, slot, output, value.ptr());
  if (result == WriteResult::kFailed) throw nb::python_error();
  return result == WriteResult::kWritten;
}

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
           nb::arg("device_type") = static_cast<int32_t>(kDLCPU),
           "An object with __dlpack__ on part of the slot, as a tensor of device `device_id`; of a CPU, or of the "
           "memory on "
           "the host that belongs to a GPU.")
      .def(
          "lock",
          [](const Lease& self, nb::capsule lock, nb::capsule unlock) {
            Registration registration;
            registration.lock = reinterpret_cast<int (*)(void*, size_t)>(lock.data("jaxdali_lock"));
            registration.unlock = reinterpret_cast<void (*)(void*)>(unlock.data("jaxdali_unlock"));
            if (registration.lock == nullptr || registration.unlock == nullptr)
              throw nb::value_error("no functions that lock and unlock memory");
            nb::gil_scoped_release release;
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
          nb::arg("notice"), "Has somebody told when the memory may change, once.");
  nb::class_<TensorExport>(m, "TensorExport")
      .def("__dlpack__", [](const TensorExport& self, nb::kwargs) { return ToCapsule(self); })
      .def("__dlpack_device__",
           [](const TensorExport& self) { return nb::make_tuple(self.device.device_type, self.device.device_id); });
}

void BindRing(nb::module_& m) {
  nb::class_<Ring>(m, "Ring", "A ring of slots; see ffi/host/ring.h.")
      .def_static(
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
      .def_prop_ro("closing", [](const Ring& self) { return self.events()->closing.load() != 0; })
      .def_prop_ro("free_slots", &Ring::FreeSlots)
      .def_prop_ro("slots", [](const Ring& self) { return self.header()->slots; })
      .def("capacities",
           [](const Ring& self) {
             std::vector<uint64_t> result;
             for (uint32_t slot = 0; slot < self.header()->slots; ++slot)
               result.push_back(self.slot_header(slot)->capacity.load());
             return result;
           })
      .def_prop_ro("allocated",
                   [](const Ring& self) {
                     std::vector<uint64_t> result;
                     for (uint32_t slot = 0; slot < self.header()->slots; ++slot)
                       result.push_back(self.slot_header(slot)->allocated.load());
                     return result;
                   })
      .def_prop_ro("growths", [](const Ring& self) { return self.header()->growths.load(); })
      .def_prop_ro("shrinks", [](const Ring& self) { return self.header()->shrinks.load(); })
      .def("take_free", &Ring::TakeFree)
      .def(
          "publish",
          [](Ring& self, uint32_t slot, uint64_t ticket, int64_t epoch, int64_t iteration, int64_t first_sample,
             uint32_t samples, nb::list plans, uint32_t only) {
            CheckIndex(self, slot, samples - 1);
            self.Publish(slot, {ticket, epoch, iteration, first_sample, samples, only},
                         ReadPlans(plans, self.header()->outputs));
          },
          nb::arg("slot"), nb::arg("ticket"), nb::arg("epoch"), nb::arg("iteration"), nb::arg("first_sample"),
          nb::arg("samples"), nb::arg("plans"), nb::arg("only") = 0)
      .def("state", [](const Ring& self, uint32_t slot) { return static_cast<int>(self.State(slot)); })
      .def(
          "wait",
          [](Ring& self, uint32_t slot, double timeout_s) { return static_cast<int>(self.Wait(slot, timeout_s)); },
          nb::call_guard<nb::gil_scoped_release>())
      .def("wait_event", &Ring::WaitEvent, nb::call_guard<nb::gil_scoped_release>())
      .def("retire", &Ring::Retire)
      .def("reopen", &Ring::Reopen)
      .def("ticket", [](const Ring& self, uint32_t slot) { return self.slot_header(slot)->ticket; })
      .def("samples", [](const Ring& self, uint32_t slot) { return self.slot_header(slot)->samples; })
      .def("release", &Ring::Release)
      .def("grow", &Ring::Grow)
      .def("owned_by", &Ring::OwnedBy)
      .def("close", &Ring::Close)
      .def("lease",
           [](std::shared_ptr<Ring> self, uint32_t slot) {
             const uint64_t generation = self->generation(slot);
             return Lease{std::make_shared<SlotHold>(std::move(self), slot), generation};
           })
      .def(
          "used", [](const Ring& self, uint32_t slot) { return self.slot_header(slot)->tail.load(); },
          "Bytes of the slot that are laid out.")
      .def(
          "records",
          [](const Ring& self, uint32_t slot) {
            return Bytes(self.records(slot), sizeof(SampleRecord) * self.header()->outputs * self.header()->batch_size);
          },
          "The slot's SampleRecords [outputs][batch_size], a copy.")
      .def("dense", &DenseOutputs,
           "(dtype, offset of sample 0, shape of a sample) of each output whose samples are alike and lie one behind "
           "the "
           "other; None of others.")
      .def(
          "batch_info",
          [](const Ring& self, uint32_t slot) {
            const SlotHeader* const head = self.slot_header(slot);
            return nb::make_tuple(head->epoch, head->iteration, head->first_sample);
          },
          "(epoch, iteration, index in the epoch of sample 0) of the batch in a slot.")
      .def(
          "chunk_info",
          [](const Ring& self, uint32_t slot) {
            nb::list result;
            const uint32_t samples = self.slot_header(slot)->samples, chunks = self.slot_header(slot)->chunks;
            for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
              const Word word = Word::Unpack(self.words(slot)[chunk].load());
              const SampleRange range = ChunkRange(samples, chunks, chunk);
              result.append(nb::make_tuple(range.start, range.stop, word.owner, static_cast<int>(word.state),
                                           self.progress(slot)[chunk].load()));
            }
            return result;
          },
          "(start, stop, owner, state, sample it is at) of each chunk.")
      .def("write", &WriteOutputs, nb::arg("slot"), nb::arg("chunk"), nb::arg("sample"), nb::arg("values"),
           nb::arg("first_output") = 0)
      .def("write_output", &WriteOutput, nb::arg("slot"), nb::arg("sample"), nb::arg("output"), nb::arg("value").none(),
           nb::arg("flags") = 0)
      .def("write_batch", &WriteWhole, nb::arg("slot"), nb::arg("output"), nb::arg("values"))
      .def("set_samples",
           [](Ring& self, uint32_t slot, uint32_t samples) {
             CheckIndex(self, slot, samples == 0 ? 0 : samples - 1);
             self.SetSamples(slot, samples);
           })
      .def("advance",
           [](Ring& self, uint32_t slot, uint32_t chunk, uint32_t sample) {
             CheckIndex(self, slot, 0);
             if (chunk >= self.header()->chunks) throw nb::index_error("no such chunk");
             self.progress(slot)[chunk].store(sample, std::memory_order_relaxed);
           })
      .def("finish", [](Ring& self, uint32_t slot, uint32_t chunk, uint64_t ticket, uint64_t owner, int state) {
        self.Finish(slot, chunk, ticket, owner, static_cast<WordState>(state));
      });
}

}  // namespace

NB_MODULE(_host, m) {
  m.doc() = "Shared memory, claims and leases.";
  // Rings live as long as arrays do, and those may outlive the interpreter's last look at them.
  nb::set_leak_warnings(false);
  BindLease(m);
  BindRing(m);
  nb::class_<Claimant>(m, "Claimant", "Takes work from rings that share their events, in the name of `owner`.")
      .def(
          "__init__",
          [](Claimant* self, std::vector<std::shared_ptr<Ring>> rings, uint64_t owner) {
            if (rings.empty() || owner == 0 || owner > kMaxOwner) throw nb::value_error("no rings, or no such owner");
            new (self) Claimant{std::move(rings), owner};
          },
          nb::arg("rings"), nb::arg("owner"))
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
  m.def("watch_parent", &WatchParent, nb::arg("pidfd"), nb::arg("exit_code"),
        "Ends this process as soon as the process behind `pidfd` is gone, whoever holds the GIL.");
  m.def(
      "set_buffers",
      [](double growth_factor, double shrink_threshold) {
        buffer_settings.growth_factor = growth_factor;
        buffer_settings.shrink_threshold = shrink_threshold;
      },
      nb::arg("growth_factor"), nb::arg("shrink_threshold"), "How slots grow and shrink, see ffi/host/buffers.h.");
  m.attr("RECORD_SIZE") = sizeof(SampleRecord);
  m.attr("RECORD_DECODED") = kRecordDecoded;
  m.attr("RECORD_SEEN") = kRecordSeen;
  m.attr("STATUS_SHIFT") = kRecordStatusShift;
  m.attr("MAX_DIMS") = kMaxDims;
  m.attr("WORD_STATES") = nb::make_tuple("idle", "ready", "claimed", "done", "failed", "stopped");
}
