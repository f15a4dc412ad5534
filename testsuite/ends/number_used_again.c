//@ verdict: unsafe(assertion)
// A thread that was joined has its number taken by another one. What each did before it ended counts for its own join,
// also after the exploration has gone back to before the second one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int z, s, q, flag;
static int g, k;

static void *sets(void *arg) {
  atomic_store(&z, 1);
  return 0;
}

static void *exchanges(void *arg) {
  atomic_exchange(&s, 5);
  return 0;
}

static void *copies(void *arg) {
  atomic_store(&flag, 1);
  g = k;
  return 0;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, 0, sets, 0);
  k = atomic_load(&z) ? 2 : 1;
  pthread_join(first, 0);
  pthread_create(&second, 0, exchanges, 0);
  pthread_create(&third, 0, copies, 0);
  if (atomic_load(&flag)) {
    int found = atomic_exchange(&s, 1);
    pthread_join(third, 0);
    k = 0;
    atomic_load(&q);
    atomic_load(&q);
    assert(!(g == 2 && found == 5)); //~ assertion
    atomic_load(&q);
    g = 0;
    k = 2;
    pthread_create(&third, 0, copies, 0);
    pthread_join(third, 0);
  } else {
    pthread_join(third, 0);
  }
  pthread_join(second, 0);
  return 0;
}
