// The right to read a slot. The slot is free again when the last native reference is gone.
#ifndef JAXDALI_RING_LEASE_H_
#define JAXDALI_RING_LEASE_H_

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "host/dlpack_abi.h"
#include "host/dtype.h"
#include "ring/ring.h"
#include "ring/slot_size.h"

namespace jaxdali::host {

// A callback that tells: from now on the memory may change. Takes no lock and no GIL.
struct EndNotice {
  void* context;
  void (*tell)(void* context);
};

// Memory that stays readable and unchanged as long as somebody holds it.
class Hold {
 public:
  virtual ~Hold() = default;
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  uint8_t* data() const { return data_; }
  uint64_t capacity() const { return capacity_; }
  // Page-locks the memory; returns false if that is impossible.
  virtual bool Lock(const Registration&) { return false; }
  // The notice is given when the last reference goes. Only one thread at a time may call this.
  void TellAtEnd(EndNotice notice) { notices_.push_back(notice); }

 protected:
  Hold(uint8_t* data, uint64_t capacity) : data_(data), capacity_(capacity) {}
  // Gives the notices, before anybody else gets the memory.
  void Tell() noexcept {
    for (const EndNotice& notice : notices_) notice.tell(notice.context);
    notices_.clear();
  }

 private:
  uint8_t* data_;
  uint64_t capacity_;
  std::vector<EndNotice> notices_;
};

// One use of one slot, shared by everything that reads it: NumPy views (through the Python object that exports the
// buffer) and JAX arrays (through DLPack). Its destructor runs on whatever thread drops the last reference, and takes
// no lock and no GIL. The ring is unmapped only after its last hold.
class SlotHold : public Hold {
 public:
  SlotHold(std::shared_ptr<Ring> ring, uint32_t slot)
      : Hold(ring->slot_data(slot), ring->Adopt(slot)), ring_(std::move(ring)), slot_(slot) {}
  ~SlotHold() override {
    Tell();
    ring_->Release(slot_);
  }
  bool Lock(const Registration& registration) override { return ring_->Lock(slot_, registration); }

 private:
  std::shared_ptr<Ring> ring_;
  uint32_t slot_;
};

// A copy of a slot, for a consumer that holds so many slots that the ring would run out of free ones.
class CopyHold : public Hold {
 public:
  // Copies the first `used` bytes. The capacity (an operand's shape) stays the same; the rest is zero, and if it is
  // large it takes no memory.
  CopyHold(const Hold& original, uint64_t used) : CopyHold(original, Take(original.capacity() + kAlignment)) {
    std::memcpy(data(), original.data(), used);
  }
  ~CopyHold() override {
    Tell();
    std::free(memory_);
  }

 private:
  CopyHold(const Hold& original, void* memory)
      : Hold(reinterpret_cast<uint8_t*>(RoundUp(reinterpret_cast<uintptr_t>(memory), kAlignment)), original.capacity()),
        memory_(memory) {}
  static void* Take(uint64_t size) {
    void* const memory = std::calloc(size, 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void* memory_;
};

// Where held memory is. It holds nothing itself: for whoever compares addresses, or reads while somebody else holds it.
class Place : public Hold {
 public:
  explicit Place(const Hold& original) : Hold(original.data(), original.capacity()) {}
};

// Makes a DLPack tensor of part of a leased slot. Its deleter drops the hold, and may run on any thread.
inline DLManagedTensor* ExportTensor(std::shared_ptr<Hold> hold, uint64_t offset, const std::vector<int64_t>& shape,
                                     uint8_t dtype, DLDevice device) {
  struct Context {
    DLManagedTensor tensor;
    std::shared_ptr<Hold> hold;
    std::vector<int64_t> shape;
  };
  auto* context = new Context{{}, std::move(hold), shape};
  context->tensor.dl_tensor = {context->hold->data() + offset,
                               device,
                               static_cast<int32_t>(context->shape.size()),
                               ToDLPack(dtype),
                               context->shape.data(),
                               nullptr,  // C-contiguous
                               0};
  context->tensor.manager_ctx = context;
  context->tensor.deleter = [](DLManagedTensor* self) { delete static_cast<Context*>(self->manager_ctx); };
  return &context->tensor;
}

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_LEASE_H_
