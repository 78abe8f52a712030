// Turns the results of a call's rows into the result of the call.
#ifndef JAXDALI_HANDLING_ROW_FAILURES_H_
#define JAXDALI_HANDLING_ROW_FAILURES_H_

#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "rows/row_checks.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali {

using cpu::RowResult;

// The first failed row, so that a batch always fails with the same message, however its rows were distributed. A row
// without an image has not failed.
class FirstFailure {
 public:
  void Note(int64_t row, RowResult result) noexcept {
    if (result.status == Status::kMissing) return;
    std::lock_guard<std::mutex> lock(mutex_);
    if (row >= row_) return;
    row_ = row;
    result_ = std::move(result);
  }
  bool Exists() const { return row_ != kNone; }
  int64_t row() const { return row_; }
  const RowResult& result() const { return result_; }

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  std::mutex mutex_;
  int64_t row_ = kNone;
  RowResult result_;
};

// Returns the result of a call when all of its rows are done.
inline xla::ffi::Error JudgeRows(const std::string& target, bool raise_on_error, int64_t count, int32_t device,
                                 const FirstFailure& failure, const FirstFailure& exhaustion) {
  // A device counts only its own rows: it does not know the rest of a sharded batch.
  const std::string place = " (of the " + std::to_string(count) + " rows of device " + std::to_string(device) + ")";
  if (exhaustion.Exists()) {
    return xla::ffi::Error(
        xla::ffi::ErrorCode::kResourceExhausted,
        target + ": row " + std::to_string(exhaustion.row()) + ": no memory left to decode the image in" + place);
  }
  if (raise_on_error && failure.Exists()) {
    return xla::ffi::Error::InvalidArgument(target + ": row " + std::to_string(failure.row()) + ": " +
                                            StatusName(failure.result().status) + ": " + failure.result().message +
                                            place);
  }
  return xla::ffi::Error::Success();
}

// The failures of a call whose rows are processed by many threads.
class RowFailures {
 public:
  // Writes the status of a row, and remembers why it is not OK.
  void Note(int64_t row, RowResult result, int32_t* status) noexcept {
    *status = static_cast<int32_t>(result.status);
    if (result.out_of_memory) {
      exhaustion_.Note(row, std::move(result));
    } else if (result.status != Status::kOk) {
      failure_.Note(row, std::move(result));
    }
  }

  xla::ffi::Error Judge(const std::string& target, bool raise_on_error, int64_t count, int32_t device) const {
    return JudgeRows(target, raise_on_error, count, device, failure_, exhaustion_);
  }

 private:
  FirstFailure failure_;
  FirstFailure exhaustion_;
};

}  // namespace jaxdali

#endif  // JAXDALI_HANDLING_ROW_FAILURES_H_
