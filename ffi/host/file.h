// A file that is read where it is wanted.
#ifndef JAXDALI_HOST_FILE_H_
#define JAXDALI_HOST_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace jaxdali::host {

// Open for as long as this lives. Functions return 0, or errno.
class File {
 public:
  File() = default;
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int Open(const std::string& path);
  uint64_t size() const { return size_; }  // when it was opened; 0 for what is no regular file
  // Whether it begins as JPEG does.
  int LooksLikeJpeg(bool* result);
  // Reads `size()` bytes; `complete` is false where there are no longer so many.
  int Read(uint8_t* to, bool* complete);

 private:
  int fd_ = -1;
  uint64_t size_ = 0;
};

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_FILE_H_
