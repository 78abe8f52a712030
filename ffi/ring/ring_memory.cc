// Memory of a ring's slots: grown when a batch needs more, returned when batches need less.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "ring/buffers.h"
#include "ring/ring.h"
#include "ring/slot_size.h"

namespace jaxdali::host {
namespace {

// A slot that grew again after it had shrunk waits twice as long next time, up to this many batches.
constexpr uint32_t kMostPatience = 1 << 20;

// By how much a batch may be expected to need more than any before: sums of fewer files vary more.
double Margin(uint32_t samples) { return 1.05 + 0.8 / std::sqrt(static_cast<double>(std::max(samples, 1u))); }

uint64_t Times(uint64_t bytes, double factor) { return static_cast<uint64_t>(static_cast<double>(bytes) * factor); }

// Returns false if the value is already as large.
bool RaiseTo(std::atomic<uint64_t>* value, uint64_t to) {
  uint64_t have = value->load(std::memory_order_acquire);
  while (have < to) {
    if (value->compare_exchange_weak(have, to, std::memory_order_acq_rel)) return true;
  }
  return false;
}

}  // namespace

bool Ring::Lock(uint32_t slot, const Registration& registration) {
  const uint64_t capacity = Adopt(slot);
  if (locked_[slot] == capacity) return true;
  if (locked_[slot] != 0) registration_.unlock(slot_data(slot));
  locked_[slot] = 0;
  registration_ = registration;
  Allocate(slot, capacity);  // page-locked memory has all its pages, and keeps them
  if (registration_.lock(slot_data(slot), capacity) != 0) return false;
  locked_[slot] = capacity;
  return true;
}

uint64_t Ring::capacity(uint32_t slot) const {
  const uint64_t known = books_[slot].capacity.load(std::memory_order_acquire);
  const uint64_t said = slot_header(slot)->capacity.load(std::memory_order_acquire);
  return CanHave(slot, said) ? said : known;
}

uint64_t Ring::allocated(uint32_t slot) const {
  return std::min(slot_header(slot)->allocated.load(std::memory_order_acquire), geometry_.stride);
}

bool Ring::CanHave(uint32_t slot, uint64_t capacity) const {
  return capacity >= books_[slot].capacity.load(std::memory_order_acquire) && capacity <= geometry_.stride &&
         capacity == SizeClass(capacity);
}

uint64_t Ring::Adopt(uint32_t slot) {
  RaiseTo(&books_[slot].capacity, capacity(slot));
  return books_[slot].capacity.load(std::memory_order_acquire);
}

void Ring::Show(uint32_t slot, uint64_t capacity) {
  SlotHeader* const head = slot_header(slot);
  const uint64_t said = head->capacity.load(std::memory_order_acquire);
  if (!CanHave(slot, said)) {
    head->capacity.store(books_[slot].capacity.load(), std::memory_order_release);
    throw RingDamaged("slot " + std::to_string(slot) + " says that it shows " + std::to_string(said) +
                          " bytes, expected a power of two from " + std::to_string(books_[slot].capacity.load()) +
                          " to " + std::to_string(geometry_.stride),
                      slot);
  }
  CheckStride(capacity);
  RaiseTo(&head->capacity, capacity);
  Adopt(slot);
}

void Ring::CheckStride(uint64_t capacity) const {
  if (capacity <= geometry_.stride) return;
  throw std::runtime_error("jaxdali: a batch needs " + std::to_string(capacity) +
                           " bytes, but a slot has address space for " + std::to_string(geometry_.stride) +
                           "; lower the batch size, or raise ulimit -v");
}

void Ring::Allocate(uint32_t slot, uint64_t size) {
  const uint64_t have = allocated(slot);
  if (size <= have) return;
  // Two workers may get here at once: both allocate (the second call finds the pages present), and the larger one
  // counts.
  data_->Allocate(geometry_.stride * slot + have, size - have);
  if (RaiseTo(&slot_header(slot)->allocated, size)) header()->growths.fetch_add(1, std::memory_order_relaxed);
}

void Ring::Reserve(uint32_t slot, uint64_t end) {
  if (end <= allocated(slot)) return;
  double factor = header()->growth_factor.load(std::memory_order_relaxed);
  if (!(factor >= 1.0 && factor <= kLargestGrowthFactor)) factor = 1.0;  // the parent never sets such a factor
  const uint64_t wanted = SizeClass(Times(end, factor));
  const uint64_t size = wanted > geometry_.stride ? SizeClass(end) : wanted;
  CheckStride(size);
  Allocate(slot, size);
  RaiseTo(&slot_header(slot)->capacity, size);  // the capacity stays when a slot shrinks
}

uint64_t Ring::Holes(uint32_t slot) const {
  const SlotHeader* const head = slot_header(slot);
  const uint64_t spare = books_[slot].spare,
                 used = std::min(head->tail.load(std::memory_order_relaxed), geometry_.stride);
  const auto left = static_cast<uint64_t>(std::max(head->spare.load(std::memory_order_relaxed), int64_t{0}));
  return std::min(spare - std::min(left, spare), used);
}

// Called before the slot's next batch is published. Returns how many of its bytes can be holes without growing the
// slot, as far as all batches before tell. None where it does not matter: what GPUs do not read is not page-locked, and
// gives back what it does not need.
uint64_t Ring::SpareRoom(uint32_t slot, uint32_t samples) {
  const SlotBook& book = books_[slot];
  if (book.samples == 0) return 0;
  const uint64_t used = std::min(slot_header(slot)->tail.load(std::memory_order_relaxed), geometry_.stride);
  needed_of_sample_ = std::max(needed_of_sample_, static_cast<double>(used - Holes(slot)) / book.samples);
  const double needed = needed_of_sample_ * samples * Margin(samples), have = static_cast<double>(allocated(slot));
  return locked_[slot] == 0 || needed >= have ? 0 : static_cast<uint64_t>(have - needed);
}

// Called between two batches: nobody reads the slot or works on it. Page-locked memory stays, because the device knows
// its pages.
void Ring::Shrink(uint32_t slot) {
  SlotHeader* const head = slot_header(slot);
  if (books_[slot].ticket == 0) return;  // it has had no batch yet
  Use& use = uses_[slot];
  const uint64_t have = allocated(slot);
  if (use.kept != 0 && have > use.kept) {
    use.kept = 0;
    if (use.patience < kMostPatience) use.patience *= 2;
  }
  const uint64_t used = std::min(head->tail.load(std::memory_order_relaxed), geometry_.stride);
  if (used > use.most) use.most = used;
  if (++use.batches < use.patience) return;
  const double threshold = buffer_settings.shrink_threshold.load();
  uint64_t keep = RoundUp(Times(use.most, buffer_settings.growth_factor.load()), kKeptUnit);
  keep = std::max(keep, least_);
  const bool may = locked_[slot] == 0 && use.most < Times(have, threshold) && keep < have;
  if (may && data_->Free(geometry_.stride * slot + keep, have - keep)) {
    head->allocated.store(keep, std::memory_order_release);
    shrinks_.fetch_add(1, std::memory_order_relaxed);
    use.kept = keep;
  }
  use.most = 0;
  use.batches = 0;
}

}  // namespace jaxdali::host
