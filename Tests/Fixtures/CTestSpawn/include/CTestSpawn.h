#ifndef CTESTSPAWN_H
#define CTESTSPAWN_H

// Has a program that is started with these actions (posix_spawn_file_actions_t) close all descriptors from `first` on,
// which glibc does not show to Swift: NIO's sockets go with every program, and one that keeps a server's connection
// keeps its end from being seen. Returns 0 or an errno.
//
// No header of the system's that declares types is included here: Swift would think them this module's own.
int ctestspawn_close_from(void *actions, int first);

#endif
