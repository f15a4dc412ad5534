//@ revisions: any_order flag_first own_result
//@[any_order] verdict: unsafe(data-race)
//@[any_order] cflags: -DANY_ORDER
//@[flag_first] verdict: safe
//@[flag_first] cflags: -DFLAG_FIRST
//@[own_result] verdict: safe
//@[own_result] cflags: -DOWN_RESULT
// An update whose result nobody uses comes to the same in every order; but it learns what the one before has published. Who only
// counts the updates may have come first. Who knows from a flag, or its own result, that it came second, may rely on it.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, flag;
static int data;

static void *writer(void *arg) {
  data = 1; //~[any_order] data-race
  atomic_fetch_add(&count, 1);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return 0;
}

static void *reader(void *arg) {
#ifdef ANY_ORDER
  atomic_fetch_add(&count, 1);
  if (atomic_load_explicit(&count, memory_order_relaxed) == 2)
    return (void *)(long)data; //~[any_order] data-race
#elif defined FLAG_FIRST
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    atomic_fetch_add(&count, 1);
    return (void *)(long)data;
  }
#else
  if (atomic_fetch_add(&count, 1) == 1)
    return (void *)(long)data;
#endif
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
