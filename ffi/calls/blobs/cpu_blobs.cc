#include "calls/blobs/cpu_blobs.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

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

// Of the two roots, the pixel that comes first becomes the root of both.
void Join(int32_t* parents, int32_t one, int32_t other) {
  one = Root(parents, one);
  other = Root(parents, other);
  parents[std::max(one, other)] = std::min(one, other);
}

// Steps through the lines along the last axis and keeps track of the coordinates on the other axes.
class Lines {
 public:
  explicit Lines(const std::vector<int64_t>& shape) : shape_(shape), at_(shape.size() - 1) {}

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

// Appends one blob's box to `boxes`: the smallest and the largest coordinate along each axis, [axes, 2].
void StartBox(const std::vector<int64_t>& at, int64_t first, int64_t last, std::vector<int32_t>* boxes) {
  for (int64_t coordinate : at) boxes->insert(boxes->end(), 2, static_cast<int32_t>(coordinate));
  boxes->push_back(static_cast<int32_t>(first));
  boxes->push_back(static_cast<int32_t>(last));
}

void WidenBox(const std::vector<int64_t>& at, int64_t first, int64_t last, int32_t* box) {
  for (int64_t coordinate : at) {
    box[0] = std::min(box[0], static_cast<int32_t>(coordinate));
    box[1] = std::max(box[1], static_cast<int32_t>(coordinate));
    box += 2;
  }
  box[0] = std::min(box[0], static_cast<int32_t>(first));
  box[1] = std::max(box[1], static_cast<int32_t>(last));
}

// Calls `run(root, at, first, last)` for each run of touching pixels of a line that have the same root, in C order.
template <typename Run>
void ForRuns(const std::vector<int64_t>& shape, const int32_t* found, const Run& run) {
  const int64_t count = Count(shape), width = shape.back();
  Lines lines(shape);
  for (int64_t line = 0; line < count; line += width, lines.Next()) {
    for (int64_t first = 0; first < width;) {
      const int32_t root = found[line + first];
      int64_t behind = first + 1;
      while (behind < width && found[line + behind] == root) ++behind;
      if (root >= 0 && root < count) run(root, lines.at(), first, behind - 1);
      first = behind;
    }
  }
}

}  // namespace

void FindBlobs(const std::vector<int64_t>& shape, const int32_t* labels, const bool* held, int32_t* found) {
  const int64_t count = Count(shape), width = shape.back();
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  Lines lines(shape);
  for (int64_t line = 0; line < count; line += width, lines.Next()) {
    // Each run of touching pixels points at its first one.
    for (int64_t place = line; place < line + width; ++place) {
      const bool goes_on = place > line && held[place - 1] && labels[place - 1] == labels[place];
      found[place] = !held[place] ? -1 : goes_on ? found[place - 1] : static_cast<int32_t>(place);
    }
    for (size_t axis = 0; axis + 1 < shape.size(); ++axis) {
      if (lines.at()[axis] == 0) continue;
      bool joined = false;  // whether the previous pixel of this line touches its neighbour along `axis`
      for (int64_t place = line; place < line + width; ++place) {
        const int64_t before = place - strides[axis];
        const bool touches = held[place] && held[before] && labels[before] == labels[place];
        // If the previous pixel has the same label and was joined, this one is in the same run in both lines: they are
        // one blob already.
        if (touches && !(joined && labels[place - 1] == labels[place])) {
          Join(found, static_cast<int32_t>(before), static_cast<int32_t>(place));
        }
        joined = touches;
      }
    }
  }
  // Parents come before their children, so a parent points to the root already when its children are reached.
  for (int64_t place = 0; place < count; ++place) {
    if (found[place] >= 0) found[place] = found[found[place]];
  }
}

bool MeasureBlobs(const std::vector<int64_t>& shape, const int32_t* found, int32_t* extents) noexcept {
  try {
    const int64_t axes = static_cast<int64_t>(shape.size());
    std::fill_n(extents, Count(shape) * axes, 0);
    // Until all boxes are known, a blob's number, from 1 on, is stored at its first pixel.
    std::vector<int32_t> boxes;
    std::vector<int64_t> roots;
    ForRuns(shape, found, [&](int64_t root, const std::vector<int64_t>& at, int64_t first, int64_t last) {
      if (const int32_t number = extents[root * axes]; number != 0) {
        WidenBox(at, first, last, boxes.data() + (number - 1) * 2 * axes);
        return;
      }
      roots.push_back(root);
      extents[root * axes] = static_cast<int32_t>(roots.size());
      StartBox(at, first, last, &boxes);
    });
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

bool KeepLargestBlobs(const std::vector<int64_t>& shape, const int32_t* found, const bool* roots, int64_t most,
                      bool* kept) noexcept {
  try {
    const int64_t count = Count(shape), axes = static_cast<int64_t>(shape.size());
    std::fill_n(kept, count, false);
    std::vector<int32_t> boxes;
    std::vector<int64_t> firsts;
    // Each blob's number, stored at its first pixel; no other element is read.
    const std::unique_ptr<int32_t[]> numbers(new int32_t[count]);
    ForRuns(shape, found, [&](int64_t root, const std::vector<int64_t>& at, int64_t first, int64_t last) {
      if (!roots[root]) return;
      if (kept[root]) return WidenBox(at, first, last, boxes.data() + numbers[root] * 2 * axes);
      kept[root] = true;
      numbers[root] = static_cast<int32_t>(firsts.size());
      firsts.push_back(root);
      StartBox(at, first, last, &boxes);
    });
    std::vector<std::pair<int64_t, int64_t>> largest;  // negated volumes, and first pixels
    for (size_t blob = 0; blob < firsts.size(); ++blob) {
      int64_t volume = 1;
      const int32_t* const box = boxes.data() + blob * 2 * axes;
      for (int64_t axis = 0; axis < axes; ++axis) volume *= box[2 * axis + 1] - box[2 * axis] + 1;
      largest.emplace_back(-volume, firsts[blob]);
    }
    if (most >= static_cast<int64_t>(largest.size())) return true;
    std::nth_element(largest.begin(), largest.begin() + most, largest.end());
    for (auto small = largest.begin() + most; small != largest.end(); ++small) kept[small->second] = false;
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace jaxdali::cpu
