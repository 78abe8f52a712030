#include "bindings/host/reading.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "host/available_memory.h"
#include "ring/checked_batch.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

using namespace jaxdali::host;  // NOLINT: this file only binds the namespace to Python

nb::object Bytes(const void* data, size_t size) {
  return nb::steal(PyBytes_FromStringAndSize(static_cast<const char*>(data), static_cast<Py_ssize_t>(size)));
}

void CheckSlot(const Ring& ring, uint32_t slot) {
  if (slot >= ring.geometry().slots) throw nb::index_error("no such slot");
}

nb::object Read(const Ring& ring, uint32_t slot, uint64_t capacity) {
  CheckSlot(ring, slot);
  const CheckedBatch batch = ReadBatch(ring, slot, capacity);
  nb::list layouts;
  for (const auto& dense : batch.dense) {
    if (!dense) {
      layouts.append(nb::none());
      continue;
    }
    nb::object shape = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(dense->dims.size())));
    for (size_t axis = 0; axis < dense->dims.size(); ++axis) {
      PyTuple_SetItem(shape.ptr(), static_cast<Py_ssize_t>(axis), PyLong_FromLongLong(dense->dims[axis]));
    }
    layouts.append(nb::make_tuple(dense->dtype, dense->offset, shape));
  }
  const size_t size = sizeof(SampleRecord) * batch.records.size();
  return nb::make_tuple(batch.samples, batch.used, layouts, Bytes(batch.records.data(), size));
}

nb::list ChunkInfo(const Ring& ring, uint32_t slot) {
  CheckSlot(ring, slot);
  const SlotBook& book = ring.book(slot);
  nb::list result;
  for (uint32_t chunk = 0; chunk < book.chunks; ++chunk) {
    const Word word = Word::Unpack(ring.words(slot)[chunk].load());
    const SampleRange range = ChunkRange(book.samples, book.chunks, chunk);
    const uint32_t at = std::clamp(ring.progress(slot)[chunk].load(), range.start, range.stop);
    result.append(nb::make_tuple(range.start, range.stop, word.owner, static_cast<int>(word.state), at));
  }
  return result;
}

nb::object Stored(const Ring& ring, uint32_t slot, uint64_t offset, uint64_t size) {
  CheckSlot(ring, slot);
  const uint64_t stride = ring.geometry().stride;
  if (offset > stride || size > stride - offset) throw RingDamaged("a sample does not lie in its slot", slot);
  return Bytes(ring.slot_data(slot) + offset, size);
}

void CopyRecords(const Ring& ring, uint32_t slot, const Ring& from) {
  CheckSlot(ring, slot);
  CheckSlot(from, slot);
  const Geometry &to_size = ring.geometry(), &size = from.geometry();
  if (to_size.outputs != size.outputs || to_size.batch_size != size.batch_size) {
    throw nb::value_error("the rings differ in outputs or in the size of a batch");
  }
  std::memcpy(ring.records(slot), from.records(slot), sizeof(SampleRecord) * size.outputs * size.batch_size);
}

PyObject* damaged_type;

// Returns an index, or None if it is negative.
nb::object Index(int64_t value) { return value < 0 ? nb::object(nb::none()) : nb::object(nb::int_(value)); }

void Raise(const RingDamaged& damage) {
  nb::object error = nb::handle(damaged_type)(damage.what());
  error.attr("slot") = Index(damage.slot);
  error.attr("output") = Index(damage.output);
  error.attr("sample") = Index(damage.sample);
  PyErr_SetObject(damaged_type, error.ptr());
}

}  // namespace

void BindReading(nb::class_<Ring>& ring) {
  ring.def(
          "used", [](const Ring& self, uint32_t slot) { return self.slot_header(slot)->tail.load(); },
          "Bytes that the slot says are laid out.")
      .def(
          "holes",
          [](const Ring& self, uint32_t slot) {
            CheckSlot(self, slot);
            return self.Holes(slot);
          },
          "Bytes that were taken for files and not used, as far as the slot says.")
      .def("read", &Read, nb::arg("slot"), nb::arg("capacity"),
           "(samples, bytes laid out, layouts, records) of a complete slot, all of them checked. A layout is (dtype, "
           "offset "
           "of sample 0, shape of a sample) of an output whose samples are alike and lie one behind the other; None of "
           "others, which have SampleRecords [outputs][batch_size] in `records`.")
      .def(
          "records",
          [](const Ring& self, uint32_t slot) {
            CheckSlot(self, slot);
            const Geometry& geometry = self.geometry();
            return Bytes(self.records(slot), sizeof(SampleRecord) * geometry.outputs * geometry.batch_size);
          },
          "The slot's SampleRecords [outputs][batch_size] as workers wrote them, unchecked.")
      .def(
          "raw", [](const Ring& self, uint32_t slot) { return self.slot_header(slot)->raw.load(); },
          "How many files the slot says are still to be decoded.")
      .def(
          "samples",
          [](const Ring& self, uint32_t slot) {
            CheckSlot(self, slot);
            return std::min(self.slot_header(slot)->samples, self.geometry().batch_size);
          },
          "How many samples the slot says its batch has.")
      .def("stored", &Stored, nb::arg("slot"), nb::arg("offset"), nb::arg("size"),
           "The bytes at a place in a slot, for a worker.")
      .def("copy_records", &CopyRecords, nb::arg("slot"), nb::arg("source"),
           "Copies a slot's SampleRecords from the same slot of another ring, unchecked.")
      .def(
          "batch_info",
          [](const Ring& self, uint32_t slot) {
            CheckSlot(self, slot);
            const SlotBook& book = self.book(slot);
            return nb::make_tuple(book.epoch, book.iteration, book.first_sample);
          },
          "(epoch, iteration, index in the epoch of sample 0) of the batch in a slot.")
      .def("chunk_info", &ChunkInfo, "(start, stop, owner, state, sample it is at) of each chunk.");
}

void BindErrors(nb::module_& m) {
  nb::exception<ShortOfMemory>(m, "ShortOfMemory", PyExc_RuntimeError);
  damaged_type = PyErr_NewException("jaxdali._feed._host.RingDamaged", PyExc_RuntimeError, nullptr);
  m.attr("RingDamaged") = nb::handle(damaged_type);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const RingDamaged& damage) {
      Raise(damage);
    }
  });
  m.def(
      "available_memory",
      [](const char* root) {
        const Available available = AvailableMemory(root);
        return nb::make_tuple(available.bytes, nb::str(available.where.c_str()));
      },
      nb::arg("root") = "",
      "(bytes that this process could still get, what has no more): of the machine and of its memory cgroups, whose "
      "files are "
      "looked for below `root`.");
}

}  // namespace jaxdali::python
