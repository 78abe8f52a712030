// What the host prepares for a batch: descriptors, tables, and the layout of memory.
#ifndef JAXDALI_JPEG_PLAN_H_
#define JAXDALI_JPEG_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jpeg/batch.h"
#include "jpeg/extents.h"
#include "jpeg/file_header.h"
#include "jpeg/script_plan.h"
#include "jpeg/tables.h"

namespace jaxdali::jpeg {

// Where pixels go: the first pixel, and the bytes from row to row.
struct Target {
  uint8_t* pixels;
  uint64_t pitch;
};

// Limit on the memory for a window's coefficients and samples; a larger picture has a window of its own.
inline constexpr uint64_t kMostWindowBytes = uint64_t{384} << 20;

// To be used by one thread. Keeps its memory from batch to batch.
class Plan {
 public:
  // Starts over, with windows of `most_window_bytes` at most.
  void Begin(uint64_t most_window_bytes);

  // Adds a set of tables for pictures that follow. Returns its index.
  uint32_t AddTables(const TableSet& tables);

  // Adds a file with its tables, of which a progressive file has none here. It has `scan_bytes` of entropy-coded data,
  // according to `ScanBytes`, at offset `at` of the files' data on the device. Returns false if the file is not for
  // this decoder, because there is no room for what it claims to be.
  bool Add(const Header& image, uint32_t tables, uint64_t at, uint64_t scan_bytes, const Target& target);

  size_t size() const { return pictures_.size(); }
  // How the pictures are divided, in order.
  const std::vector<Window>& windows() const { return windows_; }

  // Returns how many bytes `Write` writes: everything that the host makes for the device.
  size_t DescriptorBytes() const;
  Scratch MakeScratch() const;

  // Writes descriptors to `to`. Returns the batch with pointers for descriptors at `descriptors`, entropy-coded data at
  // `scans` and scratch memory at `memory`, which may be on the device.
  Batch Write(uint8_t* to, const uint8_t* descriptors, const uint8_t* scans, uint8_t* memory) const;

 private:
  // Add what is to be read, if there is room.
  bool AddLanes(const Header& image, const Counts& counts, uint32_t tables, uint64_t at, uint64_t scan_bytes,
                Picture* picture);
  bool AddScans(const Header& image, uint64_t at, Picture* picture);
  void PlacePlanes(const Header& image, Picture* picture);
  // Begins a window with the next picture if what it takes does not fit into the last one.
  void MakeRoom(const Header& image);
  // Extends the last window to everything that was added.
  void ExtendWindow();

  std::vector<Picture> pictures_;
  std::vector<uint32_t> tables_, set_of_lanes_, picture_of_blocks_;
  std::vector<uint16_t> quantizers_;
  std::vector<Chunk> chunks_, lane_chunks_, dc_chunks_, run_chunks_;
  std::vector<Window> windows_;
  std::vector<Stream> streams_;
  ScriptPlan scripts_;
  uint64_t lanes_ = 0, scan_lanes_ = 0, segments_ = 0, blocks_ = 0;
  uint64_t most_window_bytes_ = 0;
  uint64_t window_bytes_ = 0, plane_bytes_ = 0;             // of the last window
  uint64_t most_window_blocks_ = 0, most_plane_bytes_ = 0;  // of any
  uint32_t last_set_ = kNone;
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_PLAN_H_
