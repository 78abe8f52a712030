// Shares the items of one call between the calling thread and XLA's intra-op pool.
//
// Handlers run on that same pool. A handler that schedules its items and waits for them can hang: with as many such
// calls as the pool has threads, every thread waits and none is left to work. So the calling thread takes items itself
// until none is left, and then waits only for items that other threads have already started, which finish on their own.
// Helpers that the pool starts later find nothing to do; the state that they look at outlives the call.
#ifndef JAXDALI_BASE_SHARED_WORK_H_
#define JAXDALI_BASE_SHARED_WORK_H_

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/affinity.h"

namespace jaxdali::cpu {

template <typename Item>
class SharedWork {
 public:
  SharedWork(int64_t count, Item item) : count_(count), item_(std::move(item)) {}

  // Takes items until none is left. `item_` is not used once all items are taken, so it may refer to things that live
  // only as long as the call.
  void TakeItems() {
    for (int64_t index; (index = next_.fetch_add(1)) < count_;) {
      item_(index);
      if (finished_.fetch_add(1) + 1 == count_) {
        std::lock_guard<std::mutex> lock(mutex_);
        all_finished_.notify_all();
      }
    }
  }

  bool HasItems() const { return next_.load() < count_; }

  // Call after TakeItems: only then has every item been started.
  void AwaitStartedItems() {
    std::unique_lock<std::mutex> lock(mutex_);
    all_finished_.wait(lock, [this] { return finished_.load() == count_; });
  }

 private:
  const int64_t count_;
  Item item_;
  std::atomic<int64_t> next_{0};
  std::atomic<int64_t> finished_{0};
  std::mutex mutex_;
  std::condition_variable all_finished_;
};

// Runs item(0) ... item(count - 1), each once, and returns when all have finished.
//   pool     has num_threads() and Schedule(callable), such as xla::ffi::ThreadPool
//   threads  0: as many threads as the pool has; else an upper bound, the calling thread included
//   affinity on which CPUs; the calling thread is thread 0
template <typename Pool, typename Item>
void RunShared(Pool& pool, int64_t count, int64_t threads, Item item, Affinity affinity = {}) {
  static_assert(std::is_nothrow_invocable_v<Item&, int64_t>,
                "an item that throws on a pool thread would end the process");
  int64_t width = std::max<int64_t>(pool.num_threads(), 1);
  if (threads > 0) width = std::min(width, threads);
  width = std::min(width, count);
  cpu_set_t cpus;
  std::optional<Pinned> pinned;
  if (count > 0 && affinity.Of(0, &cpus)) pinned.emplace(cpus);
  if (width <= 1) {
    for (int64_t index = 0; index < count; ++index) item(index);
    return;
  }
  auto work = std::make_shared<SharedWork<Item>>(count, std::move(item));
  try {
    for (int64_t helper = 1; helper < width; ++helper) {
      if (!affinity.Of(helper, &cpus)) {
        pool.Schedule([work] { work->TakeItems(); });
        continue;
      }
      pool.Schedule([work, cpus] {
        if (!work->HasItems()) return;
        Pinned pinned(cpus);
        work->TakeItems();
      });
    }
  } catch (const std::bad_alloc&) {
    // Continue with fewer helpers: returning now would free the operands while other helpers still use them.
  }
  work->TakeItems();
  work->AwaitStartedItems();
}

}  // namespace jaxdali::cpu

#endif  // JAXDALI_BASE_SHARED_WORK_H_
