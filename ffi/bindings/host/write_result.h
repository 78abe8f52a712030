// What became of a sample that was to be written.
#pragma once

namespace jaxdali::python {

enum class WriteResult {
  kWritten,
  kRefused,  // not an array of a known type and rank, or a file that is not a JPEG: convert it or say what is wrong
  kFailed,   // a Python exception is set, or the slot could not grow
};

}  // namespace jaxdali::python
