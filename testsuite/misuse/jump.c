//@ verdict: unsafe(misuse)
//@ revisions: returned unsaved stranger
//@[returned] cflags: -DRETURNED
//@[unsaved] cflags: -DUNSAVED
#include <pthread.h>
#include <setjmp.h>

static jmp_buf buffer;

static int save(void) { return setjmp(buffer); }

static void *jump(void *unused) {
  longjmp(buffer, 1); //~ misuse
  return unused;
}

int main(void) {
#ifdef RETURNED
  if (save() == 0)
    jump(NULL);
#elif defined UNSAVED
  jump(NULL);
#else
  if (setjmp(buffer) == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, jump, NULL);
    pthread_join(thread, NULL);
  }
#endif
  return 0;
}
