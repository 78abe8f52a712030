// File descriptors that are kept for long. A number may come to mean another file: code that closes all descriptors
// (daemons do, and children about to start a program) and then opens other files gets the same numbers. So a number is
// checked before each use.
#ifndef JAXDALI_HOST_DESCRIPTOR_H_
#define JAXDALI_HOST_DESCRIPTOR_H_

#include <sys/types.h>

namespace jaxdali::host {

// Moves a descriptor away from 0 to 2, where anything written to stderr would end up in it. The result closes on exec.
// Takes ownership of `fd`. Throws std::system_error.
int AboveStandard(int fd);

// Returns a copy of `fd` above 2 that closes on exec. Throws std::system_error.
int Duplicate(int fd);

// Owns a descriptor.
class Descriptor {
 public:
  // Takes ownership of `fd`; `what` describes it in errors. Throws std::system_error if it is not a descriptor.
  Descriptor(int fd, const char* what);
  // Closes it, if it still refers to the same file.
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // Returns the number. Throws std::runtime_error if it is closed or means another file by now.
  int get() const;

 private:
  bool same() const;
  int fd_;
  const char* what_;
  dev_t device_;
  ino_t inode_;
};

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_DESCRIPTOR_H_
