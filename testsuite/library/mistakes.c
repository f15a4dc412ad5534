//@ revisions: sprintf missing directive endless overlap joined destroyed attributes order abs stream room chk freed
//@[sprintf endless overlap joined stream chk freed] verdict: unsafe(memory)
//@[missing directive destroyed order] verdict: unsafe(misuse)
//@[attributes room] verdict: unsafe(uninitialised)
//@[abs] verdict: unsafe(overflow)
//@[sprintf] cflags: -DCASE=1
//@[missing] cflags: -DCASE=2 -Wno-format
//@[directive] cflags: -DCASE=3 -Wno-format
//@[endless] cflags: -DCASE=4
//@[overlap] cflags: -DCASE=5
//@[joined] cflags: -DCASE=6
//@[destroyed] cflags: -DCASE=7
//@[attributes] cflags: -DCASE=8
//@[order] cflags: -DCASE=9
//@[abs] cflags: -DCASE=10 -fno-builtin
//@[stream] cflags: -DCASE=11
//@[room] cflags: -DCASE=12
//@[chk] cflags: -DCASE=13
//@[freed] cflags: -DCASE=14
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned __atomic_load_4(const volatile void *, int);

static void *nothing(void *argument) { return argument; }

int main(int argc, char **argv) {
  char room[8], *text = "0123456789";
  (void)argv;
#if CASE == 1
  sprintf(room, "%s", text); //~[sprintf] memory
#elif CASE == 2
  printf("%d %d\n", 1); //~[missing] misuse
#elif CASE == 3
  printf("%k\n", 1); //~[directive] misuse
#elif CASE == 4
  memset(room, 'x', sizeof room);
  printf("%s\n", room); //~[endless] memory
#elif CASE == 5
  strcpy(room, "abc");
  strcat(room, room + 1); //~[overlap] memory
#elif CASE == 6
  strcpy(room, "abcde");
  strcat(room, "fgh"); //~[joined] memory
#elif CASE == 7
  pthread_mutexattr_t kind;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_destroy(&kind);
  pthread_mutex_init(&mutex, &kind); //~[destroyed] misuse
#elif CASE == 8
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_create(&thread, &attributes, nothing, NULL); //~[attributes] uninitialised
#elif CASE == 9
  unsigned word = 0;
  return __atomic_load_4(&word, __ATOMIC_RELEASE); //~[order] misuse
#elif CASE == 10
  return abs(INT_MIN + argc - 1); //~[abs] overflow
#elif CASE == 11
  fputs(text, NULL); //~[stream] memory
#elif CASE == 12
  return strlen(room) > 3; //~[room] uninitialised
#elif CASE == 13
  __builtin___strcpy_chk(room, text + argc - 1, sizeof room); //~[chk] memory
  puts(room);
#elif CASE == 14
  char *p = malloc(4);
  free(p);
  return realloc(p, 8) == NULL; //~[freed] memory
#endif
  return 0;
}
