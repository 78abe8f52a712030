// Reads a file from disk straight into a slot, past Python.
#ifndef JAXDALI_BINDINGS_HOST_FILE_WRITER_H_
#define JAXDALI_BINDINGS_HOST_FILE_WRITER_H_

#include <nanobind/nanobind.h>

#include <cerrno>
#include <string>

#include "bindings/host/write_result.h"
#include "bindings/without_gil.h"
#include "host/file.h"
#include "ring/ring.h"

namespace jaxdali::python {

// What a source gives in place of a file's bytes. `path` is in the encoding of the file system.
struct FileSample {
  std::string path;
};

// Reads a file as one sample of one output, uint8[size]. Returns kRefused if the output needs the file's pixels and the
// file is not a JPEG, if it is not a regular file that knows its size, or if it shrinks meanwhile. Returns kFailed with
// an OSError set that has the file's name.
inline WriteResult WriteFile(host::Ring& ring, uint32_t slot, uint32_t output, uint32_t sample,
                             const FileSample& value) {
  const bool encoded = ring.plans(slot)[output].encoded;
  const auto failed = [&value](int error) {
    errno = error;
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, value.path.c_str());
    return WriteResult::kFailed;
  };
  host::File file;
  bool jpeg = true, complete = false;
  int error = 0;
  {
    const WithoutGil released;
    error = file.Open(value.path);
    if (error == 0 && encoded && file.size() != 0) error = file.LooksLikeJpeg(&jpeg);
  }
  if (error != 0) return failed(error);
  // Files of /proc and the like report the size 0 although they are not empty.
  if (!jpeg || file.size() == 0) return WriteResult::kRefused;
  host::SampleRecord record{};
  record.ndim = 1;
  record.dtype = 0;
  record.size_bytes = file.size();
  record.dims[0] = static_cast<int64_t>(file.size());
  uint8_t* const place = ring.Place(slot, output, sample, record);
  {
    const WithoutGil released;
    error = file.Read(place, &complete);
  }
  if (error != 0) return failed(error);
  return complete ? WriteResult::kWritten : WriteResult::kRefused;
}

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_FILE_WRITER_H_
