// A file that is read directly to where it is needed.
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
  uint64_t size() const { return size_; }  // when it was opened; 0 if it is not a regular file
  // Whether the file begins like a JPEG.
  int LooksLikeJpeg(bool* result);
  // Reads `size()` bytes; `complete` is false if the file has become shorter.
  int Read(uint8_t* to, bool* complete);

 private:
  int fd_ = -1;
  uint64_t size_ = 0;
};

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_FILE_H_
