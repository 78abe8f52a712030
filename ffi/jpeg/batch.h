// A batch of files as kernels see it. Arrays are on the device, or on the host for the model (jpeg/model.h).
#ifndef JAXDALI_JPEG_BATCH_H_
#define JAXDALI_JPEG_BATCH_H_

#include <cstdint>

#include "base/portable.h"
#include "base/team.h"
#include "jpeg/file_header.h"
#include "jpeg/script.h"

namespace jaxdali::jpeg {

// A file's entropy-coded data are cut into pieces of equal length, and one lane decodes each piece.
inline constexpr uint32_t kWordBits = 32;
inline constexpr uint32_t kLaneWords = 32;   // of a piece
inline constexpr uint32_t kCheckpoints = 4;  // of a piece, where lanes compare states
inline constexpr uint32_t kCheckpointWords = kLaneWords / kCheckpoints;
// Lanes that share one set of tables, because they are one block of threads.
inline constexpr uint32_t kLanesTogether = 128;
// The most words of other pieces that a lane decodes until it agrees with their lanes. 20 kbit are normal; white noise
// and large blank areas need more, and are left to the host.
inline constexpr uint32_t kMostPassedWords = 1792, kMostPassed = kMostPassedWords / kLaneWords;
// Entropy-coded data are unpacked in chunks of kChunkBytes; each of a team's threads looks at kThreadBytes of them.
inline constexpr uint32_t kThreadBytes = 32;
inline constexpr uint32_t kChunkBytes = kTeam * kThreadBytes;
// How many MCUs a thread adds DC coefficients of, and a team.
inline constexpr uint32_t kThreadMcus = 4;
inline constexpr uint32_t kMcusTogether = kTeam * kThreadMcus;
// How many blocks of pixels, and how many runs of pixels, one block of threads makes.
inline constexpr uint32_t kBlocksTogether = 128;
inline constexpr uint32_t kRunPixels = 8;
inline constexpr uint32_t kRunsTogether = 128, kRunsOfThread = 4;
inline constexpr uint32_t kRunsOfGroup = kRunsTogether * kRunsOfThread;
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
  uint32_t first_chunk;
  uint32_t first_lane;
  uint32_t first_segment, segments;
  uint32_t first_block, blocks;  // a progressive file's scan counts its blocks from 0
  uint32_t restart_blocks;       // of a segment
  uint8_t end;                   // the code of the marker behind them
};

struct Picture {
  uint32_t script;             // the index of a progressive file's script; kNone for others
  uint32_t first_lane, lanes;  // none if progressive, nor any of the next two
  uint32_t last_segment;
  uint32_t first_lane_chunk, first_dc_chunk;
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

// Part of a picture or of a stream (`of`) for one team, by the first of its bytes, lanes, MCUs or runs of pixels.
struct Chunk {
  uint32_t of, first;
};

// What a chunk of a stream holds, up to a marker that ends the data.
enum class ChunkEnd : uint32_t { kNone, kSound, kUnsound };
struct Tally {
  uint32_t bytes, restarts;  // of data; restart markers
  uint32_t first, last;      // bytes of data before the first and the last of these markers
  uint32_t lanes;            // that segments between them take
  ChunkEnd end;
};

// The state at the start of such a chunk.
struct ChunkStart {
  uint32_t bytes;       // of data before it
  uint32_t segment;     // that it begins in; kNone if nothing in it is data
  uint32_t first_lane;  // of that segment,
  uint32_t first_byte;  // and how many bytes of data come before it
};

// Pictures whose coefficients and samples are in memory together. The next window's take their place.
struct Window {
  uint32_t first_group, groups;  // of kLanesTogether lanes
  uint32_t first_block, blocks;
  uint32_t first_dc_chunk, dc_chunks;
  uint32_t first_gathering, gatherings;
  uint32_t first_run_chunk, run_chunks;
};

struct Batch {
  uint32_t pictures_count, streams_count, chunks_count, lanes, lane_chunks_count;
  Window window;  // that is being made
  // Made by the host.
  const uint8_t* scans;
  const Stream* streams;
  const Chunk* chunks;       // of streams, kChunkBytes each
  const Chunk* lane_chunks;  // of pictures, kTeam lanes each
  const Chunk* dc_chunks;    // of pictures, kMcusTogether MCUs each
  const Chunk* run_chunks;   // of pictures, kRunsOfGroup runs each
  const Picture* pictures;
  const uint32_t* tables;             // sets of kTableWords
  const uint32_t* set_of_lanes;       // for each kLanesTogether lanes
  const uint16_t* quantizers;         // [.., 64]
  const uint32_t* picture_of_blocks;  // for each kBlocksTogether blocks; or kNone
  // Made by the device.
  int32_t* verdicts;         // one per picture, initially zeros
  uint32_t* words;           // [lanes, kLaneWords] and kWordsBehind more, initially zeros
  Tally* tallies;            // [chunks_count]
  ChunkStart* chunk_starts;  // [chunks_count]
  Segment* segments;
  uint32_t* segment_of_lane;  // initially kNone, which remains if a lane's piece is empty
  uint32_t* checkpoints;      // [lanes, kCheckpoints]
  uint32_t* passed;           // [kMostPassed, lanes]
  uint32_t* links;            // [lanes]
  uint32_t* merged;           // [lanes]
  uint32_t* ended;            // [lanes]
  uint32_t* ended_sums;       // [lane_chunks_count]
  Entry* entries;             // [lanes]
  int32_t* dc;                // of all blocks
  uint32_t* dc_sums;          // of all DC chunks, [.., kMostComponents]
  int16_t* coefficients;      // [window.blocks, 64] in zigzag order
  uint8_t* planes;            // of the window
  Progressive progressive;
};

// Where everything that the device makes is stored, in one piece of memory.
struct Scratch {
  uint64_t verdicts, words, masks, progress, tallies, chunk_starts, segments, segment_of_lane, checkpoints, passed,
      links, merged, ended, ended_sums, entries, dc, dc_sums, coefficients, planes, lookups, starts;
  uint64_t cleared_bytes;  // at the start of the memory, initially zeros
  uint64_t lane_bytes;     // of `segment_of_lane`, initially kNone everywhere
  uint64_t bytes;
};

// Returns where a block's coefficients are; its picture must be in the window.
JAXDALI_PORTABLE int16_t* CoefficientsOf(const Batch& batch, uint32_t block) {
  return batch.coefficients + uint64_t{block - batch.window.first_block} * kBlockSize;
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_BATCH_H_
