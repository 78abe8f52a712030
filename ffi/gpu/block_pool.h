// Device memory for images that wait to be used: blocks that are used again, within a budget.
#ifndef JAXDALI_GPU_BLOCK_POOL_H_
#define JAXDALI_GPU_BLOCK_POOL_H_

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/memory.h"

namespace jaxdali::gpu {

// A piece of device memory, with the events behind what reads it.
class Block {
 public:
  explicit Block(size_t size);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  uint8_t* data() const { return static_cast<uint8_t*>(data_); }
  size_t size() const { return size_; }
  // Memory of the host that kernels write statuses to. `count` of them are 0 after this.
  void ResetLate(size_t count);
  size_t late_capacity() const { return late_.capacity() / sizeof(int32_t); }
  int32_t* late() { return reinterpret_cast<int32_t*>(late_.Reserve(0)); }
  // All that is queued on `stream` up to now may read the block.
  void NoteReader(cudaStream_t stream);
  // Whether all of that is done.
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
  std::vector<Reader> readers_;  // one a stream, kept for the next time
};

// After an allocation that failed: it is not tried again at once, for that takes time.
class Shortage {
 public:
  bool IsOver() const { return std::chrono::steady_clock::now() >= end_; }
  void Begin();

 private:
  std::chrono::steady_clock::time_point end_{};
};

// Of one device. Its user sees to it that one thread at a time is in it.
class BlockPool {
 public:
  size_t budget() const { return budget_; }
  void set_budget(size_t bytes) { budget_ = bytes; }
  // The budget, or what there was when CUDA had no more a moment ago.
  size_t limit() const { return memory_.IsOver() ? budget_ : std::min(budget_, last_limit_); }
  // Bytes that are allocated now, and how often more were, but for `Reserve`.
  size_t allocated() const { return allocated_; }
  uint64_t growths() const { return growths_; }

  // A block of at least `size` bytes that nothing reads, with `rows` late statuses, or null: there is none, as long as
  // the others keep theirs.
  std::unique_ptr<Block> Take(size_t size, size_t rows);
  // Sees to it that so many blocks of at least `size` bytes are free, with `rows` late statuses, within the budget; how
  // many there are. Throws where there is no page-locked memory for the statuses.
  size_t Reserve(size_t size, size_t count, size_t rows);
  // Takes a block back, which the device may still read.
  void Return(std::unique_ptr<Block> block);
  // Whether blocks that were given back are still read: `Take` may succeed in a moment.
  bool IsDraining();
  // Gives memory back to CUDA that nobody has taken or reads; how many bytes.
  size_t FreeUnused();
  // Gives all memory back to CUDA that nobody has taken.
  void Clear();

 private:
  using Blocks = std::vector<std::unique_ptr<Block>>;
  void Sweep();
  std::unique_ptr<Block> FindOrAllocate(size_t size);
  std::unique_ptr<Block> Allocate(size_t size);
  std::unique_ptr<Block> AskCuda(size_t size);  // null: it has no more
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

#endif  // JAXDALI_GPU_BLOCK_POOL_H_
