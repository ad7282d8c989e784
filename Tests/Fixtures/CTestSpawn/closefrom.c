#define _GNU_SOURCE
#include "CTestSpawn.h"

#include <spawn.h>

int ctestspawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
