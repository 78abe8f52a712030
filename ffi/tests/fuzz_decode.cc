// A libFuzzer target: the header parser, and decoding of one row on the CPU, whatever the file and the row contain.
//
// An input is kControls bytes, which choose the row and the window, and a file. Besides what the sanitizers find, it
// checks that failures leave zeros, that results are the same twice, and that a window that is not resized is a part of
// the whole image.
#include <cstdint>
#include <cstring>
#include <memory>

#include "calls/decode_resample/row.h"
#include "decoding/decode_row.h"
#include "decoding/jpeg_header.h"
#include "decoding/jpeg_scan.h"
#include "fuzzing.h"
#include "rows/row_checks.h"
#include "rows/rows.h"
#include "rows/windows.h"

namespace jaxdali {
namespace {

constexpr size_t kControls = 16;
// Small enough for many inputs per second.
constexpr int64_t kMostPixels = 1 << 16;
constexpr int64_t kLargestResult = 64;

// Makes a row of what the file's header says, or of lies.
Row MakeRow(const uint8_t* controls, const uint8_t* file, size_t size) {
  JpegHeader header = {};
  const Status status = ParseJpegHeader(file, size, &header);
  Row row = {0,
             static_cast<int64_t>(size),
             header.height,
             header.width,
             header.components,
             static_cast<int32_t>(Codec::kJpeg),
             header.orientation,
             static_cast<int32_t>(Status::kOk)};
  if (status != Status::kOk) {
    row.height = 1 + controls[1];
    row.width = 1 + controls[2];
    row.components = controls[3] % 5;
    row.orientation = 1;
  }
  if (controls[0] & 1) row.orientation = controls[4] % 10;
  if (controls[0] & 2) row.height += static_cast<int8_t>(controls[5]);
  if (controls[0] & 4) row.width += static_cast<int8_t>(controls[6]);
  if (controls[0] & 8) row.components = controls[3] % 5;
  if (controls[0] & 16) row.codec = controls[7] % 4;
  if (controls[0] & 32) row.size_bytes += static_cast<int8_t>(controls[8]);
  if (controls[0] & 64) row.offset_bytes = 64 * static_cast<int8_t>(controls[9]);
  return row;
}

void CheckDecode(const Row& row, const cpu::EncodedBytes& encoded, const cpu::Canvas& canvas, Status* status) {
  int32_t fields[kRowFields];
  StoreRow(row, fields);
  const cpu::RowResult result = cpu::DecodeRow(fields, encoded, canvas);
  *status = result.status;
  if (result.status != Status::kOk) Demand(AreZeros(canvas.pixels, canvas.Bytes()), "a failed image is zeros");
  const auto again = PoisonedMemory(canvas.Bytes());
  Demand(cpu::DecodeRow(fields, encoded, {again.get(), canvas.height, canvas.width}).status == result.status,
         "a file has one status");
  Demand(std::memcmp(again.get(), canvas.pixels, canvas.Bytes()) == 0, "a file has one image");
}

void CheckWindow(const Row& row, const cpu::EncodedBytes& encoded, const cpu::Canvas& whole, Status whole_status,
                 const uint8_t* controls) {
  const int32_t height = static_cast<int32_t>(whole.height), width = static_cast<int32_t>(whole.width);
  int32_t window[kWindowFields];
  window[kTop] = controls[10] % height;
  window[kLeft] = controls[11] % width;
  window[kWindowHeight] = 1 + controls[12] % (height - window[kTop]);
  window[kWindowWidth] = 1 + controls[13] % (width - window[kLeft]);
  if (controls[14] & 128) window[controls[14] % kWindowFields] += static_cast<int8_t>(controls[15]);
  const bool as_it_is = (controls[14] & 64) != 0 && window[kWindowHeight] >= 1 && window[kWindowWidth] >= 1 &&
                        window[kWindowHeight] <= kLargestResult && window[kWindowWidth] <= kLargestResult;
  const int64_t out_height = as_it_is ? window[kWindowHeight] : 1 + controls[15] % kLargestResult;
  const int64_t out_width = as_it_is ? window[kWindowWidth] : 1 + controls[14] % kLargestResult;

  uint8_t table[3 * 256];
  for (int level = 0; level < 3 * 256; ++level) table[level] = static_cast<uint8_t>(level % 256);
  const auto memory = PoisonedMemory(out_height * out_width * kChannels);
  const cpu::ResampleTarget target = {memory.get(), out_height, out_width, 1, (controls[0] & 128) != 0};
  int32_t fields[kRowFields];
  StoreRow(row, fields);
  const cpu::RowResult result = cpu::DecodeResampleRow(fields, encoded, window, false, table, target);
  if (result.status != Status::kOk) {
    Demand(AreZeros(memory.get(), target.Bytes()), "a failed window is zeros");
  } else if (as_it_is && !target.channels_first && whole_status == Status::kOk) {
    for (int64_t y = 0; y < out_height; ++y) {
      const uint8_t* const part = whole.pixels + (window[kTop] + y) * whole.Stride() + window[kLeft] * kChannels;
      Demand(std::memcmp(part, memory.get() + y * out_width * kChannels, out_width * kChannels) == 0,
             "a window is a part of the image");
    }
  }
}

void Check(const uint8_t* controls, const uint8_t* contents, size_t size) {
  const std::unique_ptr<uint8_t[]> file(new uint8_t[size]);
  std::memcpy(file.get(), contents, size);
  IsPlainJpeg(file.get(), size);
  const Row row = MakeRow(controls, file.get(), size);
  const cpu::EncodedBytes encoded = {file.get(), static_cast<int64_t>(size)};
  const int64_t height = cpu::ShownHeight(row), width = cpu::ShownWidth(row);
  if (height < 1 || width < 1 || height > kMostPixels / width) return;
  const auto memory = PoisonedMemory(height * width * kChannels);
  Status status = Status::kOk;
  CheckDecode(row, encoded, {memory.get(), height, width}, &status);
  CheckWindow(row, encoded, {memory.get(), height, width}, status, controls);
}

}  // namespace
}  // namespace jaxdali

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size >= jaxdali::kControls) {
    jaxdali::Check(data, data + jaxdali::kControls, size - jaxdali::kControls);
  }
  return 0;
}
