#include "calls/warp/operands.h"

#include <optional>
#include <string>

namespace ffi = xla::ffi;

namespace jaxdali {
namespace {

ffi::Error Wrong(const char* what) { return ffi::Error::InvalidArgument(std::string(kWarpTarget) + ": " + what); }

std::optional<WarpedType> NumbersOf(ffi::DataType type) {
  switch (type) {
    case ffi::DataType::U8:
      return WarpedType::kUint8;
    case ffi::DataType::S16:
      return WarpedType::kInt16;
    case ffi::DataType::U16:
      return WarpedType::kUint16;
    case ffi::DataType::F32:
      return WarpedType::kFloat32;
    default:
      return std::nullopt;
  }
}

std::optional<WarpedType> BitsOf(ffi::DataType type) {
  switch (ffi::ByteWidth(type)) {
    case 1:
      return WarpedType::kBits8;
    case 2:
      return WarpedType::kBits16;
    case 4:
      return WarpedType::kBits32;
    default:
      return std::nullopt;
  }
}

// Returns whether there is one row of `width` numbers for all samples, or one for each.
bool IsPerSample(WarpExtents buffer, int64_t samples, int64_t width) {
  const auto shape = buffer.dimensions();
  return (shape[0] == 1 || shape[0] == samples) && shape[1] == width;
}

// Sets the map or the positions of `w`. Returns false if `where` has the shape of neither.
bool SetWhere(WarpPlaces where, Warping& w) {
  const auto shape = where.dimensions();
  const size_t rank = shape.size(), axes = static_cast<size_t>(w.axes);
  if (rank == 3 && shape[1] == w.axes && shape[2] == w.axes + 1) {
    w.matrix = {where.typed_data(), shape[0], w.axes * (w.axes + 1)};
    return shape[0] == 1 || shape[0] == w.samples;
  }
  if (rank != axes + 2 || shape[0] != w.axes || (shape[1] != 1 && shape[1] != w.samples)) return false;
  for (size_t axis = 0; axis < axes; ++axis) {
    if (shape[2 + axis] != w.size[axis]) return false;
  }
  w.places = where.typed_data();
  w.place_rows = shape[1];
  return true;
}

}  // namespace

ffi::Error LoadWarping(int32_t border, int32_t between, ffi::AnyBuffer images, WarpPlaces where, WarpExtents extents,
                       WarpExtents made, ffi::AnyBuffer fill, ffi::Result<ffi::AnyBuffer> results, Warping* call) {
  const auto canvas = images.dimensions(), size = results->dimensions();
  if ((canvas.size() != 4 && canvas.size() != 5) || size.size() != canvas.size() || size[0] != canvas[0] ||
      size.back() != canvas.back()) {
    return Wrong("images and results are not [N, H, W, C] or [N, D, H, W, C] of one N and C");
  }
  if (border < 0 || border >= kBorders || between < 0 || between >= kBetweens) {
    return Wrong("border is not 0 to 4, or between not 0 to 2");
  }
  Warping& w = *call;
  w = {};
  w.samples = canvas[0];
  w.channels = canvas.back();
  w.axes = static_cast<int>(canvas.size()) - 2;
  w.border = static_cast<Border>(border);
  w.between = static_cast<Between>(between);
  for (int axis = 0; axis < w.axes; ++axis) {
    w.canvas[axis] = canvas[1 + axis];
    w.size[axis] = size[1 + axis];
  }
  const bool picks = w.between == Between::kNearest;
  const ffi::DataType type = images.element_type(), result_type = results->element_type();
  const std::optional<WarpedType> found = picks ? BitsOf(type) : NumbersOf(type);
  const ffi::DataType filled = picks ? type : ffi::DataType::F32;
  const bool is_result = picks ? result_type == type : result_type == filled || result_type == ffi::DataType::U8;
  if (!found || !is_result || fill.element_type() != filled) {
    return Wrong(
        "types are not uint8, int16, uint16 or float32 images, float32 fill and float32 or uint8 results, nor, "
        "between 0, one of up to 4 bytes for all three");
  }
  if (w.between == Between::kCubic && w.axes == 3) return Wrong("of volumes nothing is cubic");
  if (!IsPerSample(extents, w.samples, w.axes) || !IsPerSample(made, w.samples, w.axes) ||
      fill.dimensions().size() != 1 || fill.dimensions()[0] != w.channels || !SetWhere(where, w)) {
    return Wrong(
        "shapes are not where [N or 1, axes, axes + 1] or [axes, N or 1, size], extents and made [N or 1, axes] "
        "and fill [C]");
  }
  if (results->element_count() == 0) {
    w.samples = 0;
    return ffi::Error::Success();
  }
  if (images.element_count() == 0) return Wrong("there are results, and no pixels");
  w.type = *found;
  w.images = images.untyped_data();
  w.extents = {extents.typed_data(), extents.dimensions()[0], w.axes};
  w.made = {made.typed_data(), made.dimensions()[0], w.axes};
  w.fill = fill.untyped_data();
  w.result = results->untyped_data();
  w.bytes = !picks && result_type == ffi::DataType::U8;
  return ffi::Error::Success();
}

}  // namespace jaxdali
