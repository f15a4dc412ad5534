// htslib's thread pool (thread_pool.c): two threads, two jobs in a queue for one, whose results come out in the order
// of the jobs.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include "htslib/thread_pool.h"
#include "htslib/hts_log.h"

void hts_log(enum htsLogLevel severity, const char *context, const char *format, ...) {
}
int hts_verbose;

// The clock stands still, for threads that wait for a time ask for it again and again.
int gettimeofday(struct timeval *time, void *zone) {
  *time = (struct timeval){0};
  return 0;
}

static void *square(void *number) {
  *(int *)number *= *(int *)number;
  return number;
}

int main(void) {
  hts_tpool *pool = hts_tpool_init(2);
  hts_tpool_process *queue = hts_tpool_process_init(pool, 1, 0);
  int sent = 0, received = 0;
  while (received < 2) {
    if (sent < 2) {
      int *number = malloc(sizeof *number);
      *number = sent + 1;
      if (hts_tpool_dispatch2(pool, queue, square, number, 1) == 0) {
        sent++;
        continue;
      }
      assert(errno == EAGAIN);
      free(number);
    }
    hts_tpool_result *result = hts_tpool_next_result_wait(queue);
    received++;
    assert(*(int *)hts_tpool_result_data(result) == received * received);
    hts_tpool_delete_result(result, 1);
  }
  hts_tpool_process_destroy(queue);
  hts_tpool_destroy(pool);
}
