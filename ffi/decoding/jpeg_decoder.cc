#include "decoding/jpeg_decoder.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <type_traits>

// jpeglib.h needs size_t and FILE; the numbers in jerror.h depend on what jpeglib.h defines.
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include "decoding/luma.h"
#include "decoding/scan_end.h"

namespace jaxdali::cpu {
namespace {

// A progressive file of a few hundred bytes can request thousands of passes over a huge image. Encoders write about 10
// scans; 500 is TurboJPEG's own limit (TJFLAG_LIMITSCANS).
constexpr int kMaxScans = 500;

// Pillow hands files to libjpeg in pieces of this size (PIL.ImageFile.MAXBLOCK) and fetches no further piece once it
// has all rows: what comes after that piece does not matter.
constexpr size_t kBlockSize = 65536;

// Rows requested from libjpeg at a time: it returns at most four at once, and does so without copying only if there is
// room for them.
constexpr JDIMENSION kRowsAtATime = 4;

constexpr int kCmykChannels = 4;

// Where rows begin that are read again at once. To aligned rows libjpeg-turbo's SIMD code writes past the caches.
constexpr JDIMENSION kUnaligned = 1;

// Interpolated chroma at a pixel needs the neighbouring chroma sample. libjpeg treats the place where columns are cut
// off as the image's edge, so we decode this many pixels more than the window on either side.
constexpr int64_t kColumnMargin = 2;

// Everything that one call needs. Only jpeg_destroy_decompress frees it: longjmp runs no destructors.
struct Decoder {
  jpeg_decompress_struct jpeg;
  jpeg_error_mgr error;
  jpeg_source_mgr source;
  jpeg_progress_mgr progress;
  std::jmp_buf on_error;
  const uint8_t* bytes;
  size_t size;
  const uint8_t* unread;  // data that libjpeg was not given yet
  size_t unread_bytes;    //
  bool has_all_rows;
  bool data_ended;   // libjpeg asked for more than there is
  bool may_skip;     // what the window does not need
  bool has_skipped;  // data of rows below the window
  bool has_no_end;   // a scan ends with the data, or at what is no marker
  JpegExpectation expected;
  Window window;
  uint8_t* target;
  int64_t target_stride;
  int64_t target_channels;
  JpegResult* result;
};
static_assert(std::is_trivially_destructible_v<Decoder>);

Decoder& Self(j_common_ptr jpeg) { return *static_cast<Decoder*>(jpeg->client_data); }
Decoder& Self(j_decompress_ptr jpeg) { return *static_cast<Decoder*>(jpeg->client_data); }

template <typename... Arguments>
[[noreturn]] void Fail(Decoder& decoder, Status status, const char* format, Arguments... arguments) {
  decoder.result->status = status;
  std::snprintf(decoder.result->message, sizeof(decoder.result->message), format, arguments...);
  std::longjmp(decoder.on_error, 1);
}

// Returns kUnsupported for libjpeg's errors that mean "a kind of JPEG that this library does not support".
Status StatusOfError(int code) {
  switch (code) {
#if JPEG_LIB_VERSION < 70  // Ubuntu builds libjpeg-turbo with libjpeg 8's interface, which has arithmetic coding
    case JERR_ARITH_NOTIMPL:
#endif
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_NOTIMPL:
    case JERR_SOF_UNSUPPORTED:
      return Status::kUnsupported;
    default:
      return Status::kCorrupt;
  }
}

void OnError(j_common_ptr jpeg) {
  Decoder& decoder = Self(jpeg);
  const int code = jpeg->err->msg_code;
  decoder.result->out_of_memory = code == JERR_OUT_OF_MEMORY;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  Fail(decoder, StatusOfError(code), "%s", text);
}

// Ignores libjpeg's warnings: they are not errors in Pillow and must not reach stderr.
void OnMessage(j_common_ptr) {}

void OnSourceBeginOrEnd(j_decompress_ptr) {}

// Gives libjpeg the next block. At the end of the data it "suspends": libjpeg then returns to RunDecoder, which reports
// that the data are truncated. (Inventing an end marker here, as libjpeg's own memory source does, would make half a
// file look good.)
boolean FillInputBuffer(j_decompress_ptr jpeg) {
  Decoder& decoder = Self(jpeg);
  if (decoder.has_all_rows) return FALSE;
  if (decoder.unread_bytes == 0) {
    decoder.data_ended = true;
    return FALSE;
  }
  const size_t block = std::min(kBlockSize, decoder.unread_bytes);
  decoder.source.next_input_byte = decoder.unread;
  decoder.source.bytes_in_buffer = block;
  decoder.unread += block;
  decoder.unread_bytes -= block;
  return TRUE;
}

void SkipInputData(j_decompress_ptr jpeg, long count) {
  if (count <= 0) return;
  Decoder& decoder = Self(jpeg);
  size_t left = static_cast<size_t>(count);
  while (left > decoder.source.bytes_in_buffer) {
    left -= decoder.source.bytes_in_buffer;
    decoder.source.next_input_byte += decoder.source.bytes_in_buffer;
    decoder.source.bytes_in_buffer = 0;
    // With nothing left, the next read suspends.
    if (!FillInputBuffer(jpeg)) return;
  }
  decoder.source.next_input_byte += left;
  decoder.source.bytes_in_buffer -= left;
}

// If a file has several scans, each is read before the first pixel is made. What a scan says about rows below the
// window is skipped: libjpeg goes on with zeros, up to the next scan, as if the data had ended at a marker.
void SkipRestOfScan(Decoder& decoder) {
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  if (!decoder.may_skip || decoder.has_no_end || jpeg.unread_marker != 0 || jpeg.arith_code) return;
  // Interpolated chroma at the last row needs the samples below.
  const int64_t needed = decoder.window.top + decoder.window.height + jpeg.max_v_samp_factor;
  const int64_t rows_read = int64_t{jpeg.input_iMCU_row} * jpeg.max_v_samp_factor * DCTSIZE;
  if (rows_read < needed || jpeg.input_iMCU_row >= jpeg.total_iMCU_rows) return;
  const uint8_t* const end = EndOfScan(decoder.source.next_input_byte, decoder.unread + decoder.unread_bytes);
  // It is called for each row of blocks, which must not look through the rest of the file again.
  decoder.has_no_end = end == nullptr;
  if (decoder.has_no_end) return;
  decoder.has_skipped = true;
  SkipInputData(&jpeg, static_cast<long>(end - decoder.source.next_input_byte));
}

void OnProgress(j_common_ptr common) {
  Decoder& decoder = Self(common);
  if (decoder.jpeg.input_scan_number > kMaxScans) {
    Fail(decoder, Status::kUnsupported, "more than %d scans", kMaxScans);
  }
  if (jpeg_has_multiple_scans(&decoder.jpeg) && !jpeg_input_complete(&decoder.jpeg)) SkipRestOfScan(decoder);
}

void SetUp(Decoder& decoder) {
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  decoder.unread = decoder.bytes;
  decoder.unread_bytes = decoder.size;
  decoder.source.bytes_in_buffer = 0;
  jpeg.err = jpeg_std_error(&decoder.error);
  decoder.error.error_exit = OnError;
  decoder.error.output_message = OnMessage;
  jpeg.client_data = &decoder;
  jpeg_create_decompress(&jpeg);  // keeps err and client_data
  decoder.source.init_source = OnSourceBeginOrEnd;
  decoder.source.fill_input_buffer = FillInputBuffer;
  decoder.source.skip_input_data = SkipInputData;
  decoder.source.resync_to_restart = jpeg_resync_to_restart;
  decoder.source.term_source = OnSourceBeginOrEnd;
  jpeg.src = &decoder.source;
  decoder.progress.progress_monitor = OnProgress;
  jpeg.progress = &decoder.progress;
}

void ReadHeader(Decoder& decoder) {
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  int found;
  do {
    found = jpeg_read_header(&jpeg, FALSE);
  } while (found == JPEG_HEADER_TABLES_ONLY);
  if (found == JPEG_SUSPENDED) Fail(decoder, Status::kTruncated, "%s", "the data end in the header");
  const JpegExpectation& expected = decoder.expected;
  if (jpeg.image_height != expected.height || jpeg.image_width != expected.width ||
      jpeg.num_components != expected.components) {
    Fail(decoder, Status::kCorrupt,
         "the file holds %u x %u pixels (height x width) of %d components, its row says %lld x "
         "%lld of %lld",
         jpeg.image_height, jpeg.image_width, jpeg.num_components, static_cast<long long>(expected.height),
         static_cast<long long>(expected.width), static_cast<long long>(expected.components));
  }
}

// Pillow treats every four-component JPEG as Adobe's, which stores 255 - ink, and converts it with rounded 8-bit
// products (Pillow, src/libImaging/Convert.c, cmyk2rgb). With c = 255 - stored ink and n = 255 - k = stored k, red is
// n - round(c * n / 255).
void ConvertInvertedCmyk(const uint8_t* stored, int64_t width, uint8_t* rgb) {
  for (int64_t column = 0; column < width; ++column) {
    const int n = stored[3];
    for (int channel = 0; channel < kChannels; ++channel) {
      const int product = (255 - stored[channel]) * n + 128;
      rgb[channel] = static_cast<uint8_t>(n - ((product + (product >> 8)) >> 8));
    }
    stored += kCmykChannels;
    rgb += kChannels;
  }
}

void ConvertInvertedCmykToLuma(const uint8_t* stored, int64_t width, uint8_t* luma) {
  for (int64_t column = 0; column < width; ++column, stored += kCmykChannels) {
    uint8_t rgb[kChannels];
    ConvertInvertedCmyk(stored, 1, rgb);
    luma[column] = Luma(rgb);
  }
}

// Fails if the data have ended. libjpeg may return rows that were complete by then, but must not be called again: it
// goes back to the start of the interrupted MCU, which may lie in an earlier block.
void CheckRowsFollow(Decoder& decoder) {
  if (!decoder.data_ended) return;
  Fail(decoder, Status::kTruncated, "the data end in row %u of %u", decoder.jpeg.output_scanline,
       decoder.jpeg.output_height);
}

// The part of each decoded row that belongs to the window: from pixel `skipped` on. Decoded rows may be wider than the
// window.
struct Columns {
  bool are_all;  // the decoded row is the window's
  int64_t skipped;
};

// Restricts decoding to the columns that the window needs.
Columns CropColumns(Decoder& decoder) {
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  const Window& window = decoder.window;
  JDIMENSION left = 0;
  if (decoder.may_skip) {
    const int64_t right = std::min<int64_t>(window.left + window.width + kColumnMargin, jpeg.output_width);
    left = static_cast<JDIMENSION>(std::max<int64_t>(window.left - kColumnMargin, 0));
    JDIMENSION width = static_cast<JDIMENSION>(right - left);
    jpeg_crop_scanline(&jpeg, &left, &width);  // moves `left` to the start of a block
  }
  return {window.width == jpeg.output_width, window.left - left};
}

void SkipRows(Decoder& decoder, JDIMENSION count) {
  if (count == 0) return;
  jpeg_skip_scanlines(&decoder.jpeg, count);
  CheckRowsFollow(decoder);
}

// Reads and drops the rows above `bottom`.
void ReadAndDropRows(Decoder& decoder, JDIMENSION bottom, JSAMPARRAY scratch) {
  while (decoder.jpeg.output_scanline < bottom) {
    jpeg_read_scanlines(&decoder.jpeg, scratch, std::min(kRowsAtATime, bottom - decoder.jpeg.output_scanline));
    CheckRowsFollow(decoder);
  }
}

void ReadWindow(Decoder& decoder, const Columns& columns, JSAMPARRAY scratch) {
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  const Window& window = decoder.window;
  const bool is_cmyk = jpeg.out_color_components == kCmykChannels;
  const bool direct = columns.are_all && !is_cmyk;
  const int64_t skipped_bytes = columns.skipped * jpeg.out_color_components;
  for (int64_t done = 0; done < window.height;) {
    JSAMPROW rows[kRowsAtATime];
    const JDIMENSION wanted = static_cast<JDIMENSION>(std::min<int64_t>(kRowsAtATime, window.height - done));
    uint8_t* target = decoder.target + done * decoder.target_stride;
    for (JDIMENSION row = 0; row < wanted; ++row)
      rows[row] = direct ? target + row * decoder.target_stride : scratch[row] + kUnaligned;
    const JDIMENSION read = jpeg_read_scanlines(&jpeg, rows, wanted);
    CheckRowsFollow(decoder);
    for (JDIMENSION row = 0; row < read && !direct; ++row, target += decoder.target_stride) {
      const uint8_t* stored = rows[row] + skipped_bytes;
      if (!is_cmyk) {
        std::memcpy(target, stored, window.width * decoder.target_channels);
      } else if (decoder.target_channels == kChannels) {
        ConvertInvertedCmyk(stored, window.width, target);
      } else {
        ConvertInvertedCmykToLuma(stored, window.width, target);
      }
    }
    done += read;
  }
}

// Returns whether the data may end before the image does, which libjpeg has not noticed if only a window was read.
// Truncated data have no end marker: within a scan, its two bytes cannot mean anything else.
bool MayEndEarly(const Decoder& decoder) {
  const uint8_t* at = decoder.source.next_input_byte;
  const uint8_t* end = decoder.unread + decoder.unread_bytes;
  while ((at = static_cast<const uint8_t*>(std::memchr(at, 0xFF, end - at))) != nullptr) {
    if (++at == end) return true;
    if (*at == JPEG_EOI) return false;
  }
  return true;
}

// Reads the header, and if the file has several scans, all of it.
void Start(Decoder& decoder) {
  SetUp(decoder);
  ReadHeader(decoder);
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  jpeg.out_color_space = decoder.target_channels == kChannels ? JCS_RGB : JCS_GRAYSCALE;
  if (jpeg.num_components == kCmykChannels) jpeg.out_color_space = JCS_CMYK;
  if (!jpeg_start_decompress(&jpeg)) {
    Fail(decoder, Status::kTruncated, "the data end in scan %d", jpeg.input_scan_number);
  }
}

// Whether libjpeg smooths the image, since a progressive file's scans do not give every bit of every coefficient.
bool IsSmoothed(const jpeg_decompress_struct& jpeg) {
  if (jpeg.coef_bits == nullptr) return false;  // not progressive
  const int* const bits = jpeg.coef_bits[0];
  return std::any_of(bits, bits + jpeg.num_components * DCTSIZE2, [](int missing) { return missing != 0; });
}

void RunDecoder(Decoder& decoder) {
  jpeg_decompress_struct& jpeg = decoder.jpeg;
  decoder.may_skip = true;
  Start(decoder);
  if (IsSmoothed(jpeg)) {
    // Smoothing reads neighbouring blocks, so the image is decoded whole.
    decoder.may_skip = false;
    if (decoder.has_skipped) {
      jpeg_destroy_decompress(&jpeg);
      Start(decoder);
    }
  }
  const bool has_one_scan = !jpeg_has_multiple_scans(&jpeg);
  const Columns columns = CropColumns(decoder);
  const JDIMENSION row_bytes = jpeg.output_width * static_cast<JDIMENSION>(jpeg.out_color_components);
  JSAMPARRAY scratch =
      jpeg.mem->alloc_sarray(reinterpret_cast<j_common_ptr>(&jpeg), JPOOL_IMAGE, row_bytes + kUnaligned, kRowsAtATime);
  const JDIMENSION top = static_cast<JDIMENSION>(decoder.window.top);
  if (decoder.may_skip) {
    SkipRows(decoder, top);
  } else {
    ReadAndDropRows(decoder, top, scratch);
  }
  ReadWindow(decoder, columns, scratch);
  if (jpeg.output_scanline < jpeg.output_height) {
    // The rest of the image is not needed; this only checks that it exists.
    if (has_one_scan && MayEndEarly(decoder)) ReadAndDropRows(decoder, jpeg.output_height, scratch);
    return;
  }
  decoder.has_all_rows = true;
  // As in Pillow, garbage before the end marker is an error; a missing end marker is not.
  jpeg_finish_decompress(&jpeg);
}

// A function of its own, so that no local variable lives across setjmp.
void RunGuarded(Decoder& decoder) {
  if (setjmp(decoder.on_error) == 0) RunDecoder(decoder);
}

}  // namespace

JpegResult DecodeJpeg(const uint8_t* bytes, size_t size, const JpegExpectation& expected, const Window& window,
                      uint8_t* target, int64_t target_stride, int64_t channels) noexcept {
  JpegResult result;
  Decoder decoder = {};
  decoder.bytes = bytes;
  decoder.size = size;
  decoder.expected = expected;
  decoder.window = window;
  decoder.target = target;
  decoder.target_stride = target_stride;
  decoder.target_channels = channels;
  decoder.result = &result;
  RunGuarded(decoder);
  jpeg_destroy_decompress(&decoder.jpeg);
  return result;
}

}  // namespace jaxdali::cpu
