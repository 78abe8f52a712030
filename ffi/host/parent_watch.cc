#include "host/parent_watch.h"

#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "host/descriptor.h"

namespace jaxdali::host {

void WatchParent(int pidfd, int exit_code, int lost_code, int connection) {
  const auto process = std::make_shared<const Descriptor>(Duplicate(pidfd), "the parent process");
  std::shared_ptr<const Descriptor> socket;
  if (connection >= 0) socket = std::make_shared<const Descriptor>(Duplicate(connection), "the worker's socket");
  // The thread handles no signals: they belong to the main thread, where Python runs its handlers.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto watch = [process, socket, exit_code, lost_code] {
    // Nobody reads from the socket here: only events that report a closed other end count.
    pollfd watched[] = {{-1, POLLIN, 0}, {-1, POLLRDHUP, 0}};
    do {
      try {
        watched[0].fd = process->get();
        if (socket) watched[1].fd = socket->get();
      } catch (const std::runtime_error&) {
        _exit(lost_code);
      }
    } while (poll(watched, 2, -1) < 0 && errno == EINTR);
    _exit((watched[0].revents | watched[1].revents) & POLLNVAL ? lost_code : exit_code);
  };
  try {
    std::thread(watch).detach();
  } catch (const std::system_error& error) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw std::system_error(error.code(), "jaxdali: starting the thread that watches the parent process");
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void DieWithParent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace jaxdali::host
