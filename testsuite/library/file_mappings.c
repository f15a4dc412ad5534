//@ revisions: sound behind read_only changed used twice
//@[sound] verdict: safe
//@[behind read_only] verdict: unsafe(memory)
//@[changed] verdict: unknown(a change of a file while it is mapped)
//@[used] verdict: unknown(use of a file while a mapping of it is shared)
//@[twice] verdict: unknown(two mappings of a file)
//@[behind] cflags: -DBEHIND
//@[read_only] cflags: -DREAD_ONLY
//@[changed] cflags: -DCHANGED
//@[used] cflags: -DUSED
//@[twice] cflags: -DTWICE
//@[sound] native: run
//@[sound] executions: 1
//@[sound] source: there is one thread
// Files are mapped: private mappings hold copies, and what was written to a shared one is in the file afterwards.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define NAME "verify-test-of-mappings"
enum { PAGE = 4096 };

int main(void) {
  char bytes[8] = "";
  int both = open(NAME, O_RDWR | O_CREAT | O_TRUNC, 0600), reads = open(NAME, O_RDONLY), ends[2];
  assert(write(both, "abcdefg", 7) == 7 && ftruncate(both, PAGE + 3) == 0 && pwrite(both, "xyz", 3, PAGE) == 3);
  assert(mmap(0, PAGE, PROT_READ, MAP_PRIVATE, 63, 0) == MAP_FAILED && errno == EBADF);
  assert(mmap(0, PAGE, PROT_READ, MAP_PRIVATE, reads, 1) == MAP_FAILED && errno == EINVAL);
  assert(mmap(0, PAGE, PROT_WRITE, MAP_SHARED, reads, 0) == MAP_FAILED && errno == EACCES);
  assert(pipe(ends) == 0 && mmap(0, PAGE, PROT_READ, MAP_PRIVATE, ends[0], 0) == MAP_FAILED && errno == ENODEV);

  char *copy = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, reads, 0);
  assert(copy != MAP_FAILED && memcmp(copy, "abcdefg", 8) == 0 && strcmp(copy + PAGE, "xyz") == 0 && !copy[2 * PAGE - 1]);
  copy[0] = 'A';
#ifdef BEHIND
  return copy[2 * PAGE]; //~[behind] memory
#endif
  const char *shown = mmap(0, 3, PROT_READ, MAP_SHARED, reads, PAGE);
  assert(memcmp(shown, "xyz", 4) == 0 && shown[PAGE - 1] == 0);
#ifdef READ_ONLY
  ((char *)shown)[0] = 1; //~[read_only] memory
#elif defined CHANGED
  assert(pwrite(both, "b", 1, 0) == 1);
#elif defined TWICE
  mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, both, 0);
#endif
  assert(read(reads, bytes, 3) == 3 && memcmp(bytes, "abc", 3) == 0);
  assert(munmap((void *)shown, 3) == 0 && munmap(copy, 3 * PAGE) == 0);

  char *shared = mmap(0, PAGE + 3, PROT_READ | PROT_WRITE, MAP_SHARED, both, 0);
  assert(close(both) == 0 && shared[1] == 'b');
  shared[1] = 'B', shared[PAGE] = 'X';
  assert(msync(shared, PAGE, MS_SYNC) == 0 && msync(shared + 1, PAGE, MS_SYNC) == -1 && errno == EINVAL);
#ifdef USED
  assert(read(reads, bytes, 1) == 1);
#endif
  assert(munmap(shared, PAGE + 3) == 0);
  assert(pread(reads, bytes, 3, 0) == 3 && memcmp(bytes, "aBc", 3) == 0);
  assert(pread(reads, bytes, 8, PAGE) == 3 && memcmp(bytes, "Xyz", 3) == 0);
  assert(close(reads) == 0 && unlink(NAME) == 0);
  return 0;
}
