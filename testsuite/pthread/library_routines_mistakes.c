//@ revisions: twice invalid cleanup
//@[twice] verdict: unsafe(memory)
//@[twice] cflags: -DSCENE=1
//@[invalid] verdict: unsafe(memory)
//@[invalid] cflags: -DSCENE=2
//@[cleanup] verdict: unsafe(memory)
//@[cleanup] cflags: -DSCENE=3
//@ source: by hand: freed by the program and by the destructor; a destructor that frees a variable; a cleanup handler and the program free the same
// `free` where the library starts it, with what must not be freed.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int variable;

static void *worker(void *arg) {
#if SCENE == 1
  void *block = malloc(8);
  pthread_setspecific(key, block);
  free(block);
#elif SCENE == 2
  pthread_setspecific(key, &variable);
#else
  void *block = malloc(8);
  pthread_cleanup_push(free, block); //~[cleanup] memory
  free(block);
  pthread_exit(0);
  pthread_cleanup_pop(0);
#endif
  return arg; //~[twice invalid] memory
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, free);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
}
