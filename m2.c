#include <pthread.h>
#include <stdatomic.h>
static atomic_int a1;
static pthread_t first;
static void *t0(void *arg) {
  atomic_store_explicit(&a1, 2, memory_order_seq_cst);
  return 0;
}
static void *t1(void *arg) {
  int r = 0;
  atomic_store_explicit(&a1, 2, memory_order_relaxed);
  for (;;) {
    { void *v; pthread_join(first, &v);  }
    r = atomic_load_explicit(&a1, memory_order_acquire);
    if (r == 1) break;
  }
  return 0;
}
int main() {
  pthread_t t[2];
  pthread_create(&t[0], 0, t0, 0);
  first = t[0];
  pthread_create(&t[1], 0, t1, 0);
  return 0;
}
