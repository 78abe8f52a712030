#include "records/row_reader.h"

#include <algorithm>
#include <utility>

namespace jaxdali::records {
namespace {

// The most files that one reader has open.
constexpr size_t kMostOpen = 32;

}  // namespace

RecordReader::RecordReader(Places places) : places_(std::move(places)), files_(places_.paths.size()) {}

void RecordReader::Pause() {
  for (const size_t file : open_) files_[file]->Forget();
}

ByteWindow* RecordReader::Find(int64_t index, uint64_t* place, uint64_t* size) {
  if (index < 0 || index >= places_.count) return nullptr;
  const int64_t* const bounds = places_.bounds;
  const auto file = static_cast<size_t>(std::upper_bound(bounds, bounds + files_.size() + 1, index) - bounds - 1);
  if (file >= files_.size()) return nullptr;
  std::unique_ptr<ByteWindow>& window = files_[file];
  if (window == nullptr) {
    if (open_.size() >= kMostOpen) {
      files_[open_.front()].reset();
      open_.erase(open_.begin());
    }
    auto opened = std::make_unique<ByteWindow>();
    if (!opened->Open(places_.paths[file])) return nullptr;
    window = std::move(opened);
    open_.push_back(file);
  }
  *place = static_cast<uint64_t>(places_.places[2 * index]);
  *size = static_cast<uint64_t>(places_.places[2 * index + 1]);
  return window->Begin(*place, *size) ? window.get() : nullptr;
}

}  // namespace jaxdali::records
