//@ verdict: safe
//@ native: run
// Reading and writing at a place, in pieces, sizes, names.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  char name[64], other[64], bytes[16] = {0}, more[3];
  snprintf(name, sizeof name, "/tmp/verify-by-place-%d", (int)getpid());
  snprintf(other, sizeof other, "%s-other", name);
  int file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  assert(file > 2 && write(file, "abcdef", 6) == 6);
  assert(pwrite(file, "XY", 2, 1) == 2 && pread(file, bytes, 4, 0) == 4 && !memcmp(bytes, "aXYd", 4));
  assert(lseek(file, 0, SEEK_CUR) == 6 && pread(file, bytes, 4, 6) == 0 && pread(file, bytes, 1, -1) == -1 && errno == EINVAL);
  struct stat about;
  assert(fstat(file, &about) == 0 && about.st_size == 6 && S_ISREG(about.st_mode) && stat(name, &about) == 0);
  assert(ftruncate(file, 9) == 0 && pread(file, bytes, 9, 0) == 9 && !memcmp(bytes, "aXYdef\0\0\0", 9));
  assert(ftruncate(file, 3) == 0 && fstat(file, &about) == 0 && about.st_size == 3 && ftruncate(file, -1) == -1);
  struct iovec pieces[] = {{"one", 3}, {"", 0}, {"two", 3}}, rooms[] = {{bytes, 2}, {more, 3}};
  assert(lseek(file, 0, SEEK_SET) == 0 && writev(file, pieces, 3) == 6 && lseek(file, 1, SEEK_SET) == 1);
  assert(readv(file, rooms, 2) == 5 && !memcmp(bytes, "ne", 2) && !memcmp(more, "two", 3));
  assert(fsync(file) == 0 && fdatasync(file) == 0);
  assert(rename(name, other) == 0 && access(name, F_OK) == -1 && access(other, F_OK) == 0 && rename(name, other) == -1);
  assert(stat(name, &about) == -1 && errno == ENOENT && readlink(other, bytes, 4) == -1 && errno == EINVAL);
  assert(fcntl(file, F_GETFL) == -1 || (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR);
  assert(close(file) == 0 && fstat(file, &about) == -1 && errno == EBADF && unlink(other) == 0);
  struct statfs system;
  assert(statfs("/", &system) == 0 && system.f_bsize > 0);
  int ends[2];
  assert(pipe(ends) == 0 && pread(ends[0], bytes, 1, 0) == -1 && errno == ESPIPE);
  assert(fstat(ends[0], &about) == 0 && S_ISFIFO(about.st_mode));
  char *here = getcwd(NULL, 0);
  assert(here && *here == '/' && getcwd(bytes, 1) == NULL && errno == ERANGE);
  free(here);
  return 0;
}
