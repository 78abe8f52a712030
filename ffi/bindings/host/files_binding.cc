#include "bindings/host/files_binding.h"

#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "bindings/without_gil.h"
#include "decoding/header_row.h"
#include "decoding/jpeg_header.h"
#include "decoding/known_header.h"
#include "ring/control.h"
#include "rows/rows.h"

namespace nb = nanobind;

namespace jaxdali::python {
namespace {

static_assert(uint64_t{kAlignment} == host::kAlignment && static_cast<int>(kLastStatus) == host::kLastStatus);

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Records = nb::ndarray<const uint8_t, nb::shape<-1, sizeof(host::SampleRecord)>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<int32_t, nb::shape<-1, kRowFields>, nb::c_contig, nb::device::cpu>;
using Extents = nb::ndarray<int32_t, nb::shape<-1, kExtents>, nb::c_contig, nb::device::cpu>;

// Whether a record is of a file whose header tells what is known of it: not of pixels, and nothing else is known.
bool IsOpen(const host::SampleRecord& record) { return (record.flags & ~host::kRecordSeen) == 0; }

// Notes what the headers of the files in these rows say. This process wrote the rows, and its caches still have them.
void NoteHeaders(host::Ring& ring, uint32_t slot, uint32_t start, uint32_t stop) {
  const host::Geometry& geometry = ring.geometry();
  if (slot >= geometry.slots || start > stop || stop > geometry.batch_size) throw nb::index_error("no such rows");
  const WithoutGil released;
  for (uint32_t output = 0; output < geometry.outputs; ++output) {
    if (!ring.plans(slot)[output].encoded) continue;
    host::SampleRecord* const records = ring.records(slot) + uint64_t{geometry.batch_size} * output;
    for (uint32_t row = start; row < stop; ++row) {
      const host::SampleRecord record = records[row];
      const bool lies_in = record.offset <= geometry.stride && record.size_bytes <= geometry.stride - record.offset;
      if (!IsOpen(record) || !lies_in) continue;
      JpegHeader header;
      const Status status = ParseJpegHeader(ring.slot_data(slot) + record.offset, record.size_bytes, &header);
      records[row].dims[1] = static_cast<int64_t>(PackHeader(header, status));
    }
  }
}

// Describes pixels that were decoded when they were stored.
void DescribePixels(const host::SampleRecord& record, int32_t* row, int32_t* extents) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  row[kOffset] = static_cast<int32_t>(record.offset / kAlignment);
  row[kOrientation] = 1;
  if (record.size_bytes > uint64_t{kMost} || record.dims[0] > kMost || record.dims[1] > kMost) {
    row[kStatus] = static_cast<int32_t>(Status::kTooLarge);
    return;
  }
  row[kSize] = static_cast<int32_t>(record.size_bytes);
  for (int axis = 0; axis < 3; ++axis) row[kHeight + axis] = static_cast<int32_t>(record.dims[axis]);
  row[kCodec] = static_cast<int32_t>(record.dtype == 0 ? Codec::kRaw : Codec::kRaw16);
  row[kStatus] = static_cast<int32_t>(Status::kOk);
  extents[0] = row[kHeight];
  extents[1] = row[kWidth];
  extents[2] = kChannels;
}

void Describe(const uint8_t* data, const host::SampleRecord& record, uint64_t max_image_pixels, bool as_stored,
              int32_t* row, int32_t* extents) {
  if ((record.flags & host::kRecordDecoded) != 0) return DescribePixels(record, row, extents);
  DescribeFile(data, record.offset, record.size_bytes, static_cast<uint64_t>(record.dims[1]), max_image_pixels, row,
               extents);
  if (as_stored) {
    if (SwapsAxes(row[kOrientation])) std::swap(extents[0], extents[1]);
    row[kOrientation] = 1;
  }
  const auto known = static_cast<Status>(record.flags >> host::kRecordStatusShift);
  if (known == Status::kOk) return;
  row[kStatus] = static_cast<int32_t>(known);
  std::memset(extents, 0, sizeof(*extents) * kExtents);
  // What decodes ahead finds an image by its offset, and at that of a missing one may be the next image.
  if (known == Status::kMissing) row[kOffset] = -1;
}

// The records were checked by `ReadBatch`, for data of at least this size.
void DescribeFiles(const Bytes& data, const Records& records, uint64_t max_image_pixels, bool as_stored,
                   const Rows& rows, const Extents& extents) {
  const size_t count = records.shape(0);
  if (rows.shape(0) != count || extents.shape(0) != count)
    throw nb::value_error("expected as many rows and sizes as records");
  const WithoutGil released;
  // Offsets that an int32 cannot count in units of kAlignment are those of slots beyond 128 GiB.
  constexpr uint64_t kLast = uint64_t{std::numeric_limits<int32_t>::max()} * kAlignment;
  for (size_t index = 0; index < count; ++index) {
    host::SampleRecord record;
    std::memcpy(&record, records.data() + index * sizeof(record), sizeof(record));
    if (record.offset > kLast || record.offset > data.shape(0) || record.size_bytes > data.shape(0) - record.offset) {
      throw nb::value_error("a file does not lie in its slot, or too far behind its start");
    }
    Describe(data.data(), record, max_image_pixels, as_stored, rows.data() + index * kRowFields,
             extents.data() + index * kExtents);
  }
}

}  // namespace

void BindFiles(nb::module_& m, nb::class_<host::Ring>& ring) {
  ring.def("note_headers", &NoteHeaders, nb::arg("slot"), nb::arg("start"), nb::arg("stop"));
  m.def("describe_files", &DescribeFiles, nb::arg("data"), nb::arg("records"), nb::arg("max_image_pixels"),
        nb::arg("as_stored"), nb::arg("rows"), nb::arg("sizes"));
}

}  // namespace jaxdali::python
