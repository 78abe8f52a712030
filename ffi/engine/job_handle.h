// Who is responsible for releasing a job.
#ifndef JAXDALI_ENGINE_JOB_HANDLE_H_
#define JAXDALI_ENGINE_JOB_HANDLE_H_

#include <memory>
#include <utility>

#include "engine/engine.h"
#include "ring/control.h"
#include "ring/lease.h"
#include "rows/rows.h"

namespace jaxdali::gpu {

// Neither the ring nor rows include the other; this is the first room that knows both.
static_assert(host::kAlignment == kAlignment);
static_assert(host::kLastStatus == static_cast<int>(kLastStatus));

// Owns a job and releases it at the latest when destroyed, unless a notice does. If a job were never released, it could
// be found after others have written to its slot.
class JobHandle {
 public:
  JobHandle(Engine& engine, JobPointer job) : engine_(&engine), job_(std::move(job)) {}
  JobHandle(JobHandle&&) = default;
  JobHandle& operator=(JobHandle&&) = delete;
  ~JobHandle() {
    if (job_ != nullptr && releases_) engine_->Release(*job_);
  }

  Engine& engine() const { return *engine_; }
  AheadJob& job() const { return *job_; }

  // Returns a notice after which calls cannot find the job; to be called once. From now on the job stays until the
  // notice is called.
  host::EndNotice Notice() {
    auto* const told = new JobHandle(*engine_, job_);
    releases_ = false;
    return {told, [](void* context) { delete static_cast<JobHandle*>(context); }};
  }

 private:
  Engine* engine_;
  JobPointer job_;
  bool releases_ = true;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_ENGINE_JOB_HANDLE_H_
