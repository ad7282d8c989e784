// The calls on files that Swift's Glibc module leaves out.
#define _GNU_SOURCE
#include "CNightjarFiles.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int nightjar_rename_exclusively(const char *from, const char *to) {
  const unsigned int noReplace = 1;  // RENAME_NOREPLACE; an older libc has neither the name nor the wrapper.
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, noReplace);
}

int nightjar_set_attribute(int file, const char *name, const void *value, size_t size) {
  return fsetxattr(file, name, value, size, 0);
}

ssize_t nightjar_get_attribute(int file, const char *name, void *value, size_t size) {
  return fgetxattr(file, name, value, size);
}

void nightjar_begin_writing(int file) {
  (void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
}

unsigned long long nightjar_mount_of(const char *path) {
#ifdef STATX_MNT_ID
  struct statx found;
  if (statx(AT_FDCWD, path, 0, STATX_MNT_ID, &found) == 0 && (found.stx_mask & STATX_MNT_ID)) return found.stx_mnt_id;
#else
  (void)path;
#endif
  return 0;
}

int nightjar_open_direct(int file) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);
}

size_t nightjar_direct_alignment(int file) {
#ifdef STATX_DIOALIGN
  struct statx found;
  if (statx(file, "", AT_EMPTY_PATH, STATX_DIOALIGN, &found) != 0 || !(found.stx_mask & STATX_DIOALIGN)) return 0;
  if (found.stx_dio_offset_align == 0) return 0;
  return found.stx_dio_mem_align > found.stx_dio_offset_align ? found.stx_dio_mem_align : found.stx_dio_offset_align;
#else
  (void)file;
  return 0;
#endif
}

int nightjar_counts_at_once(int file) {
  struct statfs found;
  if (fstatfs(file, &found) != 0) return 0;
  switch ((unsigned int)found.f_type) {
  case EXT4_SUPER_MAGIC:
  case F2FS_SUPER_MAGIC:
  case TMPFS_MAGIC:
  case XFS_SUPER_MAGIC:
    return 1;
  default:
    return 0;
  }
}
