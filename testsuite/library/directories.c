//@ revisions: sound closed
//@[sound] verdict: safe
//@[closed] verdict: unsafe(memory)
//@[closed] cflags: -DCLOSED
//@[sound] native: run
//@[sound] executions: 1
//@[sound] source: there is one thread
//@[sound] assumes: fixed-environment
// Directories are made, read and removed. (A native run makes one of its own for that, of a name that nobody has.)
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOP "verify-test-of-directories"

// Which of the names are in it, as bits; each once, with its type.
static int listed(DIR *directory) {
  static const char *const known[] = {".", "..", "a", "b", "sub"};
  int found = 0;
  errno = 0;
  for (struct dirent *entry; (entry = readdir(directory));) {
    int at = 0;
    while (strcmp(entry->d_name, known[at]) != 0)
      assert(++at < 5);
    assert(!(found >> at & 1));
    assert(entry->d_type == DT_UNKNOWN || (entry->d_type == DT_DIR) == (at < 2 || at == 4));
    found |= 1 << at;
  }
  assert(errno == 0);
  return found;
}

static int in(const char *name) {
  DIR *directory = opendir(name);
  assert(directory);
  int found = listed(directory);
  assert(closedir(directory) == 0);
  return found;
}

static void make(const char *name) {
  int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
  assert(descriptor >= 0 && close(descriptor) == 0);
}

int main(void) {
  struct stat status;
  if (access(TOP, F_OK) == 0) {
    // An earlier native run has left it.
    unlink(TOP "/a"), unlink(TOP "/b"), unlink(TOP "/sub/a"), unlink(TOP "/sub/b");
    rmdir(TOP "/sub"), rmdir(TOP);
  }
  assert(mkdir(TOP, 0700) == 0 && mkdir("./" TOP "/", 0700) == -1 && errno == EEXIST);
  assert(stat(TOP, &status) == 0 && S_ISDIR(status.st_mode) && access(TOP, F_OK) == 0);
  assert(in(TOP) == 3);
  make(TOP "/a");
  make("./" TOP "//b");
  assert(mkdir(TOP "/sub", 0700) == 0 && in(TOP "/") == 31 && in(TOP "/./sub") == 3);
  make(TOP "/sub/a");
  assert(in(TOP "/sub") == 7);
  assert(rmdir(TOP) == -1 && errno == ENOTEMPTY && rmdir(TOP "/a") == -1 && errno == ENOTDIR);
  assert(open(TOP "/sub", O_WRONLY) == -1 && errno == EISDIR && unlink(TOP "/sub") == -1 && errno == EISDIR);
  assert(open(TOP "/a", O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR && !opendir(TOP "/a") && errno == ENOTDIR);
  assert(open(TOP "/a/b", O_WRONLY | O_CREAT, 0600) == -1 && errno == ENOTDIR);
  assert(rename(TOP "/a", TOP "/sub/b") == 0 && in(TOP "/sub") == 15 && in(TOP) == 27);

  DIR *directory = opendir(TOP);
  assert(listed(directory) == 27 && !readdir(directory));
  assert(unlink(TOP "/b") == 0);
  rewinddir(directory);
  assert(listed(directory) == 19 && closedir(directory) == 0);
#ifdef CLOSED
  readdir(directory); //~[closed] memory
#endif

  assert(unlink(TOP "/sub/a") == 0 && remove(TOP "/sub/b") == 0 && remove(TOP "/sub") == 0);
  assert(!opendir(TOP "/sub") && errno == ENOENT && rmdir(TOP "/sub") == -1 && errno == ENOENT);
  assert(open(TOP "/sub/a", O_WRONLY | O_CREAT, 0600) == -1 && errno == ENOENT);
  assert(mkdir(TOP "/sub/deep", 0700) == -1 && errno == ENOENT);
  assert(rmdir(TOP) == 0 && mkdir(TOP, 0700) == 0 && in(TOP) == 3 && rmdir(TOP) == 0);
  return 0;
}
