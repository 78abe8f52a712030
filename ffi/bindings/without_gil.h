// Letting go of Python's lock for a while, also in a thread that the interpreter ends meanwhile.
#ifndef JAXDALI_BINDINGS_WITHOUT_GIL_H_
#define JAXDALI_BINDINGS_WITHOUT_GIL_H_

#include <Python.h>
#include <unistd.h>

namespace jaxdali::python {

// Takes the lock again. Until 3.13 an interpreter that ends has a daemon thread that asks for it leave by
// pthread_exit, which unwinds the stack like an exception: through destructors that may not throw, and through
// nanobind, which would catch it. Either is the end of the process. Such a thread stays here instead; from 3.14 on the
// interpreter does the same.
inline void RetakeGil(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (...) {  // nothing else is thrown there; leaving this block would end the process
    for (;;) pause();
  }
}

// Without the lock as long as it lives; also for nanobind::call_guard.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() { RetakeGil(state_); }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_WITHOUT_GIL_H_
