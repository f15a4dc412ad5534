// A thread that was created before reads the handle of another one while that is being created.
#include "../verifier.h"

static pthread_t handle;

static void *look(void *arg) {
  check(handle != 0);
  return 0;
}

static void *nothing(void *arg) { return 0; }

int main(void) {
  pthread_t looking = start(look, 0);
  pthread_create(&handle, 0, nothing, 0);
  join(looking);
  join(handle);
  return 0;
}
