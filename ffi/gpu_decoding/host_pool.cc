#include "gpu_decoding/host_pool.h"

#include <sched.h>

#include <algorithm>
#include <utility>

namespace jaxdali::gpu {
namespace {

// Returns the number of threads: one less than the CPUs that this process may use, and few enough to leave room for
// everything else.
int Threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int cpus = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::clamp(cpus - 1, 1, 15);
}

}  // namespace

HostPool& HostPool::Get() {
  static HostPool* const pool = new HostPool(Threads());
  return *pool;
}

HostPool::HostPool(int threads) {
  for (int index = 0; index < threads; ++index) threads_.emplace_back([this] { Work(); });
  for (std::thread& thread : threads_) thread.detach();
}

void HostPool::Schedule(std::function<void()> task) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void HostPool::Work() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace jaxdali::gpu
