#include "jpeg/prepare.h"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace jaxdali::jpeg {
namespace {

// Everything that tables are made from.
struct Specs {
  const Header* image;

  bool operator==(const Specs& other) const {
    const Header &a = *image, &b = *other.image;
    return a.components == b.components && a.sampling == b.sampling && a.dc == b.dc && a.ac == b.ac;
  }
};

struct HashSpecs {
  size_t operator()(const Specs& specs) const {
    size_t hash = static_cast<size_t>(specs.image->components) * 8 + static_cast<size_t>(specs.image->sampling);
    const auto mix = [&hash](const HuffmanSpec& spec) {
      const auto text = [](const auto& bytes) {
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      };
      hash = hash * 31 + std::hash<std::string_view>()(text(spec.counts));
      hash = hash * 31 + std::hash<std::string_view>()(text(spec.symbols));
    };
    for (const HuffmanSpec& spec : specs.image->dc) mix(spec);
    for (const HuffmanSpec& spec : specs.image->ac) mix(spec);
    return hash;
  }
};

// Numbers the distinct sets of tables.
class TableSets {
 public:
  explicit TableSets(Plan* plan) : plan_(plan) {}

  // Returns the index of an image's set; nullopt if its tables are not for this decoder.
  std::optional<uint32_t> Of(const Header& image) {
    // Most batches have only one set.
    if (last_ != nullptr && Specs{&image} == Specs{last_}) return last_set_;
    last_ = &image;
    const auto [entry, is_new] = sets_.try_emplace(Specs{&image}, std::nullopt);
    if (is_new && MakeTables(image, &tables_)) entry->second = plan_->AddTables(tables_);
    return last_set_ = entry->second;
  }

 private:
  Plan* plan_;
  std::unordered_map<Specs, std::optional<uint32_t>, HashSpecs> sets_;
  const Header* last_ = nullptr;
  std::optional<uint32_t> last_set_;
  TableSet tables_;
};

}  // namespace

std::vector<size_t> Prepare(const std::vector<File>& files, Plan* plan, uint64_t most_window_bytes) {
  plan->Begin(most_window_bytes);
  TableSets sets(plan);
  std::vector<size_t> others;
  for (size_t index = 0; index < files.size(); ++index) {
    const File& file = files[index];
    const std::optional<uint32_t> set = file.image->is_progressive() ? kNone : sets.Of(*file.image);
    if (!set || !plan->Add(*file.image, *set, file.at, file.scan_bytes, file.target)) others.push_back(index);
  }
  return others;
}

}  // namespace jaxdali::jpeg
