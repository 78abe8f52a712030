#include "host/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace jaxdali::host {
namespace {

// Less than the most that Linux reads in one call.
constexpr uint64_t kMostBytes = uint64_t{1} << 30;

ssize_t ReadAt(int fd, void* to, uint64_t size, uint64_t offset) {
  ssize_t count;
  do {
    count = pread(fd, to, size, static_cast<off_t>(offset));
  } while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace

File::~File() {
  if (fd_ >= 0) close(fd_);
}

int File::Open(const std::string& path) {
  do {
    // Does not wait for the other end of a FIFO that was put in a file's place, and does not acquire a terminal.
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (fd_ < 0 && errno == EINTR);
  struct stat status;
  if (fd_ < 0 || fstat(fd_, &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  // Other files have no known end, or none at all.
  size_ = S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
  return 0;
}

int File::LooksLikeJpeg(bool* result) {
  uint8_t start[2] = {};
  const ssize_t count = ReadAt(fd_, start, sizeof(start), 0);
  *result = count == 2 && start[0] == 0xff && start[1] == 0xd8;
  return count < 0 ? errno : 0;
}

int File::Read(uint8_t* to, bool* complete) {
  for (uint64_t done = 0; done < size_;) {
    const ssize_t count = ReadAt(fd_, to + done, std::min(size_ - done, kMostBytes), done);
    if (count < 0) return errno;
    if (count == 0) {
      *complete = false;
      return 0;
    }
    done += static_cast<uint64_t>(count);
  }
  *complete = true;
  return 0;
}

}  // namespace jaxdali::host
