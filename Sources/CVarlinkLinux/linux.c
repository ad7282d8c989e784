#define _GNU_SOURCE
#include "CVarlinkLinux.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// The header cannot name the system's constants, so its values are checked against them here.
#define IS(ours, theirs) _Static_assert((uint32_t)(ours) == (uint32_t)(theirs), #theirs)
IS(varlink_readable, EPOLLIN);
IS(varlink_writable, EPOLLOUT);
IS(varlink_failed, EPOLLERR);
IS(varlink_hung_up, EPOLLHUP);

int varlink_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int varlink_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int varlink_open_folder(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

int varlink_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

int varlink_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int descriptor, struct varlink_event wanted) {
  struct epoll_event event = {.events = wanted.events, .data = {.u64 = wanted.token}};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int varlink_epoll_add(int epoll, int descriptor, struct varlink_event event) {
  return control(epoll, EPOLL_CTL_ADD, descriptor, event);
}

int varlink_epoll_modify(int epoll, int descriptor, struct varlink_event event) {
  return control(epoll, EPOLL_CTL_MOD, descriptor, event);
}

int varlink_epoll_remove(int epoll, int descriptor) {
  return control(epoll, EPOLL_CTL_DEL, descriptor, (struct varlink_event){0});
}

int varlink_epoll_wait(int epoll, struct varlink_event *events, int events_max, int milliseconds) {
  struct epoll_event found[256];
  int count = epoll_wait(epoll, found, events_max < 256 ? events_max : 256, milliseconds);
  for (int i = 0; i < count; i++) events[i] = (struct varlink_event){found[i].events, found[i].data.u64};
  return count;
}
