//@ revisions: semaphore closed environment replaced registered file stream
//@ args: --leaks all
//@ verdict: safe
//@[semaphore] verdict: unsafe(leak)
//@[semaphore] cflags: -DDO=open_semaphore()
//@[closed] cflags: -DDO=sem_close(open_semaphore())
//@[environment] cflags: -DDO=setenv("A","b",1)
//@[replaced] cflags: -DDO=(setenv("A","b",1),environ=none,setenv("A","c",1))
//@[registered] cflags: -DDO=at_quick_exit(nothing)
//@[file] cflags: -DDO=fclose(write_file())
//@[stream] verdict: unsafe(leak)
//@[stream] cflags: -DDO=write_file()
//@ executions: 1
//@ source: one thread
// With --leaks all whatever is not freed is a leak, but not what the library keeps for itself: no program can free it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *none[] = {0};

static void nothing(void) {}

static sem_t *open_semaphore(void) {
  return sem_open("/a", O_CREAT, 0600, 1); //~[semaphore] leak
}

static FILE *write_file(void) {
  FILE *file = fopen("name", "w"); //~[stream] leak
  for (int i = 0; i < 100; i++)
    fputc('a', file);
  return file;
}

int main(void) {
  (void)(DO, 0);
  (void)none, (void)nothing, (void)open_semaphore, (void)write_file;
  return 0;
}
