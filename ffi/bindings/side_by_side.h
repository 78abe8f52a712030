// Runs a function for several items side by side, on threads that are gone when the call returns.
#ifndef JAXDALI_BINDINGS_SIDE_BY_SIDE_H_
#define JAXDALI_BINDINGS_SIDE_BY_SIDE_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace jaxdali::python {

// Calls run(index) for every index below count, on at most `threads` threads, of which this is one. Throws what one of
// them threw; then some items may not have been run.
template <typename Run>
void RunSideBySide(size_t count, int64_t threads, const Run& run) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    for (size_t index; (index = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      try {
        run(index);
      } catch (...) {
        next.store(count, std::memory_order_relaxed);
        const std::lock_guard<std::mutex> lock(mutex);
        error = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  const size_t wanted = std::min(count, static_cast<size_t>(std::max<int64_t>(threads, 1)));
  others.reserve(wanted);
  try {
    while (others.size() + 1 < wanted) others.emplace_back(work);
  } catch (const std::system_error&) {
    // The system has no more threads for us: those that there are do it.
  }
  work();
  for (std::thread& thread : others) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace jaxdali::python

#endif  // JAXDALI_BINDINGS_SIDE_BY_SIDE_H_
