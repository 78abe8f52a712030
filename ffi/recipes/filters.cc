#include "recipes/filters.h"

#include <cmath>

namespace jaxdali {
namespace {

constexpr double kPi = 3.14159265358979323846;

double Triangular(double x) { return 1.0 - std::fabs(x); }

double Gaussian(double x) { return std::exp(-4.0 * x * x); }

// Keys' kernel with a = -0.5.
double Cubic(double x) {
  x = std::fabs(x);
  if (x >= 2.0) return 0.0;
  const double x2 = x * x, x3 = x2 * x;
  if (x > 1.0) return -0.5 * x3 + 2.5 * x2 - 4.0 * x + 2.0;
  return 1.5 * x3 - 2.5 * x2 + 1.0;
}

double Sinc(double x) { return x == 0.0 ? 1.0 : std::sin(kPi * x) / (kPi * x); }

double Lanczos3(double x) { return std::fabs(x) >= 3.0 ? 0.0 : Sinc(x) * Sinc(x / 3.0); }

// Computed in double precision, so that each sample is the nearest float.
template <int kSize>
void Sample(double (*kernel)(double), int steps_a_pixel, float (&samples)[kSize]) {
  for (int index = 0; index < kSize; ++index) {
    const double x = static_cast<double>(index - kSize / 2) / static_cast<double>(steps_a_pixel);
    samples[index] = static_cast<float>(kernel(x));
  }
}

FilterTables MakeTables() {
  FilterTables tables;
  Sample(Triangular, 1, tables.triangular);
  Sample(Gaussian, 32, tables.gaussian);
  Sample(Cubic, 32, tables.cubic);
  Sample(Lanczos3, 32, tables.lanczos3);
  return tables;
}

}  // namespace

const FilterTables& HostFilterTables() {
  static const FilterTables tables = MakeTables();
  return tables;
}

}  // namespace jaxdali
