// The thread pool of zstd: two workers, a queue of one job, three jobs; all have run when the pool is gone.
#include "pool.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int done;

static void job(void *argument) {
  (void)argument;
  atomic_fetch_add(&done, 1);
}

int main(void) {
  POOL_ctx *pool = POOL_create(2, 1);
  assert(pool);
  for (int i = 0; i < 3; i++)
    POOL_add(pool, job, 0);
  POOL_free(pool);
  assert(done == 3);
}
