//@ verdict: safe
//@ native: run
// Locks on parts of files belong to the process: no lock of its own keeps it from another one.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *take(void *arg) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 4};
  assert(fcntl(file, F_SETLKW, &lock) == 0);
  lock.l_type = F_UNLCK;
  assert(fcntl(file, F_SETLK, &lock) == 0);
  return arg;
}

int main(void) {
  file = open("locked", O_RDWR | O_CREAT, 0600);
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  assert(fcntl(file, F_SETLK, &lock) == 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
  lock.l_type = 7;
  assert(fcntl(file, F_SETLK, &lock) == -1 && errno == EINVAL);
  int again = open("locked", O_RDONLY);
  lock.l_type = F_WRLCK;
  assert(fcntl(again, F_SETLK, &lock) == -1 && errno == EBADF);
  errno = 0;
  assert(posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL) == 0 && posix_fadvise(file, 0, 0, 77) == EINVAL);
  assert(posix_fadvise(99, 0, 0, POSIX_FADV_NORMAL) == EBADF && errno == 0);
  pthread_join(thread, 0);
  assert(unlink("locked") == 0);
  return 0;
}
