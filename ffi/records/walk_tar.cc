#include <cstring>
#include <optional>
#include <string_view>

#include "records/forward.h"
#include "records/tar_head.h"
#include "records/walk.h"

namespace jaxdali::records {
namespace {

// The most bytes that may be said about a member; more is unusual.
constexpr uint64_t kMostWords = uint64_t{1} << 16;
constexpr size_t kMostDigits = 18;

using Text = std::string_view;

// What GNU's and PAX's heads say about the next member.
struct Told {
  std::optional<std::string> path;
  std::optional<uint64_t> size;
};

// Reads lines "LENGTH KEY=VALUE", each as long as it says. Returns false for anything unusual.
bool ReadPax(Text words, Told* told) {
  while (!words.empty()) {
    const size_t blank = words.find(' ');
    if (blank == Text::npos || blank > 8) return false;
    const std::optional<uint64_t> length = Digits(words.substr(0, blank), 10);
    if (!length || *length <= blank + 1 || *length > words.size() || words[*length - 1] != '\n') return false;
    const Text line = words.substr(blank + 1, *length - blank - 2);
    const size_t sign = line.find('=');
    if (sign == Text::npos || line.find('\0') != Text::npos) return false;
    const Text key = line.substr(0, sign), value = line.substr(sign + 1);
    if (key.substr(0, 10) == "GNU.sparse") return false;
    if (key == "path") told->path = value;
    if (key == "size") {
      told->size = value.size() > kMostDigits ? std::nullopt : Digits(value, 10);
      if (!told->size) return false;
    }
    words.remove_prefix(*length);
  }
  return true;
}

Text Field(const uint8_t* head, size_t begin, size_t size) {
  const Text field(reinterpret_cast<const char*>(head) + begin, size);
  return field.substr(0, field.find('\0'));
}

void AppendName(const uint8_t* head, const Told& told, std::string* names) {
  if (told.path) {
    *names += *told.path;
  } else {
    if (std::memcmp(head + 257, "ustar\0", 6) == 0 && head[345] != 0) {
      *names += Field(head, 345, 155);
      *names += '/';
    }
    *names += Field(head, 0, 100);
  }
  *names += '\0';
}

}  // namespace

Walk WalkTar(const std::string& path, uint64_t offset, size_t most) {
  Forward file(path);
  Walk found;
  found.next = offset;
  Told told;
  // Each turn reads one head. Before that of a member there may be others that describe the member.
  for (uint64_t place = offset; found.places.size() < 2 * most;) {
    const uint8_t* const head = file.Head(place, kTarBlock);
    if (head == nullptr || !TarSumIsRight(head)) break;
    const char kind = static_cast<char>(head[156]);
    const bool tells = kind == 'L' || kind == 'K' || kind == 'x', is_file = TarHeadIsOfFile(head);
    // A stated size counts for the next head, whatever that is; if that one describes another member, this is unusual.
    // So are links: whoever reads their heads can tell that they are left out.
    if ((tells && told.size) || (!tells && !is_file && Text("3456DVMNX").find(kind) == Text::npos)) break;
    std::optional<uint64_t> size = told.size ? told.size : TarNumber(head + 124, 12);
    if (size && !tells && !is_file) size = 0;
    if (!size || *size > file.Left(place) - kTarBlock) break;
    if (tells) {
      if (*size > kMostWords) break;
      const auto* const bytes = reinterpret_cast<const char*>(file.Head(place + kTarBlock, *size));
      if (bytes == nullptr) break;
      Text words(bytes, *size);
      if (kind == 'L') {
        while (!words.empty() && words.back() == '\0') words.remove_suffix(1);
        if (words.find('\0') != Text::npos) break;
        told.path = words;
      } else if (kind == 'x') {
        told = {};
        if (!ReadPax(words, &told)) break;
      }
    } else if (is_file) {
      AppendName(head, told, &found.names);
      found.places.push_back(static_cast<int64_t>(place + kTarBlock));
      found.places.push_back(static_cast<int64_t>(*size));
    }
    place += kTarBlock + (*size + kTarBlock - 1) / kTarBlock * kTarBlock;
    if (!tells) {
      told = {};
      found.next = place;
    }
  }
  return found;
}

}  // namespace jaxdali::records
