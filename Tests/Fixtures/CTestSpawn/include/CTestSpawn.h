#ifndef CTESTSPAWN_H
#define CTESTSPAWN_H

#include <spawn.h>

/// Has a program that is started with these actions close all descriptors from `first` on, which glibc does not show to
/// Swift: NIO's sockets go with every program, and one that keeps a server's connection keeps its end from being seen.
int ctestspawn_close_from(posix_spawn_file_actions_t *actions, int first);

#endif
