#include "host/ring.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>

#include "host/buffers.h"
#include "host/futex.h"
#include "host/slot_size.h"

namespace jaxdali::host {
namespace {

struct SlotLayout {
  uint64_t words, progress, plans, records, total;
  SlotLayout(uint32_t chunks, uint32_t outputs, uint32_t batch_size) {
    words = sizeof(SlotHeader);
    progress = words + sizeof(uint64_t) * chunks;
    plans = RoundUp(progress + sizeof(uint32_t) * chunks, 64);
    records = RoundUp(plans + sizeof(OutputPlan) * outputs, 64);
    total = RoundUp(records + sizeof(SampleRecord) * outputs * batch_size, 64);
  }
};

// Numbers every life of every slot in the process, so that (address, generation) names contents for ever.
std::atomic<uint64_t> next_generation{1};

}  // namespace

// The best piece of work found so far.
struct Candidate {
  uint64_t owner;
  Ring* ring = nullptr;
  uint32_t index = 0, slot = 0, chunk = 0;
  uint64_t bits = 0, ticket = ~uint64_t{0};
  bool own = false;
};

Ring::Ring(std::shared_ptr<Arena> control, std::shared_ptr<Arena> data, std::shared_ptr<Ring> first)
    : control_(std::move(control)),
      data_(std::move(data)),
      events_(std::move(first)),
      owner_pid_(getpid()),
      free_(header()->slots),
      generations_(header()->slots),
      locked_(header()->slots),
      uses_(header()->slots) {
  for (uint32_t slot = 0; slot < header()->slots; ++slot) {
    free_[slot].store(1, std::memory_order_relaxed);
    generations_[slot].store(next_generation.fetch_add(1), std::memory_order_relaxed);
  }
}

std::shared_ptr<Ring> Ring::Create(const RingOptions& options, std::shared_ptr<Ring> first) {
  const uint64_t capacity = SizeClass(options.capacity);
  uint64_t stride = RoundUp(options.stride < capacity ? capacity : options.stride, 1 << 21);
  std::shared_ptr<Arena> data;
  while (!data) {
    try {
      // Mapped twice, so that at least half of what address space is left stays there for everything else.
      data = Arena::Create("jaxdali-data", stride * options.slots);
      Arena::Attach(data->fd());
    } catch (const std::system_error&) {
      // ulimit -v or a file size limit: reserve less, as long as two size classes fit.
      if (stride / 2 < 2 * capacity) {
        if (data) break;
        throw;
      }
      stride /= 2;
      data.reset();
    }
  }
  const SlotLayout layout(options.chunks, options.outputs, options.batch_size);
  const uint64_t control_bytes = RoundUp(sizeof(RingHeader), 64) + layout.total * options.slots;
  auto control = Arena::Create("jaxdali-control", RoundUp(control_bytes, 4096));
  control->Allocate(0, control->size());
  auto* header = new (control->data()) RingHeader{};
  header->magic = kMagic;
  header->slots = options.slots;
  header->chunks = options.chunks;
  header->outputs = options.outputs;
  header->batch_size = options.batch_size;
  header->stride = stride;
  header->control_bytes = layout.total;
  header->growth_factor = buffer_settings.growth_factor.load();
  auto ring = std::shared_ptr<Ring>(new Ring(std::move(control), std::move(data), std::move(first)));
  for (uint32_t slot = 0; slot < options.slots; ++slot) {
    new (ring->slot_header(slot)) SlotHeader{};
    ring->Grow(slot, capacity);
  }
  ring->least_ = RoundUp(std::max(options.capacity, kSmallestSlot), kKeptUnit);
  header->growths = 0;  // since then
  return ring;
}

std::shared_ptr<Ring> Ring::Attach(int control_fd, int data_fd, std::shared_ptr<Ring> first) {
  auto control = Arena::Attach(control_fd);
  if (control->size() < sizeof(RingHeader) || reinterpret_cast<RingHeader*>(control->data())->magic != kMagic) {
    throw std::runtime_error("jaxdali: the descriptor does not hold a ring of this version");
  }
  return std::shared_ptr<Ring>(new Ring(std::move(control), Arena::Attach(data_fd), std::move(first)));
}

Ring::~Ring() {
  if (getpid() != owner_pid_) return;
  for (uint32_t slot = 0; slot < locked_.size(); ++slot) {
    if (locked_[slot] != 0) registration_.unlock(slot_data(slot));
  }
}

SlotHeader* Ring::slot_header(uint32_t slot) const {
  return reinterpret_cast<SlotHeader*>(control_->data() + RoundUp(sizeof(RingHeader), 64) +
                                       header()->control_bytes * slot);
}

std::atomic<uint64_t>* Ring::words(uint32_t slot) const {
  const SlotLayout layout(header()->chunks, header()->outputs, header()->batch_size);
  return reinterpret_cast<std::atomic<uint64_t>*>(reinterpret_cast<uint8_t*>(slot_header(slot)) + layout.words);
}

std::atomic<uint32_t>* Ring::progress(uint32_t slot) const {
  const SlotLayout layout(header()->chunks, header()->outputs, header()->batch_size);
  return reinterpret_cast<std::atomic<uint32_t>*>(reinterpret_cast<uint8_t*>(slot_header(slot)) + layout.progress);
}

OutputPlan* Ring::plans(uint32_t slot) const {
  const SlotLayout layout(header()->chunks, header()->outputs, header()->batch_size);
  return reinterpret_cast<OutputPlan*>(reinterpret_cast<uint8_t*>(slot_header(slot)) + layout.plans);
}

SampleRecord* Ring::records(uint32_t slot) const {
  const SlotLayout layout(header()->chunks, header()->outputs, header()->batch_size);
  return reinterpret_cast<SampleRecord*>(reinterpret_cast<uint8_t*>(slot_header(slot)) + layout.records);
}

int Ring::TakeFree() {
  for (uint32_t slot = 0; slot < header()->slots; ++slot) {
    uint8_t expected = 1;
    if (free_[slot].compare_exchange_strong(expected, 0, std::memory_order_acq_rel)) return static_cast<int>(slot);
  }
  return -1;
}

int Ring::FreeSlots() const {
  int count = 0;
  for (const auto& flag : free_) count += flag.load(std::memory_order_acquire);
  return count;
}

void Ring::Release(uint32_t slot) noexcept {
  if (getpid() != owner_pid_) return;
  generations_[slot].store(next_generation.fetch_add(1), std::memory_order_release);
  free_[slot].store(1, std::memory_order_release);
  FutexSignal(&events()->done_event);
}

void Ring::Publish(uint32_t slot, const Order& order, const std::vector<OutputPlan>& plans) {
  SlotHeader* const head = slot_header(slot);
  uint64_t end = 0;
  OutputPlan* const shared = this->plans(slot);
  for (uint32_t output = 0; output < header()->outputs; ++output) {
    shared[output] = plans[output];
    records(slot)[header()->batch_size * output].empty = 0;
    if (!plans[output].dense) continue;
    end = RoundUp(end, kAlignment);
    shared[output].offset = end;
    end += plans[output].size_bytes * order.samples;
  }
  end = RoundUp(end, kAlignment);
  header()->growth_factor.store(buffer_settings.growth_factor.load(), std::memory_order_relaxed);
  Shrink(slot);
  Reserve(slot, end);
  head->tail.store(end, std::memory_order_relaxed);
  head->ticket = order.ticket;
  head->epoch = order.epoch;
  head->iteration = order.iteration;
  head->first_sample = order.first_sample;
  head->samples = head->asked = order.samples;
  head->chunks = order.samples < header()->chunks ? order.samples : header()->chunks;
  head->only = order.only;
  head->wanted = 1;
  for (uint32_t chunk = 0; chunk < head->chunks; ++chunk) {
    progress(slot)[chunk].store(ChunkRange(order.samples, head->chunks, chunk).start, std::memory_order_relaxed);
    words(slot)[chunk].store(Word{order.ticket, 0, WordState::kReady}.Pack(), std::memory_order_release);
  }
  // No more than can find something to do; the only one who may must be among the woken.
  FutexSignal(&events()->work_event, head->only == 0 ? static_cast<int>(head->chunks) : INT_MAX);
}

SlotState Ring::State(uint32_t slot) const {
  // The first chunk that is not done decides, as it would if the samples were produced one after the other.
  for (uint32_t chunk = 0; chunk < slot_header(slot)->chunks; ++chunk) {
    switch (Word::Unpack(words(slot)[chunk].load(std::memory_order_seq_cst)).state) {
      case WordState::kDone:
        break;
      case WordState::kFailed:
        return SlotState::kFailed;
      case WordState::kStopped:
        return SlotState::kStopped;
      default:
        return SlotState::kPending;
    }
  }
  return SlotState::kDone;
}

SlotState Ring::Wait(uint32_t slot, double timeout_s) {
  const uint32_t seen = events()->done_event.load(std::memory_order_seq_cst);
  const SlotState state = State(slot);
  if (state != SlotState::kPending) return state;
  FutexWait(&events()->done_event, seen, timeout_s);
  return State(slot);
}

void Ring::WaitEvent(double timeout_s) {
  FutexWait(&events()->done_event, events()->done_event.load(std::memory_order_seq_cst), timeout_s);
}

bool Ring::Retire(uint32_t slot) {
  bool quiet = true;
  slot_header(slot)->wanted = 0;
  for (uint32_t chunk = 0; chunk < slot_header(slot)->chunks; ++chunk) {
    uint64_t bits = words(slot)[chunk].load(std::memory_order_acquire);
    Word word = Word::Unpack(bits);
    if (word.state == WordState::kReady) {
      if (words(slot)[chunk].compare_exchange_strong(bits, Word{word.ticket, 0, WordState::kIdle}.Pack())) continue;
      word = Word::Unpack(bits);
    }
    if (word.state == WordState::kClaimed) quiet = false;
  }
  return quiet;
}

bool Ring::Reopen(uint32_t slot, uint32_t chunk, uint64_t owner) {
  SlotHeader* const head = slot_header(slot);
  uint64_t bits = words(slot)[chunk].load(std::memory_order_acquire);
  const Word word = Word::Unpack(bits);
  if (word.state != WordState::kClaimed || word.owner != owner) return false;
  head->samples = head->asked;  // a whole batch that was as good as done may have had fewer
  progress(slot)[chunk].store(ChunkRange(head->samples, head->chunks, chunk).start, std::memory_order_relaxed);
  const WordState next = head->wanted ? WordState::kReady : WordState::kIdle;
  if (!words(slot)[chunk].compare_exchange_strong(bits, Word{word.ticket, 0, next}.Pack())) return false;
  FutexSignal(&events()->work_event);
  return true;
}

std::vector<std::pair<uint32_t, uint32_t>> Ring::OwnedBy(uint64_t owner) const {
  std::vector<std::pair<uint32_t, uint32_t>> owned;
  for (uint32_t slot = 0; slot < header()->slots; ++slot) {
    for (uint32_t chunk = 0; chunk < slot_header(slot)->chunks; ++chunk) {
      const Word word = Word::Unpack(words(slot)[chunk].load(std::memory_order_acquire));
      if (word.state == WordState::kClaimed && word.owner == owner) owned.emplace_back(slot, chunk);
    }
  }
  return owned;
}

void Ring::Close() {
  events()->closing.store(1, std::memory_order_seq_cst);
  FutexSignal(&events()->work_event);
}

void Ring::FindWork(uint64_t owner, Candidate* best, uint32_t index) {
  for (uint32_t slot = 0; slot < header()->slots; ++slot) {
    for (uint32_t chunk = 0; chunk < header()->chunks; ++chunk) {
      const uint64_t bits = words(slot)[chunk].load(std::memory_order_acquire);
      const Word word = Word::Unpack(bits);
      if (word.state != WordState::kReady) continue;
      const uint32_t only = slot_header(slot)->only;
      if (only != 0 && only != owner) break;
      const bool own = only != 0;
      if (own > best->own || (own == best->own && word.ticket < best->ticket)) {
        *best = {owner, this, index, slot, chunk, bits, word.ticket, own};
      }
      break;  // chunks are claimed in order
    }
  }
}

std::optional<Claim> Ring::AwaitClaim(const std::vector<std::shared_ptr<Ring>>& rings, uint64_t owner,
                                      double timeout_s) {
  RingHeader* const events = rings.front()->events();
  for (;;) {
    const uint32_t seen = events->work_event.load(std::memory_order_seq_cst);
    if (events->closing.load(std::memory_order_seq_cst)) return std::nullopt;
    Candidate best{owner};
    for (uint32_t index = 0; index < rings.size(); ++index) rings[index]->FindWork(owner, &best, index);
    if (best.ring != nullptr) {
      // What only this owner may do is done in order. A slot that was looked at too early may hold an older ticket than
      // one that was published after it: then there was an event in between.
      if (best.own && events->work_event.load(std::memory_order_seq_cst) != seen) continue;
      std::atomic<uint64_t>& word = best.ring->words(best.slot)[best.chunk];
      const uint64_t claimed = Word{best.ticket, owner, WordState::kClaimed}.Pack();
      if (!word.compare_exchange_strong(best.bits, claimed, std::memory_order_acq_rel)) continue;
      const SlotHeader* const head = best.ring->slot_header(best.slot);
      return Claim{
          best.index,  best.slot,       best.chunk,         best.ticket,
          head->epoch, head->iteration, head->first_sample, ChunkRange(head->samples, head->chunks, best.chunk)};
    }
    const int woken = FutexWait(&events->work_event, seen, timeout_s);
    if (woken == ETIMEDOUT || woken == EINTR) return std::nullopt;
  }
}

void Ring::SetSamples(uint32_t slot, uint32_t samples) { slot_header(slot)->samples = samples; }

void Ring::Finish(uint32_t slot, uint32_t chunk, uint64_t ticket, uint64_t owner, WordState state) {
  uint64_t expected = Word{ticket, owner, WordState::kClaimed}.Pack();
  if (!words(slot)[chunk].compare_exchange_strong(expected, Word{ticket, owner, state}.Pack(),
                                                  std::memory_order_seq_cst)) {
    throw std::logic_error("jaxdali: finishing a chunk that this worker does not hold");
  }
  // The parent waits for whole batches: waking it for every chunk would cost a system call each. Sequentially
  // consistent, so that of two workers finishing at once at least one sees the batch complete.
  if (State(slot) != SlotState::kPending) FutexSignal(&events()->done_event);
}

bool Ring::FitsPlan(uint32_t slot, uint32_t output, const SampleRecord& shape) const {
  const OutputPlan& plan = plans(slot)[output];
  return plan.dense && plan.dtype == shape.dtype && plan.ndim == shape.ndim &&
         std::memcmp(plan.dims, shape.dims, sizeof(int64_t) * shape.ndim) == 0;
}

uint8_t* Ring::Place(uint32_t slot, uint32_t output, uint32_t sample, const SampleRecord& shape) {
  SampleRecord& record = records(slot)[header()->batch_size * output + sample];
  const OutputPlan& plan = plans(slot)[output];
  record = shape;
  if (FitsPlan(slot, output, shape)) {
    record.offset = plan.offset + plan.size_bytes * sample;
  } else {
    const uint64_t room = RoundUp(shape.size_bytes, kAlignment);
    record.offset = slot_header(slot)->tail.fetch_add(room, std::memory_order_relaxed);
    Reserve(slot, record.offset + room);
  }
  return slot_data(slot) + record.offset;
}

uint8_t* Ring::PlaceBatch(uint32_t slot, uint32_t output, uint32_t samples, const SampleRecord& shape) {
  uint64_t offset = plans(slot)[output].offset;
  if (!FitsPlan(slot, output, shape)) {
    const uint64_t room = RoundUp(shape.size_bytes * samples, kAlignment);
    offset = slot_header(slot)->tail.fetch_add(room, std::memory_order_relaxed);
    Reserve(slot, offset + room);
  }
  SampleRecord* const first = records(slot) + header()->batch_size * output;
  if (samples == 0) {
    first[0] = shape;
    first[0].empty = 1;
  }
  for (uint32_t sample = 0; sample < samples; ++sample) {
    first[sample] = shape;
    first[sample].offset = offset + shape.size_bytes * sample;
  }
  return slot_data(slot) + offset;
}

}  // namespace jaxdali::host
