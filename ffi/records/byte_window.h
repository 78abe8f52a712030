// Bytes of a file by their place, through a window: many small reads in a row take one system call.
#ifndef JAXDALI_RECORDS_BYTE_WINDOW_H_
#define JAXDALI_RECORDS_BYTE_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jaxdali::records {

class ByteWindow {
 public:
  static constexpr size_t kWindow = size_t{1} << 17;

  ByteWindow() = default;
  ~ByteWindow() { Close(); }
  ByteWindow(const ByteWindow&) = delete;
  ByteWindow& operator=(const ByteWindow&) = delete;

  // Returns false if the file cannot be opened, or is not a regular file.
  bool Open(const std::string& path);
  void Close();
  bool is_open() const { return fd_ >= 0; }
  uint64_t file_size() const { return there_; }  // when it was opened

  // Announces that bytes `place` to `place + size` are read next. Returns false if the file does not have them.
  bool Begin(uint64_t place, uint64_t size);
  // Returns `count` bytes, kWindow at most; null if the file no longer has as many.
  const uint8_t* Peek(uint64_t place, size_t count);
  bool Copy(uint64_t place, uint64_t count, uint8_t* to);
  // Forgets what was read: the file may have other contents when it is read again.
  void Forget() { held_ = 0; }

 private:
  bool Fill(uint64_t place, size_t count);

  int fd_ = -1;
  uint64_t there_ = 0;
  std::vector<uint8_t> bytes_;
  uint64_t first_ = 0;  // place of the window's first byte
  size_t held_ = 0;     // bytes in the window
  uint64_t end_ = 0;    // of what was announced
  uint64_t last_size_ = 0;
  bool in_a_row_ = false;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_BYTE_WINDOW_H_
