// Memory that is reused for the next image.
#ifndef JAXDALI_BASE_MEMORY_H_
#define JAXDALI_BASE_MEMORY_H_

#include <cstdint>
#include <memory>

namespace jaxdali::cpu {

// Room for the largest number of elements ever requested. Growing discards the contents.
template <typename Element>
class Memory {
 public:
  // Throws std::bad_alloc.
  Element* Get(int64_t count) {
    if (count > capacity_) {
      // Freed first, so that both are not allocated at once.
      elements_.reset();
      capacity_ = 0;
      elements_.reset(new Element[count]);
      capacity_ = count;
    }
    return elements_.get();
  }
  int64_t bytes() const { return capacity_ * static_cast<int64_t>(sizeof(Element)); }

 private:
  std::unique_ptr<Element[]> elements_;
  int64_t capacity_ = 0;
};

}  // namespace jaxdali::cpu

#endif  // JAXDALI_BASE_MEMORY_H_
