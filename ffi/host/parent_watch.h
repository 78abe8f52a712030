// A worker must not outlive the process it works for, even while a callback holds the GIL.
#pragma once

namespace jaxdali::host {

// Starts a native thread that ends this process with _exit(exit_code) as soon as the process behind `pidfd` is gone.
// A pidfd, because PR_SET_PDEATHSIG fires when the *thread* that started us ends, and because end of file on a
// pipe never comes while a forked sibling holds the other end. With _exit(lost_code) if somebody closes its copy of
// that before it waits. Throws std::system_error.
void WatchParent(int pidfd, int exit_code, int lost_code);

}  // namespace jaxdali::host
