// Descriptors of files that are kept for long. A number may come to mean another file: whoever closes all that it finds
// (daemons do, and children that are about to start a program) and opens files of its own gets the same numbers. So
// what a number is, is looked at before each use.
#pragma once

#include <sys/types.h>

namespace jaxdali::host {

// Moves a descriptor away from 0 to 2, where whoever writes to stderr would write into it. The result closes on exec.
// Takes `fd` over. Throws std::system_error.
int AboveStandard(int fd);

// A copy of `fd` that closes on exec, above 2. Throws std::system_error.
int Duplicate(int fd);

// Owns a descriptor.
class Descriptor {
 public:
  // Takes `fd` over, of which `what` it is, for errors. Throws std::system_error where it is none.
  Descriptor(int fd, const char* what);
  // Closes it, if it is still the same file's.
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // The number. Throws std::runtime_error if it is another file's by now, or nobody's.
  int get() const;

 private:
  bool same() const;
  int fd_;
  const char* what_;
  dev_t device_;
  ino_t inode_;
};

}  // namespace jaxdali::host
