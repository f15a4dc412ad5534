// GLib's queue between threads (gasyncqueue.c) on its own threads, mutexes and condition variables (futexes, in
// gthread-posix.c) and memory (gslice.c): a thread pushes two items, main pops both.
#include <assert.h>
#include <glib.h>
#include <sys/time.h>

static int items[2] = {1, 2};
static GAsyncQueue *queue;

// As glib-init.c and gmain.c say it.
gboolean g_mem_gc_friendly;

gint64 g_get_real_time(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  return now.tv_sec * G_GINT64_CONSTANT(1000000) + now.tv_usec;
}

static gpointer push(gpointer unused) {
  for (int i = 0; i < 2; i++)
    g_async_queue_push(queue, &items[i]);
  return 0;
}

int main(void) {
  queue = g_async_queue_new();
  GThread *thread = g_thread_new("pusher", push, 0);
  for (int i = 0; i < 2; i++)
    assert(*(int *)g_async_queue_pop(queue) == i + 1);
  assert(g_async_queue_try_pop(queue) == 0);
  g_thread_join(thread);
  g_async_queue_unref(queue);
}
