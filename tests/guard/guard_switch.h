// The switch of mutations in C++; guard_switch.py says what the variables mean. It is copied beside the sources.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace guard {

inline void note(const char* notes, int number) {
  const char* test = std::getenv("PYTEST_CURRENT_TEST");
  if (test == nullptr) return;
  static std::mutex mutex;
  static std::set<std::pair<int, std::string>> noted;
  std::lock_guard<std::mutex> lock(mutex);
  if (!noted.emplace(number, test).second) return;
  if (std::FILE* file = std::fopen(notes, "a")) {
    std::fprintf(file, "%d\t%s\n", number, test);
    std::fclose(file);
  }
}

inline bool on(int number) {
  static const char* chosen = std::getenv("JAXDALI_MUTATION");
  static const int value = chosen == nullptr ? 0 : std::atoi(chosen);
  static const char* notes = std::getenv("JAXDALI_REACHED");
  if (notes != nullptr) note(notes, number);
  return number == value;
}

}  // namespace guard
