#include "records/byte_window.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace jaxdali::records {
namespace {

// Between two records that are read in a row there may be this much else, such as the heads of other records.
constexpr uint64_t kGap = 4096;
// What is read of a record that is larger than the window: its head.
constexpr uint64_t kHead = 4096;
// Less than the most that Linux reads in one call.
constexpr uint64_t kMostBytes = uint64_t{1} << 30;

// Reads `count` bytes, or as many as there are. Returns a negative number if that fails.
ssize_t ReadAll(int fd, uint8_t* to, uint64_t count, uint64_t place) {
  uint64_t done = 0;
  while (done < count) {
    const ssize_t got = pread(fd, to + done, std::min(count - done, kMostBytes), static_cast<off_t>(place + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<uint64_t>(got);
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

bool ByteWindow::Open(const std::string& path) {
  Close();
  do {
    // Does not wait for the other end of a FIFO that lies in a file's place, and does not acquire a terminal.
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0) return false;
  struct stat status;
  if (fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) {
    Close();
    return false;
  }
  there_ = static_cast<uint64_t>(status.st_size);
  return true;
}

void ByteWindow::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  there_ = end_ = 0;
  held_ = 0;
  in_a_row_ = false;
}

bool ByteWindow::Begin(uint64_t place, uint64_t size) {
  if (place > there_ || size > there_ - place) return false;
  // After small records in a row more are likely to follow: then a whole window is read.
  in_a_row_ = end_ != 0 && place >= end_ && place - end_ <= kGap && last_size_ <= kWindow / 4;
  end_ = place + size;
  last_size_ = size;
  return true;
}

bool ByteWindow::Fill(uint64_t place, size_t count) {
  const uint64_t left = end_ > place ? end_ - place : 0;
  uint64_t wanted = left > kWindow ? kHead : in_a_row_ ? kWindow : left;
  wanted = std::max<uint64_t>(wanted, count);
  if (bytes_.size() < wanted) bytes_.resize(wanted);
  held_ = 0;
  const ssize_t got = ReadAll(fd_, bytes_.data(), wanted, place);
  if (got < 0) return false;
  first_ = place;
  held_ = static_cast<size_t>(got);
  return held_ >= count;
}

const uint8_t* ByteWindow::Peek(uint64_t place, size_t count) {
  const bool here = place >= first_ && place - first_ <= held_ && count <= held_ - (place - first_);
  if (!here && (count > kWindow || !Fill(place, count))) return nullptr;
  return bytes_.data() + (place - first_);
}

bool ByteWindow::Copy(uint64_t place, uint64_t count, uint8_t* to) {
  if (place >= first_ && place - first_ < held_) {
    const uint64_t here = std::min<uint64_t>(count, held_ - (place - first_));
    std::memcpy(to, bytes_.data() + (place - first_), here);
    place += here;
    to += here;
    count -= here;
  }
  if (count == 0) return true;
  if (count <= kWindow / 4) {
    const uint8_t* const bytes = Peek(place, count);
    if (bytes != nullptr) std::memcpy(to, bytes, count);
    return bytes != nullptr;
  }
  return ReadAll(fd_, to, count, place) == static_cast<ssize_t>(count);
}

}  // namespace jaxdali::records
