// Threads of our own for work on the host: XLA lends none to a call of the CUDA platform.
#ifndef JAXDALI_GPU_DECODING_HOST_POOL_H_
#define JAXDALI_GPU_DECODING_HOST_POOL_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace jaxdali::gpu {

// One pool per process, for all devices. Its threads sleep while there is nothing to do. It is never destroyed: a call
// may still run while the process ends.
class HostPool {
 public:
  static HostPool& Get();
  int64_t num_threads() const { return static_cast<int64_t>(threads_.size()) + 1; }  // the caller helps
  void Schedule(std::function<void()> task);

 private:
  explicit HostPool(int threads);
  void Work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_HOST_POOL_H_
