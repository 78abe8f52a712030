// A batch of files as kernels see it. Arrays are on the device, or on the host for the model (jpeg/model.h).
#ifndef JAXDALI_JPEG_BATCH_H_
#define JAXDALI_JPEG_BATCH_H_

#include <cstdint>

#include "base/portable.h"
#include "jpeg/file_header.h"
#include "jpeg/script.h"

namespace jaxdali::jpeg {

// A file's entropy-coded data are cut into pieces of equal length, and one lane decodes each piece.
inline constexpr uint32_t kWordBits = 32;
// The length of a lane's piece, which depends on how much data there is: short pieces keep a device busy with few
// files, long ones take less work.
inline constexpr uint32_t kShortLaneWords = 32, kLongLaneWords = 64;
inline constexpr uint32_t kCheckpoints = 4;  // of a piece, where lanes compare states
// Lanes that share one set of tables, because they are one block of threads.
inline constexpr uint32_t kLanesTogether = 128;
// The most words of other pieces that a lane decodes until it agrees with their lanes. 20 kbit are normal; white noise
// and large blank areas need more, and are left to the host.
inline constexpr uint32_t kMostPassedWords = 1792;
// How many blocks of pixels, and how many runs of pixels, one block of threads makes.
inline constexpr uint32_t kBlocksTogether = 128;
inline constexpr uint32_t kRunPixels = 8;
inline constexpr uint32_t kRunsTogether = 128;
// A lane that completes its last block reads at most this many words after its data.
inline constexpr uint32_t kWordsBehind = 64;

// The device's verdict on a file: it was decoded, or the host has to decode it.
enum class Verdict : int32_t { kDecoded = 0, kRefused = 1 };

struct Plane {
  uint64_t at;             // bytes from the start of `Batch::planes`
  uint32_t stride;         // bytes, a multiple of 8
  uint32_t height, width;  // in samples of the image; blocks may hold more
};

// The entropy-coded data of a scan.
struct Stream {
  uint64_t at;     // where they begin, in bytes from `Batch::scans`
  uint32_t bytes;  // the most that they may take
  uint32_t picture;
  uint32_t first_lane;
  uint32_t first_segment, segments;
  uint32_t first_block, blocks;  // a progressive file's scan counts its blocks from 0
  uint32_t restart_blocks;       // of a segment
  uint8_t end;                   // the code of the marker behind them
};

struct Picture {
  uint32_t script;             // the index of a progressive file's script; kNone for others
  uint32_t first_lane, lanes;  // none if progressive
  uint32_t first_block, blocks, blocks_of_mcu;
  uint32_t restart_blocks;  // of a segment, if not progressive
  uint32_t mcus_across;
  uint32_t quantizers;  // index of the first of three
  uint8_t components, luma_across, luma_down;
  bool is_ycc;
  Plane planes[3];
  uint32_t height, width;
  uint8_t* pixels;  // RGB, or luma
  uint64_t pitch;   // bytes from row to row
};

// How samples become pixels: RGB, with chroma that is repeated or, if `is_fancy`, interpolated as libjpeg-turbo does by
// default; or luma alone.
struct Coloring {
  bool is_fancy, is_luma;
};

// The data between two restart markers.
struct Segment {
  uint32_t picture;
  uint32_t first_lane;
  uint32_t bits;
  uint32_t first_block, blocks;
};

// The true state at which a lane starts writing.
struct Entry {
  uint32_t state;  // packed, see PackState
  uint32_t block;  // that it begins in
};

// A group of kRunsTogether runs of pixels, by its first run.
struct RunGroup {
  uint32_t picture, first;
};

struct Batch {
  uint32_t lane_words, checkpoint_words, most_passed;
  uint32_t pictures_count, streams_count, lanes, blocks, run_groups_count;
  // Made by the host.
  const uint8_t* scans;
  const Stream* streams;
  const Picture* pictures;
  const uint32_t* tables;             // sets of kTableWords
  const uint32_t* set_of_lanes;       // for each kLanesTogether lanes
  const uint16_t* quantizers;         // [.., 64]
  const uint32_t* picture_of_blocks;  // for each kBlocksTogether blocks; or kNone
  const RunGroup* run_groups;
  // Made by the device.
  int32_t* verdicts;  // one per picture, initially zeros
  uint32_t* words;    // [lanes, lane_words] and kWordsBehind more, initially zeros
  Segment* segments;
  uint32_t* segment_of_lane;  // initially kNone, which remains if a lane's piece is empty
  uint32_t* checkpoints;      // [lanes, kCheckpoints]
  uint32_t* passed;           // [most_passed, lanes]
  uint32_t* links;            // [lanes]
  uint32_t* merged;           // [lanes]
  Entry* entries;             // [lanes]
  int16_t* coefficients;      // [blocks, 64] in zigzag order
  int32_t* dc;                // [blocks]
  uint8_t* planes;
  Progressive progressive;
};

// Where everything that the device makes is stored, in one piece of memory.
struct Scratch {
  uint64_t verdicts, words, masks, progress, segments, segment_of_lane, checkpoints, passed, links, merged, entries,
      coefficients, dc, planes, lookups, starts;
  uint64_t cleared_bytes;  // at the start of the memory, initially zeros
  uint64_t lane_bytes;     // of `segment_of_lane`, initially kNone everywhere
  uint64_t bytes;
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_BATCH_H_
