#include "ring/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "host/available_memory.h"

namespace jaxdali::host {
namespace {

constexpr const char* kWhat = "a ring's shared memory";

[[noreturn]] void Fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

uint8_t* Map(int fd, size_t size) {
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (data == MAP_FAILED) Fail(errno, "jaxdali: mapping " + std::to_string(size) + " bytes of shared memory");
  // A process that crashes would fill the machine's memory: to dump a page that nobody has written, the kernel
  // allocates it. Kernels that do not know the flag dump everything.
  madvise(data, size, MADV_DONTDUMP);
  return static_cast<uint8_t*>(data);
}

}  // namespace

std::shared_ptr<Arena> Arena::Create(const char* label, size_t size) {
  const int made = memfd_create(label, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made < 0) Fail(errno, "jaxdali: memfd_create");
  auto descriptor = std::make_unique<Descriptor>(AboveStandard(made), kWhat);
  const int fd = descriptor->get();
  // Shrinking a mapped file would turn reads into SIGBUS, so forbid shrinking, and forbid lifting the ban.
  if (ftruncate(fd, static_cast<off_t>(size)) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    Fail(errno, "jaxdali: sizing shared memory to " + std::to_string(size) + " bytes");
  }
  uint8_t* const data = Map(fd, size);
  return std::shared_ptr<Arena>(new Arena(std::move(descriptor), data, size));
}

std::shared_ptr<Arena> Arena::Attach(int fd) {
  auto descriptor = std::make_unique<Descriptor>(Duplicate(fd), kWhat);
  struct stat status;
  if (fstat(descriptor->get(), &status) != 0) Fail(errno, "jaxdali: fstat of shared memory");
  const size_t size = static_cast<size_t>(status.st_size);
  uint8_t* const data = Map(descriptor->get(), size);
  return std::shared_ptr<Arena>(new Arena(std::move(descriptor), data, size));
}

Arena::~Arena() { munmap(data_, size_); }

void Arena::Allocate(size_t offset, size_t size) {
  RequireMemory(size);
  int result;
  do {
    result = fallocate(descriptor_->get(), 0, static_cast<off_t>(offset), static_cast<off_t>(size));
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    Fail(errno, "jaxdali: allocating " + std::to_string(size) +
                    " bytes of shared memory for a batch; lower the batch size or the prefetch depth, or free memory");
  }
}

bool Arena::Free(size_t offset, size_t size) {
  // By address, which nobody else can have taken over, unlike a descriptor's number. EINVAL: the user has locked all
  // memory of the process.
  if (madvise(data_ + offset, size, MADV_REMOVE) == 0) return true;
  if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) {
    Fail(errno, "jaxdali: freeing " + std::to_string(size) + " bytes of shared memory");
  }
  return false;
}

}  // namespace jaxdali::host
