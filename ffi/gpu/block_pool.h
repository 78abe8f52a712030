// Device memory for images that wait to be used: blocks that are used again, within a budget.
#ifndef JAXDALI_GPU_BLOCK_POOL_H_
#define JAXDALI_GPU_BLOCK_POOL_H_

#include <cuda_runtime_api.h>

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
  // Memory of the host that kernels write `count` statuses to, all 0.
  int32_t* ResetLate(size_t count);
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

// Of one device. Its user sees to it that one thread at a time is in it.
class BlockPool {
 public:
  size_t budget() const { return budget_; }
  void set_budget(size_t bytes) { budget_ = bytes; }
  // Bytes that are allocated now, and how often more were.
  size_t allocated() const { return allocated_; }
  uint64_t growths() const { return growths_; }

  // A block of at least `size` bytes that nothing reads, or null: there is none, as long as the others keep theirs.
  std::unique_ptr<Block> Take(size_t size);
  // Takes a block back, which the device may still read.
  void Return(std::unique_ptr<Block> block);
  // Whether blocks that were given back are still read: `Take` may succeed in a moment.
  bool IsDraining();
  // Gives all memory back to CUDA that nobody has taken.
  void Clear();

 private:
  using Blocks = std::vector<std::unique_ptr<Block>>;
  void Sweep();
  std::unique_ptr<Block> Allocate(size_t size);

  size_t budget_ = 0;
  size_t allocated_ = 0;
  uint64_t growths_ = 0;
  Blocks free_;
  Blocks draining_;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_BLOCK_POOL_H_
