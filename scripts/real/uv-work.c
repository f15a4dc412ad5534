// libuv's thread pool (threadpool.c) below its event loop: two pieces of work, each done once by a thread of the pool
// and then reported to the loop, which ends when there is nothing left. Run with UV_THREADPOOL_SIZE=2.
#include <assert.h>
#include <uv.h>

static int done[2], reported;

static void work(uv_work_t *request) {
  *(int *)request->data += 1;
}

static void report(uv_work_t *request, int status) {
  assert(status == 0 && *(int *)request->data == 1);
  reported++;
}

int main(void) {
  uv_loop_t loop;
  uv_work_t requests[2];
  assert(uv_loop_init(&loop) == 0);
  for (int i = 0; i < 2; i++) {
    requests[i].data = &done[i];
    assert(uv_queue_work(&loop, &requests[i], work, report) == 0);
  }
  assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
  assert(reported == 2);
  assert(uv_loop_close(&loop) == 0);
  uv_library_shutdown();
}
