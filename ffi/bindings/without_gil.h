// Releases the GIL for a while, also in a thread that the interpreter ends meanwhile.
#ifndef JAXDALI_BINDINGS_WITHOUT_GIL_H_
#define JAXDALI_BINDINGS_WITHOUT_GIL_H_

#include <Python.h>
#include <unistd.h>

namespace jaxdali::python {

// Takes the GIL again. Up to Python 3.13, an interpreter that ends makes a daemon thread that asks for the GIL leave by
// pthread_exit. That unwinds the stack like an exception: through destructors that may not throw, and through nanobind,
// which would catch it. Either ends the process. Here such a thread sleeps forever instead; from 3.14 on the
// interpreter does the same.
inline void RetakeGil(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (...) {  // nothing else is thrown there; leaving this block would end the process
    for (;;) pause();
  }
}

// Releases the GIL for as long as it lives; also for nanobind::call_guard.
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
