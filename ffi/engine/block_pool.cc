#include "engine/block_pool.h"

#include <algorithm>
#include <utility>

#include "engine/growth.h"

namespace jaxdali::gpu {
namespace {

constexpr size_t kUnit = size_t{2} << 20;

// How long to wait before asking CUDA again after it ran out of memory.
constexpr auto kShortage = std::chrono::seconds(1);

size_t RoundedUp(size_t size) { return (size + kUnit - 1) / kUnit * kUnit; }

size_t SizeOf(const std::vector<std::unique_ptr<Block>>& blocks) {
  size_t size = 0;
  for (const auto& block : blocks) size += block->size();
  return size;
}

}  // namespace

Block::Block(size_t size) : size_(size) { Check(cudaMalloc(&data_, size), "cudaMalloc"); }

Block::~Block() {
  for (const Reader& reader : readers_) {
    if (reader.event != nullptr) cudaEventDestroy(reader.event);
  }
  cudaFree(data_);
}

void Block::NoteReader(cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(readers_mutex_);
  auto found = std::find_if(readers_.begin(), readers_.end(), [&](const Reader& r) { return r.stream == stream; });
  if (found == readers_.end()) found = readers_.insert(readers_.end(), {stream, nullptr, false});
  if (found->event == nullptr) {
    Check(cudaEventCreateWithFlags(&found->event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  }
  Check(cudaEventRecord(found->event, stream), "cudaEventRecord");
  found->pending = true;
}

void Block::ResetLate(size_t count) {
  std::fill_n(reinterpret_cast<int32_t*>(late_.Reserve(count * sizeof(int32_t))), count, 0);
}

bool Block::IsUnread() {
  std::lock_guard<std::mutex> lock(readers_mutex_);
  for (Reader& reader : readers_) {
    if (!reader.pending) continue;
    const cudaError_t state = cudaEventQuery(reader.event);
    if (state == cudaErrorNotReady) {
      cudaGetLastError();
      return false;
    }
    Check(state, "cudaEventQuery");
    reader.pending = false;
  }
  return true;
}

void Shortage::Begin() { end_ = std::chrono::steady_clock::now() + kShortage; }

void BlockPool::Sweep() {
  for (size_t index = 0; index < draining_.size();) {
    if (draining_[index]->IsUnread()) {
      free_.push_back(std::move(draining_[index]));
      draining_.erase(draining_.begin() + static_cast<std::ptrdiff_t>(index));
    } else {
      ++index;
    }
  }
}

size_t BlockPool::Reserve(size_t size, size_t count, size_t rows) {
  Sweep();
  const size_t rounded = RoundedUp(size);
  auto here = static_cast<size_t>(
      std::count_if(free_.begin(), free_.end(), [&](const auto& block) { return block->size() >= size; }));
  for (; here < count && allocated_ + rounded <= limit(); ++here) {
    std::unique_ptr<Block> block = AskCuda(rounded);
    if (block == nullptr) break;
    free_.push_back(std::move(block));
    free_.back()->ResetLate(rows);
  }
  return here;
}

bool BlockPool::IsDraining() {
  Sweep();
  return !draining_.empty();
}

std::unique_ptr<Block> BlockPool::Take(size_t size, size_t rows) {
  std::unique_ptr<Block> block = FindOrAllocate(size);
  if (block == nullptr) return nullptr;
  if (block->late_capacity() >= rows || late_memory_.IsOver()) {
    try {
      block->ResetLate(rows);
      return block;
    } catch (const OutOfDeviceMemory&) {
      late_memory_.Begin();
    } catch (...) {
      free_.push_back(std::move(block));
      throw;
    }
  }
  free_.push_back(std::move(block));
  return nullptr;
}

std::unique_ptr<Block> BlockPool::FindOrAllocate(size_t size) {
  Sweep();
  auto best = free_.end();
  for (auto block = free_.begin(); block != free_.end(); ++block) {
    if ((*block)->size() >= size && (best == free_.end() || (*block)->size() < (*best)->size())) best = block;
  }
  if (best == free_.end()) return Allocate(size);
  std::unique_ptr<Block> block = std::move(*best);
  free_.erase(best);
  return block;
}

std::unique_ptr<Block> BlockPool::Allocate(size_t size) {
  const size_t most = limit();
  const auto wanted = static_cast<size_t>(static_cast<double>(size) * growth_factor.load());
  const size_t rounded = std::min(RoundedUp(wanted), std::max(most, size));
  // The free blocks are too small for this request, but not for others: they are freed only if that makes enough room.
  if (allocated_ - SizeOf(free_) + rounded > most) return nullptr;
  if (allocated_ + rounded > most) Free(free_, allocated_ + rounded - most);
  std::unique_ptr<Block> block = AskCuda(rounded);
  if (block != nullptr) ++growths_;
  return block;
}

std::unique_ptr<Block> BlockPool::AskCuda(size_t size) {
  try {
    auto block = std::make_unique<Block>(size);
    allocated_ += size;
    return block;
  } catch (const OutOfDeviceMemory&) {
    // Others hold the memory: for now we make do with what we have.
    last_limit_ = allocated_;
    memory_.Begin();
    return nullptr;
  }
}

// Frees blocks from the end until this many bytes are free.
void BlockPool::Free(Blocks& blocks, size_t bytes) {
  for (size_t freed = 0; freed < bytes && !blocks.empty(); blocks.pop_back()) {
    freed += blocks.back()->size();
    allocated_ -= blocks.back()->size();
  }
}

size_t BlockPool::FreeUnused() {
  Sweep();
  const size_t bytes = SizeOf(free_);
  Free(free_, bytes);
  return bytes;
}

void BlockPool::Return(std::unique_ptr<Block> block) { draining_.push_back(std::move(block)); }

void BlockPool::Clear() {
  for (Blocks* const blocks : {&free_, &draining_}) Free(*blocks, SizeOf(*blocks));  // cudaFree waits for all readers
}

}  // namespace jaxdali::gpu
