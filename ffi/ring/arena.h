// Shared memory without a name: a sealed memfd and one mapping of it.
#ifndef JAXDALI_RING_ARENA_H_
#define JAXDALI_RING_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "host/descriptor.h"

namespace jaxdali::host {

class Arena {
 public:
  // Makes a memfd of `size` bytes (sparse: nothing is allocated) that can grow but never shrink, and maps it.
  // Throws std::system_error; ENOMEM where the address space is limited (ulimit -v).
  static std::shared_ptr<Arena> Create(const char* label, size_t size);

  // Maps a memfd made by Create, in this or another process. The descriptor is duplicated.
  static std::shared_ptr<Arena> Attach(int fd);

  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  // Throws std::runtime_error if somebody closed the descriptor.
  int fd() const { return descriptor_->get(); }

  // Allocates the pages of [offset, offset + size), so that writing there cannot end in SIGBUS. Throws ShortOfMemory,
  // before anything is allocated, if it is a large amount and not available; std::system_error (ENOSPC or ENOMEM) if
  // the system refuses; std::runtime_error if somebody closed the descriptor.
  void Allocate(size_t offset, size_t size);

  // Gives the pages of [offset, offset + size) back to the system; reads there then give 0. Nobody may be writing
  // there. Returns false if this system does not take back pages of shared memory.
  bool Free(size_t offset, size_t size);

 private:
  Arena(std::unique_ptr<Descriptor> descriptor, uint8_t* data, size_t size)
      : descriptor_(std::move(descriptor)), data_(data), size_(size) {}
  std::unique_ptr<Descriptor> descriptor_;
  uint8_t* data_;
  size_t size_;
};

}  // namespace jaxdali::host

#endif  // JAXDALI_RING_ARENA_H_
