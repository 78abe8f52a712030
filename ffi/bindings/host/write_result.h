// What became of a sample that was to be written.
#ifndef JAXDALI_BINDINGS_HOST_WRITE_RESULT_H_
#define JAXDALI_BINDINGS_HOST_WRITE_RESULT_H_

namespace jaxdali::python {

enum class WriteResult {
  kWritten,
  kRefused,  // no array of a known type and rank, or a file that is not a JPEG: the caller converts it or reports it
  kFailed,   // a Python exception is set, or the slot could not grow
};

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_HOST_WRITE_RESULT_H_
