//@ revisions: sound front back middle read_only nothing_allowed discarded freed twice whole string at_first
//@[sound] verdict: safe
//@[sound] native: run
//@[front back middle read_only nothing_allowed discarded freed twice whole string at_first] verdict: unsafe(memory)
//@[front] cflags: -DFRONT
//@[back] cflags: -DBACK
//@[middle] cflags: -DMIDDLE
//@[read_only] cflags: -DREAD_ONLY
//@[nothing_allowed] cflags: -DNOTHING_ALLOWED
//@[discarded] cflags: -DDISCARDED
//@[freed] cflags: -DFREED
//@[twice] cflags: -DTWICE
//@[whole] cflags: -DWHOLE
//@[string] cflags: -DSTRING
//@[at_first] cflags: -DAT_FIRST
//@[sound] executions: 1
//@[sound] source: there is one thread
// Parts of a mapping are given back, protected, emptied; the rest stays as it is.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
enum { PAGE = 4096 };

int main(void) {
  char *all = mmap(0, 6 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(all != MAP_FAILED);
  memset(all, 7, 6 * PAGE);
  assert(munmap(all, PAGE) == 0 && munmap(all + 5 * PAGE, 1) == 0 && munmap(all + 2 * PAGE, PAGE) == 0);
  assert(all[PAGE] == 7 && all[2 * PAGE - 1] == 7 && all[3 * PAGE] == 7 && all[5 * PAGE - 1] == 7);
#ifdef FRONT
  all[0] = 1; //~[front] memory
#elif defined BACK
  all[5 * PAGE] = 1; //~[back] memory
#elif defined MIDDLE
  memset(all + PAGE, 0, 2 * PAGE); //~[middle] memory
#endif

  assert(mprotect(all + 3 * PAGE, 1, PROT_READ) == 0 && all[3 * PAGE] == 7);
#ifdef READ_ONLY
  all[3 * PAGE] = 1; //~[read_only] memory
#endif
  assert(mprotect(all + 3 * PAGE, PAGE, PROT_NONE) == 0);
#ifdef NOTHING_ALLOWED
  return all[3 * PAGE]; //~[nothing_allowed] memory
#elif defined STRING
  return (int)strnlen(all + 2 * PAGE - 2, 3) + (int)strlen(all + 4 * PAGE); //~[string] memory
#endif
  assert(mprotect(all + 3 * PAGE, PAGE, PROT_READ | PROT_WRITE) == 0 && all[3 * PAGE] == 7);
  all[3 * PAGE] = 8;
  assert(mprotect(all, 2 * PAGE, PROT_READ) == -1 && errno == ENOMEM);
  assert(mprotect(all + PAGE + 1, PAGE, PROT_READ) == -1 && errno == EINVAL);
  assert(munmap(all + 1, PAGE) == -1 && errno == EINVAL && munmap(all + PAGE, 0) == -1 && errno == EINVAL);

  assert(mprotect(all + 3 * PAGE, PAGE, PROT_READ) == 0);
  assert(madvise(all + 3 * PAGE, 2 * PAGE, MADV_DONTNEED) == 0);
  assert(all[3 * PAGE] == 0 && all[5 * PAGE - 1] == 0 && all[PAGE] == 7);
#ifdef DISCARDED
  all[3 * PAGE] = 1; //~[discarded] memory
#elif defined FREED
  free(all + PAGE); //~[freed] memory
#elif defined TWICE
  munmap(all, PAGE); //~[twice] memory
#endif

  char *none = mmap(0, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#ifdef AT_FIRST
  return *none; //~[at_first] memory
#endif
  assert(mprotect(none, PAGE, PROT_READ | PROT_WRITE) == 0 && *none == 0);
  *none = 1;
  assert(munmap(none, PAGE) == 0 && munmap(all, 6 * PAGE) == 0);
#ifdef WHOLE
  return all[PAGE]; //~[whole] memory
#endif
  return 0;
}
