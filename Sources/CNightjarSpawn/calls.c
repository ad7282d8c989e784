// System calls without a name in glibc 2.36, and constants from kernels newer than the installed headers.
#define _GNU_SOURCE
#include "CNightjarSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

enum { group_of_process = 1 << 2, info_pid = 1 << 0, info_cgroup = 1 << 2, info_exit = 1 << 3 };

// struct pidfd_info as Linux 6.13 had it first (64 bytes). Linux 6.15 gave the last word its meaning.
struct first_info {
  uint64_t mask;
  uint64_t cgroup;
  uint32_t pid, thread_group, parent;
  uint32_t identities[8];
  int32_t exit_status;
};

#define GET_INFO _IOWR(0xFF, 11, struct first_info)

int nightjar_pidfd_open(int32_t pid) {
  long pidfd = syscall(SYS_pidfd_open, pid, 0);
  return pidfd < 0 ? -errno : (int)pidfd;
}

int nightjar_pidfd_signal(int pidfd, int signal, bool group) {
  return syscall(SYS_pidfd_send_signal, pidfd, signal, 0, group ? group_of_process : 0) < 0 ? errno : 0;
}

int nightjar_reap(int pidfd, int *code, int *status) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  if (waitid(P_PIDFD, (id_t)pidfd, &information, WEXITED | WNOHANG) < 0) return -errno;
  if (information.si_pid == 0) return 0;
  *code = information.si_code;
  *status = information.si_status;
  return 1;
}

int nightjar_info(int pidfd, struct nightjar_info *info) {
  struct first_info answer = {.mask = info_pid | info_cgroup | info_exit};
  if (ioctl(pidfd, GET_INFO, &answer) < 0) return errno;
  info->has_cgroup = (answer.mask & info_cgroup) != 0;
  info->has_exit = (answer.mask & info_exit) != 0;
  info->cgroup = answer.cgroup;
  info->pid = (int32_t)answer.thread_group;
  info->exit_status = answer.exit_status;
  return 0;
}

int nightjar_peer_pidfd(int socket) {
  int pidfd = -1;
  socklen_t length = sizeof pidfd;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) < 0) return -errno;
  return pidfd;
}

int nightjar_peer_credentials(int socket, int32_t *pid, uint32_t *uid) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return errno;
  *pid = credentials.pid;
  *uid = credentials.uid;
  return 0;
}

int nightjar_exchange(const char *one, const char *other) {
  return syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) < 0 ? errno : 0;
}

int nightjar_rename_new(const char *from, const char *to) {
  return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) < 0 ? errno : 0;
}

static int netlink_socket(int family, uint32_t groups) {
  int number = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, family);
  if (number < 0) return -errno;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
  if (bind(number, (struct sockaddr *)&address, sizeof address) < 0) {
    int error = errno;
    close(number);
    return -error;
  }
  return number;
}

int nightjar_route_socket(void) {
  return netlink_socket(
    NETLINK_ROUTE, RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE);
}

int nightjar_uevent_socket(void) {
  enum { from_kernel = 1 };
  return netlink_socket(NETLINK_KOBJECT_UEVENT, from_kernel);
}

void nightjar_map_blocks_from(int bytes) {
#ifdef M_MMAP_THRESHOLD
  (void)mallopt(M_MMAP_THRESHOLD, bytes);
#else
  (void)bytes;
#endif
}
