// Memory that is used again for the next image.
#ifndef JAXDALI_CPU_MEMORY_H_
#define JAXDALI_CPU_MEMORY_H_

#include <cstdint>
#include <memory>

namespace jaxdali::cpu {

// Holds as many elements as were ever asked for at once. What it held is lost when it grows.
template <typename Element>
class Memory {
 public:
  // Throws std::bad_alloc.
  Element* Get(int64_t count) {
    if (count > capacity_) {
      // Not both at once.
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

#endif  // JAXDALI_CPU_MEMORY_H_
