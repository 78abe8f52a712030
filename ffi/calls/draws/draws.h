// What the calls that draw random numbers compute, and how to compute it for one sample on any platform.
#ifndef JAXDALI_CALLS_DRAWS_DRAWS_H_
#define JAXDALI_CALLS_DRAWS_DRAWS_H_

#include <cstdint>

#include "base/host_device.h"
#include "calls/draws/crop_window.h"
#include "calls/draws/threefry.h"

namespace jaxdali {

// Words [1 or N, 1 or M, depth] that are folded in one after the other.
struct Fold {
  const uint32_t* words;
  int64_t samples, draws, depth;

  JAXDALI_HOST_DEVICE Key Into(Key key, int64_t sample, int64_t draw) const {
    const uint32_t* own = words + ((samples == 1 ? 0 : sample) * draws + (draws == 1 ? 0 : draw)) * depth;
    for (int64_t i = 0; i < depth; ++i) key = FoldIn(key, own[i]);
    return key;
  }
};

// For each draw, the key after folding in `first` and then `second`; or the first word of that key.
struct ThreefryCall {
  const uint32_t* keys;  // [1 or N, 2]
  bool one_key, counted;
  Fold first, second;
  int64_t samples, draws, kept;  // of the result, [N, M, 1 or 2]
  uint32_t* result;

  JAXDALI_HOST_DEVICE Key OfSample(int64_t sample) const {
    const uint32_t* const own = keys + (one_key ? 0 : 2 * sample);
    return first.Into({own[0], own[1]}, sample, 0);
  }

  JAXDALI_HOST_DEVICE void Draw(Key of_sample, int64_t sample, int64_t draw) const {
    Key drawn = second.Into(of_sample, sample, draw);
    if (counted) drawn = FoldIn(drawn, static_cast<uint32_t>(draw));
    uint32_t* const target = result + (sample * draws + draw) * kept;
    target[0] = drawn.high;
    if (kept == 2) target[1] = drawn.low;
  }
};

struct WindowCall {
  WindowRange range;
  uint32_t stream;
  const uint32_t* keys;  // [N, 2]
  const int32_t* sizes;  // [N, columns]: height, width, ...
  int64_t samples, columns;
  int32_t* result;  // [N, 4]: top, left, height, width

  JAXDALI_HOST_DEVICE void Draw(int64_t sample) const {
    const uint32_t* const key = keys + 2 * sample;
    const int32_t* const size = sizes + columns * sample;
    const CropWindow window = DrawWindow(FoldIn({key[0], key[1]}, stream), static_cast<uint32_t>(size[0]),
                                         static_cast<uint32_t>(size[1]), range);
    int32_t* const target = result + 4 * sample;
    target[0] = static_cast<int32_t>(window.top);
    target[1] = static_cast<int32_t>(window.left);
    target[2] = static_cast<int32_t>(window.height);
    target[3] = static_cast<int32_t>(window.width);
  }
};

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_DRAWS_DRAWS_H_
