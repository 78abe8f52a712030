#include "bindings/host/records_binding.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/host/sample_writer.h"
#include "bindings/without_gil.h"
#include "host/dtype.h"
#include "records/array_rows.h"
#include "records/caffe_rows.h"
#include "records/example_rows.h"
#include "records/npy_rows.h"
#include "records/number_lines.h"
#include "records/plain_rows.h"
#include "records/recordio_rows.h"
#include "records/walk.h"
#include "ring/ring.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

using namespace jaxdali::records;  // NOLINT: this file only binds the namespace to Python
using Numbers = nb::ndarray<const int64_t, nb::c_contig, nb::device::cpu>;

// Returns places that point into the arrays, which live as long as the reader does.
Places AsPlaces(const std::vector<nb::bytes>& paths, const Numbers& places, const Numbers& bounds) {
  if (places.ndim() != 2 || places.shape(1) != 2 || bounds.ndim() != 1 || bounds.shape(0) != paths.size() + 1) {
    throw nb::value_error("places must be int64[n, 2], and bounds int64[files + 1]");
  }
  Places found;
  for (const nb::bytes& path : paths) found.paths.emplace_back(path.c_str(), path.size());
  found.places = places.data();
  found.count = static_cast<int64_t>(places.shape(0));
  found.bounds = bounds.data();
  return found;
}

// Writes samples from `sample` on until one is refused or cannot be written; returns how many were written.
uint32_t Write(RowReader& self, host::Ring& ring, uint32_t slot, uint32_t chunk, uint32_t sample,
               const Numbers& indices) {
  const host::Geometry& geometry = ring.geometry();
  const size_t count = indices.size();
  if (slot >= geometry.slots || chunk >= geometry.chunks || count > geometry.batch_size ||
      sample > geometry.batch_size - count) {
    throw nb::index_error("no such slot, chunk or samples");
  }
  const int64_t* const wanted = indices.data();
  const WithoutGil released;
  uint32_t done = 0;
  try {
    std::atomic<uint32_t>& at = ring.progress(slot)[chunk];
    while (const uint32_t some =
               self.WriteSome({ring, slot, sample + done, &at}, wanted + done, static_cast<uint32_t>(count) - done)) {
      done += some;
      at.store(sample + done, std::memory_order_relaxed);
    }
  } catch (const std::exception&) {
    // The ring is out of memory: Python then writes the sample itself, fails in the same way, and knows which one it
    // was.
  }
  self.Pause();
  return done;
}

template <typename>
nb::arg Anything() {
  return nb::arg();
}

template <typename Reader, typename... Extra>
void BindPlaced(nb::module_& m, const char* name, const char* doc) {
  nb::class_<Reader, RowReader>(m, name, doc)
      .def(
          "__init__",
          [](Reader* self, const std::vector<nb::bytes>& paths, const Numbers& places, const Numbers& bounds,
             Extra... extra) { new (self) Reader(AsPlaces(paths, places, bounds), std::move(extra)...); },
          // Not converted: a copy made for the call would end with it.
          nb::arg(), nb::arg().noconvert(), nb::arg().noconvert(), Anything<Extra>()..., nb::keep_alive<1, 3>(),
          nb::keep_alive<1, 4>());
}

class TfExamples : public ExampleRows {
 public:
  using Given = std::tuple<nb::bytes, uint8_t, bool, std::vector<int64_t>>;
  TfExamples(Places places, const std::vector<Given>& given) : ExampleRows(std::move(places), Features(given)) {}

 private:
  static std::vector<Feature> Features(const std::vector<Given>& given) {
    std::vector<Feature> found;
    for (const auto& [name, kind, fixed, shape] : given) {
      found.push_back({std::string(name.c_str(), name.size()), kind, fixed, shape});
    }
    return found;
  }
};

void Learn(NpyRows& self, uint8_t dtype, std::vector<int64_t> shape, std::vector<int64_t> begin,
           std::vector<int64_t> end, std::vector<int64_t> before, std::vector<int64_t> dims, const nb::bytes& fill) {
  const size_t axes = shape.size();
  bool right = begin.size() == axes && end.size() == axes && before.size() == axes && dims.size() == axes;
  for (size_t axis = 0; right && axis < axes; ++axis) {
    right = 0 <= begin[axis] && begin[axis] <= end[axis] && end[axis] <= shape[axis] && 0 <= before[axis] &&
            before[axis] <= dims[axis] && end[axis] - begin[axis] <= dims[axis] - before[axis];
  }
  if (!right) throw nb::value_error("the region does not lie within the array and its output");
  const auto* const bytes = reinterpret_cast<const uint8_t*>(fill.c_str());
  self.Learn(dtype, std::move(shape),
             {std::move(begin), std::move(end), std::move(before), std::move(dims), {bytes, bytes + fill.size()}});
}

// Rows of arrays, which this object keeps alive.
class HeldArrays : public ArrayRows {
 public:
  using Views = std::vector<std::unique_ptr<BufferView>>;
  explicit HeldArrays(const nb::list& arrays) : HeldArrays(ViewsOf(arrays)) {}

 private:
  explicit HeldArrays(Views views) : ArrayRows(Columns(views)), views_(std::move(views)) {}
  static Views ViewsOf(const nb::list& arrays) {
    Views views;
    for (const nb::handle array : arrays) views.push_back(std::make_unique<BufferView>(array.ptr()));
    return views;
  }
  static std::vector<ArrayColumn> Columns(const Views& views) {
    std::vector<ArrayColumn> found;
    for (const std::unique_ptr<BufferView>& held : views) {
      if (!*held) throw nb::type_error("ArrayRows wants arrays");
      const Py_buffer& view = held->view();
      const uint8_t dtype = host::DtypeOfFormat(view.format, static_cast<size_t>(view.itemsize));
      if (dtype == host::kNoDtype || view.ndim < 1) throw nb::value_error("the ring takes no rows of such an array");
      ArrayColumn column{static_cast<const uint8_t*>(view.buf), view.shape[0], view.strides[0], dtype, {},
                         static_cast<uint64_t>(view.itemsize)};
      for (int axis = view.ndim - 1; axis > 0; --axis) {
        const bool dense = view.shape[axis] < 2 || view.strides[axis] == static_cast<int64_t>(column.size_bytes);
        if (!dense) throw nb::value_error("a row does not lie in one piece");
        column.size_bytes *= static_cast<uint64_t>(view.shape[axis]);
      }
      column.dims.assign(view.shape + 1, view.shape + view.ndim);
      found.push_back(std::move(column));
    }
    return found;
  }

  Views views_;
};

nb::bytes AsBytes(const std::vector<int64_t>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int64_t));
}

Walk WalkWithoutGil(Walk (*walk)(const std::string&, uint64_t, size_t), const nb::bytes& path, uint64_t offset,
                    size_t most) {
  const std::string name(path.c_str(), path.size());
  const WithoutGil released;
  return walk(name, offset, most);
}

template <Walk (*kWalk)(const std::string&, uint64_t, size_t)>
void BindWalk(nb::module_& m, const char* name) {
  m.def(
      name,
      [](const nb::bytes& path, uint64_t offset, size_t most) {
        const Walk found = WalkWithoutGil(kWalk, path, offset, most);
        return nb::make_tuple(AsBytes(found.places), found.next);
      },
      nb::arg("path"), nb::arg("offset"), nb::arg("most"), "Where records of a file begin; see ffi/records/walk.h.");
}

using Numbers1D = nb::ndarray<const int64_t, nb::ndim<1>, nb::device::cpu>;

nb::bytes NumberLines(const Numbers1D& first, const Numbers1D& second, char between) {
  const size_t rows = first.shape(0);
  if (second.shape(0) != rows) throw nb::value_error("both columns must have as many rows");
  const Column one{first.data(), first.stride(0)}, other{second.data(), second.stride(0)};
  PyObject* const text =
      PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(NumberLinesBytes(one, other, rows)));
  if (text == nullptr) throw nb::python_error();
  WriteNumberLines(one, other, rows, between, PyBytes_AsString(text));
  return nb::steal<nb::bytes>(text);
}

}  // namespace

void BindRecords(nb::module_& m) {
  BindWalk<WalkTfrecords>(m, "walk_tfrecords");
  BindWalk<WalkRecordio>(m, "walk_recordio");
  m.def(
      "walk_tar",
      [](const nb::bytes& path, uint64_t offset, size_t most) {
        const Walk found = WalkWithoutGil(WalkTar, path, offset, most);
        return nb::make_tuple(nb::bytes(found.names.data(), found.names.size()), AsBytes(found.places), found.next);
      },
      nb::arg("path"), nb::arg("offset"), nb::arg("most"), "The files of an archive; see ffi/records/walk.h.");
  m.def(
      "sample_lines",
      [](const nb::bytes& names, const nb::bytes& places) {
        const std::string_view given(names.c_str(), names.size());
        const size_t count = static_cast<size_t>(std::count(given.begin(), given.end(), '\0'));
        const bool ended = given.empty() || given.back() == '\0';
        if (!ended || places.size() != 2 * sizeof(int64_t) * count) throw nb::value_error("two numbers for each name");
        std::vector<int64_t> numbers(2 * count);
        std::memcpy(numbers.data(), places.c_str(), places.size());
        size_t samples;
        const std::string text = SampleLines(given, numbers.data(), &samples);
        return nb::make_tuple(nb::bytes(text.data(), text.size()), samples);
      },
      nb::arg("names"), nb::arg("places"), "An index of samples in an archive; see ffi/records/walk.h.");
  m.def("number_lines", &NumberLines, nb::arg("first"), nb::arg("second"), nb::arg("between"),
        "Two numbers a line, one of each column.");
  nb::class_<RowReader>(m, "RowReader", "Writes samples of a format into slots; see ffi/records/row_reader.h.")
      .def("write", &Write, nb::arg("ring"), nb::arg("slot"), nb::arg("chunk"), nb::arg("sample"), nb::arg("indices"));
  BindPlaced<PlainRows, std::vector<std::pair<uint8_t, uint32_t>>, bool>(m, "PlainRows", "Files in archives.");
  BindPlaced<RecordioRows>(m, "RecordioRows", "Images of MXNet's.");
  BindPlaced<TfExamples, std::vector<TfExamples::Given>>(m, "ExampleRows", "Features of Examples.");
  BindPlaced<DatumRows, bool, bool>(m, "DatumRows", "Caffe's.");
  BindPlaced<TensorsRows, bool, uint32_t, bool>(m, "TensorsRows", "Caffe2's.");
  nb::class_<HeldArrays, RowReader>(m, "ArrayRows", "Rows of arrays, one per output.")
      .def(
          "__init__", [](HeldArrays* self, const nb::list& arrays) { new (self) HeldArrays(arrays); },
          nb::arg("arrays"));
  nb::class_<NpyRows, RowReader>(m, "NpyRows", "Arrays, a file each.")
      .def(
          "__init__",
          [](NpyRows* self, const std::vector<nb::bytes>& paths, bool whole) {
            std::vector<std::string> found;
            for (const nb::bytes& path : paths) found.emplace_back(path.c_str(), path.size());
            new (self) NpyRows(std::move(found), whole);
          },
          nb::arg("paths"), nb::arg("whole"))
      .def("learn", &Learn, nb::arg("dtype"), nb::arg("shape"), nb::arg("begin"), nb::arg("end"), nb::arg("before"),
           nb::arg("dims"), nb::arg("fill"));
}

}  // namespace jaxdali::python
