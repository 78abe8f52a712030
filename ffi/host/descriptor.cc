#include "host/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace jaxdali::host {
namespace {

constexpr int kFirst = STDERR_FILENO + 1;

}  // namespace

int Duplicate(int fd) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, kFirst);
  if (copy < 0) throw std::system_error(errno, std::generic_category(), "jaxdali: duplicating a descriptor");
  return copy;
}

int AboveStandard(int fd) {
  if (fd >= kFirst) return fd;
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, kFirst);
  const int error = errno;
  close(fd);
  if (copy < 0) throw std::system_error(error, std::generic_category(), "jaxdali: duplicating a descriptor");
  return copy;
}

Descriptor::Descriptor(int fd, const char* what) : fd_(fd), what_(what) {
  struct stat status;
  if (fstat(fd, &status) != 0) {
    throw std::system_error(errno, std::generic_category(), std::string("jaxdali: fstat of ") + what);
  }
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

Descriptor::~Descriptor() {
  if (same()) close(fd_);
}

bool Descriptor::same() const {
  struct stat status;
  return fstat(fd_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

int Descriptor::get() const {
  if (!same()) {
    throw std::runtime_error("jaxdali: descriptor " + std::to_string(fd_) + " was that of " + what_ +
                             ", and other code in this process closed it; close only descriptors that you opened");
  }
  return fd_;
}

}  // namespace jaxdali::host
