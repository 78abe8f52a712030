// Shared memory without a name: a sealed memfd and one mapping of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

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
  int fd() const { return fd_; }

  // Allocates the pages of [offset, offset + size), so that writing there cannot end in SIGBUS.
  // Throws std::system_error: ENOSPC or ENOMEM where memory is short.
  void Allocate(size_t offset, size_t size);

  // Gives the pages of [offset, offset + size) back; what is read there is 0. Nobody may be writing there. False: this
  // system does not take pages of shared memory back.
  bool Free(size_t offset, size_t size);

 private:
  Arena(int fd, uint8_t* data, size_t size) : fd_(fd), data_(data), size_(size) {}
  int fd_;
  uint8_t* data_;
  size_t size_;
};

}  // namespace jaxdali::host
