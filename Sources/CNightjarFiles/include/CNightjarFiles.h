#ifndef NIGHTJAR_FILES_H
#define NIGHTJAR_FILES_H

#include <stddef.h>
#include <sys/types.h>

/// Renames a file and fails with EEXIST rather than replace another (renameat2(2), RENAME_NOREPLACE).
/// 0, or -1 and errno; ENOSYS or EINVAL where the kernel or the file system cannot.
int nightjar_rename_exclusively(const char *from, const char *to);

/// Sets an extended attribute of an open file (fsetxattr(2)). 0, or -1 and errno.
int nightjar_set_attribute(int file, const char *name, const void *value, size_t size);

/// Reads an extended attribute of an open file (fgetxattr(2)). Its size, or -1 and errno.
ssize_t nightjar_get_attribute(int file, const char *name, void *value, size_t size);

/// Begins to write a file's dirty pages and does not wait (sync_file_range(2), SYNC_FILE_RANGE_WRITE). Promises
/// nothing.
void nightjar_begin_writing(int file);

/// The number of the mount that a file lies on, within which alone it can be renamed (statx(2), STATX_MNT_ID).
/// 0 where the kernel does not tell, before Linux 5.8, or where there is no such file.
unsigned long long nightjar_mount_of(const char *path);

/// Opens a file anew, to write to it past the page cache (open(2), O_DIRECT). A descriptor, or -1 where that cannot be
/// done.
int nightjar_open_direct(int file);

/// The alignment of offsets, lengths and memory for direct writes to a file, in bytes (statx(2), STATX_DIOALIGN). 0
/// where the file system has no direct writes, or the kernel does not tell, before Linux 6.1.
size_t nightjar_direct_alignment(int file);

/// Whether the file system of an open file counts bytes as used as soon as they are written (statfs(2)). Others, btrfs
/// among them, do so only when the bytes go to the disk.
int nightjar_counts_at_once(int file);

#endif
