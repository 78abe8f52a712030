// A worker must not outlive the process it works for, even while a callback holds the GIL.
#ifndef JAXDALI_HOST_PARENT_WATCH_H_
#define JAXDALI_HOST_PARENT_WATCH_H_

namespace jaxdali::host {

// Starts a native thread that ends this process with _exit(exit_code) as soon as the process behind `pidfd` is gone, or
// the other end of the socket `connection` (-1: none) is closed. The socket is needed because a process that calls exec
// lives on, but knows nothing of its workers; the pidfd, because a forked sibling may hold the socket's other end. Ends
// with _exit(lost_code) if somebody closes its copy of either. Throws std::system_error.
void WatchParent(int pidfd, int exit_code, int lost_code, int connection);

// Makes the kernel kill this process when the *thread* that started it ends. The watch cannot do this for a stopped
// process, in which no thread runs. Only for children of a thread that lives as long as its process. If the kernel
// refuses, there is only the watch.
void DieWithParent();

}  // namespace jaxdali::host

#endif  // JAXDALI_HOST_PARENT_WATCH_H_
