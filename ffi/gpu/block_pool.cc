#include "gpu/block_pool.h"

#include <algorithm>
#include <utility>

namespace jaxdali::gpu {
namespace {

// Batches of about one size should fit into each other's blocks: so much more than the first one asked for, as DALI's
// buffers grow.
constexpr double kGrowthFactor = 1.1;
constexpr size_t kUnit = size_t{2} << 20;

}  // namespace

Block::Block(size_t size) : size_(size) { Check(cudaMalloc(&data_, size), "cudaMalloc"); }

Block::~Block() {
  for (const Reader& reader : readers_) cudaEventDestroy(reader.event);
  cudaFree(data_);
}

void Block::NoteReader(cudaStream_t stream) {
  auto found = std::find_if(readers_.begin(), readers_.end(), [&](const Reader& r) { return r.stream == stream; });
  if (found == readers_.end()) {
    cudaEvent_t event = nullptr;
    Check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    found = readers_.insert(readers_.end(), {stream, event, false});
  }
  Check(cudaEventRecord(found->event, stream), "cudaEventRecord");
  found->pending = true;
}

int32_t* Block::ResetLate(size_t count) {
  auto* const late = reinterpret_cast<int32_t*>(late_.Reserve(count * sizeof(int32_t)));
  std::fill_n(late, count, 0);
  return late;
}

bool Block::IsUnread() {
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

bool BlockPool::IsDraining() {
  Sweep();
  return !draining_.empty();
}

std::unique_ptr<Block> BlockPool::Take(size_t size) {
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
  const auto wanted = static_cast<size_t>(static_cast<double>(size) * kGrowthFactor);
  const size_t rounded = std::min((wanted + kUnit - 1) / kUnit * kUnit, std::max(budget_, size));
  // Those that are free are too small, and stay so.
  while (allocated_ + rounded > budget_ && !free_.empty()) {
    allocated_ -= free_.back()->size();
    free_.pop_back();
  }
  if (allocated_ + rounded > budget_) return nullptr;
  try {
    auto block = std::make_unique<Block>(rounded);
    allocated_ += rounded;
    ++growths_;
    return block;
  } catch (const OutOfDeviceMemory&) {
    // Others have it: we get by with what there is.
    budget_ = allocated_;
    return nullptr;
  }
}

void BlockPool::Return(std::unique_ptr<Block> block) { draining_.push_back(std::move(block)); }

void BlockPool::Clear() {
  for (Blocks* const blocks : {&free_, &draining_}) {
    for (const auto& block : *blocks) allocated_ -= block->size();
    blocks->clear();  // cudaFree waits for who still reads
  }
}

}  // namespace jaxdali::gpu
