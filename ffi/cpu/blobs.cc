#include "cpu/blobs.h"

#include <algorithm>
#include <new>

namespace jaxdali::cpu {
namespace {

int64_t Count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

int32_t Root(int32_t* parents, int32_t place) {
  while (parents[place] != place) {
    parents[place] = parents[parents[place]];
    place = parents[place];
  }
  return place;
}

// The first pixel of both becomes the root.
void Join(int32_t* parents, int32_t one, int32_t other) {
  one = Root(parents, one);
  other = Root(parents, other);
  parents[std::max(one, other)] = std::min(one, other);
}

// Steps through positions together with their coordinates.
class Walk {
 public:
  explicit Walk(const std::vector<int64_t>& shape) : shape_(shape), at_(shape.size()) {}

  const std::vector<int64_t>& at() const { return at_; }

  void Next() {
    for (size_t axis = at_.size(); axis-- > 0;) {
      if (++at_[axis] < shape_[axis]) return;
      at_[axis] = 0;
    }
  }

 private:
  const std::vector<int64_t>& shape_;
  std::vector<int64_t> at_;
};

}  // namespace

void FindBlobs(const std::vector<int64_t>& shape, const int32_t* labels, const bool* held, int32_t* found) {
  const int64_t count = Count(shape);
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  Walk walk(shape);
  for (int64_t place = 0; place < count; ++place, walk.Next()) {
    found[place] = held[place] ? static_cast<int32_t>(place) : -1;
    if (!held[place]) continue;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      const int64_t before = place - strides[axis];
      if (walk.at()[axis] > 0 && held[before] && labels[before] == labels[place]) {
        Join(found, static_cast<int32_t>(before), static_cast<int32_t>(place));
      }
    }
  }
  // A parent comes before its children, and points to the root when they are reached.
  for (int64_t place = 0; place < count; ++place) {
    if (found[place] >= 0) found[place] = found[found[place]];
  }
}

bool MeasureBlobs(const std::vector<int64_t>& shape, const int32_t* found, int32_t* extents) noexcept {
  try {
    const int64_t count = Count(shape), axes = static_cast<int64_t>(shape.size());
    std::fill_n(extents, count * axes, 0);
    // The smallest and the largest coordinates of each blob. Until all are known, a blob's number, from 1 on, is stored
    // at its first pixel.
    std::vector<int32_t> boxes;
    std::vector<int64_t> roots;
    Walk walk(shape);
    for (int64_t place = 0; place < count; ++place, walk.Next()) {
      const int64_t root = found[place];
      if (root < 0 || root >= count) continue;
      if (extents[root * axes] == 0) {
        roots.push_back(root);
        extents[root * axes] = static_cast<int32_t>(roots.size());
        for (int64_t at : walk.at()) boxes.insert(boxes.end(), 2, static_cast<int32_t>(at));
      }
      int32_t* const box = boxes.data() + (extents[root * axes] - 1) * 2 * axes;
      for (int64_t axis = 0; axis < axes; ++axis) {
        const int32_t at = static_cast<int32_t>(walk.at()[axis]);
        box[2 * axis] = std::min(box[2 * axis], at);
        box[2 * axis + 1] = std::max(box[2 * axis + 1], at);
      }
    }
    for (size_t blob = 0; blob < roots.size(); ++blob) {
      const int32_t* const box = boxes.data() + blob * 2 * axes;
      for (int64_t axis = 0; axis < axes; ++axis) {
        extents[roots[blob] * axes + axis] = box[2 * axis + 1] - box[2 * axis] + 1;
      }
    }
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace jaxdali::cpu
