// N threads that have nothing to do with one another: each reads an input for ever, and keeps one bit of it under a lock
// of its own. (docs/symbolic.md counts its states.)
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int gear[N];
static pthread_mutex_t m[N];

static void *drive(void *arg) {
  int i = (int)(long)arg;
  for (;;) {
    int command = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m[i]);
    if (command > 10)
      gear[i] = 1;
    else if (command == 3)
      gear[i] = 0;
    pthread_mutex_unlock(&m[i]);
  }
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&m[i], 0);
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, drive, (void *)(long)i);
  pthread_join(t[0], 0);
}
