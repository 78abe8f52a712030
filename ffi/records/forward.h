// Reads the heads of records that lie one after the other in a file.
#ifndef JAXDALI_RECORDS_FORWARD_H_
#define JAXDALI_RECORDS_FORWARD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "records/byte_window.h"

namespace jaxdali::records {

class Forward {
 public:
  explicit Forward(const std::string& path) { opened_ = window_.Open(path); }

  // Returns how many bytes the file has from `place` on.
  uint64_t Left(uint64_t place) const {
    return opened_ && place < window_.file_size() ? window_.file_size() - place : 0;
  }
  // Returns `count` bytes at `place`, ByteWindow::kWindow at most; null if they are not there. `place` may only grow.
  const uint8_t* Head(uint64_t place, size_t count) {
    if (Left(place) < count) return nullptr;
    // Small records are read with all that lies between them, as the disk has them; large ones are skipped.
    const bool near = place - last_ <= kNear;
    last_ = place;
    window_.Begin(place, near ? std::min<uint64_t>(ByteWindow::kWindow, Left(place)) : count);
    return window_.Peek(place, count);
  }

 private:
  static constexpr uint64_t kNear = ByteWindow::kWindow / 4;

  ByteWindow window_;
  bool opened_ = false;
  uint64_t last_ = 0;
};

}  // namespace jaxdali::records

#endif  // JAXDALI_RECORDS_FORWARD_H_
