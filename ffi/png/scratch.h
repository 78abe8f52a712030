// Memory for decoding, which a thread keeps from one file to the next.
#ifndef JAXDALI_PNG_SCRATCH_H_
#define JAXDALI_PNG_SCRATCH_H_

#include <libdeflate.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace jaxdali::png {

class Block {
 public:
  // Returns at least `size` bytes, with any contents.
  uint8_t* Take(size_t size) {
    if (size > size_) {
      bytes_.reset();
      size_ = 0;
      bytes_.reset(new uint8_t[size]);
      size_ = size;
    }
    return bytes_.get();
  }
  uint8_t* data() const { return bytes_.get(); }
  size_t size() const { return size_; }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_ = 0;
};

// Takes what the thread has kept, and leaves it there in the end. Two at once in one thread share nothing.
class Scratch {
 public:
  Scratch() : kept_(std::exchange(Kept(), nullptr)) {
    if (!kept_) kept_ = std::make_unique<Parts>();
  }
  ~Scratch() {
    if (kept_ && kept_->joined.size() + kept_->filtered.size() + kept_->rows.size() <= kMostKept) {
      Kept() = std::move(kept_);
    }
  }
  Scratch(Scratch&&) = default;
  Scratch& operator=(Scratch&&) = delete;

  Block& joined() { return kept_->joined; }
  Block& filtered() { return kept_->filtered; }
  const Block& filtered() const { return kept_->filtered; }
  Block& rows() { return kept_->rows; }
  libdeflate_decompressor* decompressor() { return kept_->decompressor.get(); }

 private:
  // A thread keeps no more than this.
  static constexpr size_t kMostKept = size_t{16} << 20;

  struct FreeDecompressor {
    void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
  };
  struct Parts {
    Parts() : decompressor(libdeflate_alloc_decompressor()) {
      if (decompressor == nullptr) throw std::bad_alloc();
    }
    Block joined, filtered, rows;
    std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor;
  };
  static std::unique_ptr<Parts>& Kept() {
    thread_local std::unique_ptr<Parts> kept;
    return kept;
  }

  std::unique_ptr<Parts> kept_;
};

}  // namespace jaxdali::png

#endif  // JAXDALI_PNG_SCRATCH_H_
