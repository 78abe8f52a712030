// Copies Python objects into a slot: reads any object with the buffer protocol straight into its final place.
#ifndef JAXDALI_BINDINGS_HOST_SAMPLE_WRITER_H_
#define JAXDALI_BINDINGS_HOST_SAMPLE_WRITER_H_

#include <Python.h>

#include <cstdint>
#include <cstring>

#include "bindings/host/file_writer.h"
#include "bindings/host/write_result.h"
#include "host/dtype.h"
#include "ring/ring.h"

namespace jaxdali::python {

// The buffer of a Python object, if it has one, for as long as this lives.
class BufferView {
 public:
  explicit BufferView(PyObject* value)
      : has_buffer_(PyObject_GetBuffer(value, &view_, PyBUF_STRIDES | PyBUF_FORMAT) == 0) {
    if (!has_buffer_) PyErr_Clear();
  }
  ~BufferView() {
    if (has_buffer_) PyBuffer_Release(&view_);
  }
  BufferView(const BufferView&) = delete;
  BufferView& operator=(const BufferView&) = delete;
  explicit operator bool() const { return has_buffer_; }
  const Py_buffer& view() const { return view_; }

 private:
  Py_buffer view_;
  bool has_buffer_;
};

// Whether the value is a masked array of NumPy's. Its buffer does not show the mask.
inline bool IsMasked(PyObject* value) {
  static PyTypeObject* masked = nullptr;
  if (masked == nullptr) {
    // There are no masked arrays unless somebody has loaded their module.
    static PyObject* const name = PyUnicode_InternFromString("numpy.ma");
    PyObject* const module = PyImport_GetModule(name);
    PyObject* const found = module == nullptr ? nullptr : PyObject_GetAttrString(module, "MaskedArray");
    Py_XDECREF(module);
    if (found == nullptr || !PyType_Check(found)) {  // the module may be half loaded
      Py_XDECREF(found);
      PyErr_Clear();
      return false;
    }
    masked = reinterpret_cast<PyTypeObject*>(found);  // the reference is kept
  }
  return PyType_IsSubtype(Py_TYPE(value), masked) != 0;
}

// Writes one sample of one output. `flags` go into the record.
inline WriteResult WriteSample(host::Ring& ring, uint32_t slot, uint32_t output, uint32_t sample, PyObject* value,
                               uint16_t flags) {
  const BufferView held(value);
  if (!held) {
    const nanobind::handle object(value);
    if (!nanobind::isinstance<FileSample>(object)) return WriteResult::kRefused;
    return WriteFile(ring, slot, output, sample, nanobind::cast<const FileSample&>(object));
  }
  const Py_buffer& view = held.view();
  host::SampleRecord record{};
  record.dtype = host::DtypeOfFormat(view.format, static_cast<size_t>(view.itemsize));
  if (record.dtype == host::kNoDtype || view.ndim > host::kMaxDims) return WriteResult::kRefused;
  const bool file = ring.plans(slot)[output].encoded && !(flags & (host::kRecordDecoded | host::kRecordSeen));
  if (file) {
    const auto* bytes = static_cast<const uint8_t*>(view.buf);
    const bool jpeg = view.len >= 2 && PyBuffer_IsContiguous(&view, 'C') && bytes[0] == 0xff && bytes[1] == 0xd8;
    if (record.dtype != 0 || view.ndim != 1 || !jpeg) return WriteResult::kRefused;
  }
  record.ndim = static_cast<uint8_t>(view.ndim);
  record.flags = flags;
  record.size_bytes = static_cast<uint64_t>(view.len);
  for (int axis = 0; axis < view.ndim; ++axis) record.dims[axis] = view.shape[axis];
  if (flags & host::kRecordRaw) ring.slot_header(slot)->raw.fetch_add(1, std::memory_order_relaxed);
  uint8_t* const place = ring.Place(slot, output, sample, record);
  if (PyBuffer_ToContiguous(place, const_cast<Py_buffer*>(&view), view.len, 'C') != 0) return WriteResult::kFailed;
  return WriteResult::kWritten;
}

// Writes a Python number of 64 bits, or a bool, as a sample. Refuses other values and integers of more bits.
inline WriteResult WriteNumber(host::Ring& ring, uint32_t slot, uint32_t output, uint32_t sample, PyObject* value) {
  if (ring.plans(slot)[output].encoded) return WriteResult::kRefused;
  host::SampleRecord record{};
  const auto put = [&](const auto number, const char* format) {
    record.dtype = host::DtypeOfFormat(format, sizeof(number));
    record.size_bytes = sizeof(number);
    std::memcpy(ring.Place(slot, output, sample, record), &number, sizeof(number));
    return WriteResult::kWritten;
  };
  if (PyBool_Check(value)) return put(static_cast<uint8_t>(value == Py_True), "?");
  if (PyFloat_Check(value)) return put(PyFloat_AsDouble(value), "d");
  if (!PyLong_Check(value)) return WriteResult::kRefused;
  int overflow = 0;
  const int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
  return overflow != 0 ? WriteResult::kRefused : put(number, "q");
}

// Writes a whole batch of one output from an array [n, ...], with n up to the ring's batch size.
inline WriteResult WriteBatch(host::Ring& ring, uint32_t slot, uint32_t output, PyObject* value) {
  const BufferView held(value);
  if (!held) return WriteResult::kRefused;
  const Py_buffer& view = held.view();
  host::SampleRecord record{};
  record.dtype = host::DtypeOfFormat(view.format, static_cast<size_t>(view.itemsize));
  if (record.dtype == host::kNoDtype || view.ndim < 1 || view.ndim - 1 > host::kMaxDims) return WriteResult::kRefused;
  if (static_cast<uint64_t>(view.shape[0]) > ring.geometry().batch_size) return WriteResult::kRefused;
  record.ndim = static_cast<uint8_t>(view.ndim - 1);
  record.size_bytes = static_cast<uint64_t>(view.itemsize);
  for (int axis = 1; axis < view.ndim; ++axis) {
    record.dims[axis - 1] = view.shape[axis];
    record.size_bytes *= static_cast<uint64_t>(view.shape[axis]);
  }
  uint8_t* const place = ring.PlaceBatch(slot, output, static_cast<uint32_t>(view.shape[0]), record);
  if (PyBuffer_ToContiguous(place, const_cast<Py_buffer*>(&view), view.len, 'C') != 0) return WriteResult::kFailed;
  return WriteResult::kWritten;
}

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_SAMPLE_WRITER_H_
