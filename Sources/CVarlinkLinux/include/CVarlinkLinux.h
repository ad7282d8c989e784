// The Linux calls that Swift's Glibc module does not import, under names of our own.
//
// No system header that declares types is included here: Swift would take the types for this module's own.
#ifndef CVARLINKLINUX_H
#define CVARLINKLINUX_H

#include <stdint.h>

// accept4(2): the new descriptor does not block and is closed on exec.
int varlink_accept(int listener);

// eventfd(2), which does not block and is closed on exec.
int varlink_eventfd(void);

// open(2) of a folder with O_PATH, closed on exec.
int varlink_open_folder(const char *path);

// pthread_setname_np(3) of the calling thread; at most 15 bytes.
int varlink_name_thread(const char *name);

// What happened to a descriptor: the bits of epoll_ctl(2), and the number that was given with it.
struct varlink_event {
  uint32_t events;
  uint64_t token;
};

enum varlink_events {
  varlink_readable = 0x001,
  varlink_writable = 0x004,
  varlink_failed = 0x008,
  varlink_hung_up = 0x010,
};

// epoll_create1(2), closed on exec.
int varlink_epoll_create(void);

// epoll_ctl(2): EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL.
int varlink_epoll_add(int epoll, int descriptor, struct varlink_event event);
int varlink_epoll_modify(int epoll, int descriptor, struct varlink_event event);
int varlink_epoll_remove(int epoll, int descriptor);

// epoll_wait(2) for at most 256 events.
int varlink_epoll_wait(int epoll, struct varlink_event *events, int events_max, int milliseconds);

#endif
