// Device memory for images that wait to be used: reusable blocks within a budget.
#ifndef JAXDALI_ENGINE_BLOCK_POOL_H_
#define JAXDALI_ENGINE_BLOCK_POOL_H_

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu_decoding/memory.h"

namespace jaxdali::gpu {

// A piece of device memory. For each stream that reads it, an event tells when the reading is over.
class Block {
 public:
  explicit Block(size_t size);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  uint8_t* data() const { return static_cast<uint8_t*>(data_); }
  size_t size() const { return size_; }
  // Sets the first `count` late statuses to 0. They are in host memory, and kernels write them.
  void ResetLate(size_t count);
  size_t late_capacity() const { return late_.capacity() / sizeof(int32_t); }
  int32_t* late() { return reinterpret_cast<int32_t*>(late_.Reserve(0)); }
  // Notes that everything queued on `stream` up to now may read the block.
  void NoteReader(cudaStream_t stream);
  // Whether all noted reading is done.
  bool IsUnread();

 private:
  struct Reader {
    cudaStream_t stream;
    cudaEvent_t event;
    bool pending;
  };
  void* data_ = nullptr;
  size_t size_;
  PinnedArena late_;
  std::mutex readers_mutex_;
  std::vector<Reader> readers_;  // one per stream, kept for the next time
};

// Delays the next attempt after a failed allocation, because an attempt takes time.
class Shortage {
 public:
  bool IsOver() const { return std::chrono::steady_clock::now() >= end_; }
  void Begin();

 private:
  std::chrono::steady_clock::time_point end_{};
};

// The blocks of one device. The caller makes sure that only one thread at a time uses the pool.
class BlockPool {
 public:
  size_t budget() const { return budget_; }
  void set_budget(size_t bytes) { budget_ = bytes; }
  // The budget, or what was allocated when CUDA ran out of memory a moment ago.
  size_t limit() const { return memory_.IsOver() ? budget_ : std::min(budget_, last_limit_); }
  // Bytes that are allocated now; and how many times more was allocated, except by `Reserve`.
  size_t allocated() const { return allocated_; }
  uint64_t growths() const { return growths_; }

  // Returns a block of at least `size` bytes that nothing reads, with `rows` late statuses; null if there is none until
  // others return theirs.
  std::unique_ptr<Block> Take(size_t size, size_t rows);
  // Tries to have `count` free blocks of at least `size` bytes, with `rows` late statuses each, within the budget;
  // returns how many there are. Throws if there is no page-locked memory for the statuses.
  size_t Reserve(size_t size, size_t count, size_t rows);
  // Takes back a block that the device may still be reading.
  void Return(std::unique_ptr<Block> block);
  // Whether returned blocks are still being read: `Take` may succeed in a moment.
  bool IsDraining();
  // Gives CUDA back the memory that nobody has taken and nothing reads; returns the number of bytes.
  size_t FreeUnused();
  // Gives CUDA back all memory that nobody has taken.
  void Clear();

 private:
  using Blocks = std::vector<std::unique_ptr<Block>>;
  void Sweep();
  std::unique_ptr<Block> FindOrAllocate(size_t size);
  std::unique_ptr<Block> Allocate(size_t size);
  std::unique_ptr<Block> AskCuda(size_t size);  // null if CUDA has no more
  void Free(Blocks& blocks, size_t bytes);

  size_t budget_ = 0;
  size_t last_limit_ = 0;
  Shortage memory_, late_memory_;
  size_t allocated_ = 0;
  uint64_t growths_ = 0;
  Blocks free_;
  Blocks draining_;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_BLOCK_POOL_H_
