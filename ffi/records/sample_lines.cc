#include <algorithm>
#include <charconv>

#include "records/walk.h"

namespace jaxdali::records {
namespace {

void AppendNumber(int64_t number, std::string* text) {
  char digits[24];
  text->append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

}  // namespace

std::string SampleLines(std::string_view names, const int64_t* places, size_t* count) {
  std::string text;
  std::string_view current;
  bool begun = false, written = false;
  *count = 0;
  for (; !names.empty(); places += 2) {
    const std::string_view name = names.substr(0, names.find('\0'));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const size_t slash = name.rfind('/'), base = slash == std::string_view::npos ? 0 : slash + 1;
    if (base < name.size() && name[base] == '.') continue;
    const size_t dot = std::min(name.find('.', base), name.size());
    const std::string_view key = name.substr(0, dot);
    if (!begun || key != current) {
      if (written) text += '\n';
      begun = true;
      written = false;
      current = key;
    }
    if (dot + 1 >= name.size()) continue;
    if (written) text += ' ';
    *count += !written;
    written = true;
    text += name.substr(dot + 1);
    text += ' ';
    AppendNumber(places[0], &text);
    text += ' ';
    AppendNumber(places[1], &text);
    text += ' ';
    text += name;
  }
  if (written) text += '\n';
  return text;
}

}  // namespace jaxdali::records
