#include "common/filters.h"

#include <algorithm>
#include <cmath>

namespace jaxdali {
namespace {

constexpr double kPi = 3.14159265358979323846;

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
FilterTable Sampled(double (*kernel)(double), int64_t radius, int64_t steps_a_pixel) {
  FilterTable table = {{}, static_cast<float>(radius)};
  const int64_t half = radius * steps_a_pixel;
  for (int64_t index = -half; index <= half; ++index) {
    table.samples.push_back(
        static_cast<float>(kernel(static_cast<double>(index) / static_cast<double>(steps_a_pixel))));
  }
  return table;
}

}  // namespace

const FilterTable& TableOf(Filter filter) {
  static const FilterTable triangular = {{0.0f, 1.0f, 0.0f}, 1.0f};
  static const FilterTable gaussian = Sampled(Gaussian, 1, 32);
  static const FilterTable cubic = Sampled(Cubic, 2, 32);
  static const FilterTable lanczos3 = Sampled(Lanczos3, 3, 32);
  switch (filter) {
    case Filter::kGaussian:
      return gaussian;
    case Filter::kCubic:
      return cubic;
    case Filter::kLanczos3:
      return lanczos3;
    default:
      return triangular;
  }
}

float SupportOf(Filter filter, float scale) {
  const float width = 2.0f * (TableOf(filter).radius * std::max(1.0f, scale));
  if (filter != Filter::kGaussian) return width;
  // By its sigma.
  const float sigma = static_cast<float>(static_cast<double>(width) * 0.25 / std::sqrt(2.0));
  return std::max(1.0f, static_cast<float>(4.0 * std::sqrt(2.0)) * sigma);
}

}  // namespace jaxdali
