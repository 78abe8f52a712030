#include "host/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace jaxdali::host {
namespace {

[[noreturn]] void Fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

uint8_t* Map(int fd, size_t size) {
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    close(fd);
    Fail(error, "jaxdali: mapping " + std::to_string(size) + " bytes of shared memory");
  }
  return static_cast<uint8_t*>(data);
}

}  // namespace

std::shared_ptr<Arena> Arena::Create(const char* label, size_t size) {
  const int fd = memfd_create(label, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) Fail(errno, "jaxdali: memfd_create");
  // Shrinking a mapped file would turn reads into SIGBUS: forbid it, and forbid lifting the ban.
  if (ftruncate(fd, static_cast<off_t>(size)) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    const int error = errno;
    close(fd);
    Fail(error, "jaxdali: sizing shared memory to " + std::to_string(size) + " bytes");
  }
  return std::shared_ptr<Arena>(new Arena(fd, Map(fd, size), size));
}

std::shared_ptr<Arena> Arena::Attach(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) Fail(errno, "jaxdali: fstat of shared memory");
  const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (own < 0) Fail(errno, "jaxdali: duplicating the descriptor of shared memory");
  const size_t size = static_cast<size_t>(status.st_size);
  return std::shared_ptr<Arena>(new Arena(own, Map(own, size), size));
}

Arena::~Arena() {
  munmap(data_, size_);
  close(fd_);
}

void Arena::Allocate(size_t offset, size_t size) {
  int result;
  do {
    result = fallocate(fd_, 0, static_cast<off_t>(offset), static_cast<off_t>(size));
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    Fail(errno, "jaxdali: allocating " + std::to_string(size) +
                    " bytes of shared memory for a batch; lower the batch size or the prefetch depth, or free memory");
  }
}

bool Arena::Free(size_t offset, size_t size) {
  int result;
  do {
    result = fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                       static_cast<off_t>(size));
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno != EOPNOTSUPP && errno != ENOSYS) {
    Fail(errno, "jaxdali: freeing " + std::to_string(size) + " bytes of shared memory");
  }
  return result == 0;
}

}  // namespace jaxdali::host
