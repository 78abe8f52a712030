// What the host prepares for the progressive files of a batch; part of a plan.
#ifndef JAXDALI_JPEG_SCRIPT_PLAN_H_
#define JAXDALI_JPEG_SCRIPT_PLAN_H_

#include <cstdint>
#include <vector>

#include "jpeg/batch.h"
#include "jpeg/file_header.h"
#include "jpeg/layout.h"

namespace jaxdali::jpeg {

// Keeps its memory from batch to batch.
class ScriptPlan {
 public:
  void Begin();

  // Whether there is room for a file's scans.
  bool HasRoomFor(const Header& image) const;

  // Adds a picture's scans, whose streams begin with number `stream`. Returns the number of its script.
  uint32_t Add(const Header& image, uint32_t picture, uint32_t stream);

  size_t gatherings_count() const { return gatherings_.size(); }

  uint64_t DescriptorBytes() const;
  // Adds what the device makes to layouts of memory that it clears, and of memory that it does not.
  void PlaceCleared(Layout* layout, Scratch* scratch) const;
  void Place(Layout* layout, Scratch* scratch) const;

  // Writes descriptors. Returns the batch's part with pointers.
  Progressive Write(ArrayWriter* writer, const Scratch& scratch, uint8_t* memory) const;

 private:
  // Adds scans, given by their places in the file, that may be walked together.
  void AddScans(const Header& image, const std::vector<uint32_t>& places, const ScriptScan& like, uint32_t stream,
                uint32_t level);
  void AddRasters(const Header& image, Script* script);

  std::vector<Codes> codes_;
  std::vector<ScriptScan> scans_;
  std::vector<Script> scripts_;
  std::vector<std::vector<Walk>> walks_;  // by level
  std::vector<Gathering> gatherings_;
  uint64_t walks_count_ = 0, starts_ = 0, masks_ = 0;
};

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_SCRIPT_PLAN_H_
