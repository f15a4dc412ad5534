// nginx' thread pool (core/ngx_thread_pool.c) of two threads: the event loop posts two tasks, waits until both are
// complete, and ends the pool. Of the event loop there is ngx_notify, which wakes it; the rest of nginx is left out.
#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>
#include <ngx_thread_pool.h>
#include <assert.h>

extern ngx_module_t ngx_thread_pool_module;
ngx_event_actions_t ngx_event_actions;
ngx_uint_t ngx_process = NGX_PROCESS_SINGLE;
ngx_int_t ngx_ncpu = 2;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t notified = PTHREAD_COND_INITIALIZER;
static ngx_event_handler_pt handler;
static int completed;

void ngx_log_error_core(ngx_uint_t level, ngx_log_t *log, ngx_err_t number, const char *format, ...) {
}

static ngx_int_t notify(ngx_event_handler_pt handle) {
  pthread_mutex_lock(&lock);
  handler = handle;
  pthread_cond_signal(&notified);
  pthread_mutex_unlock(&lock);
  return NGX_OK;
}

static void run(void *context, ngx_log_t *log) {
  *(int *)context += 1;
}

static void complete(ngx_event_t *event) {
  assert(*(int *)event->data == 1);
  completed++;
}

int main(void) {
  ngx_event_actions.notify = notify;
  ngx_log_t log = {0};
  ngx_cycle_t cycle = {.log = &log};
  cycle.pool = ngx_create_pool(1024, &log);
  void *configurations[1], ****context = (void ****)configurations;
  cycle.conf_ctx = context;
  ngx_thread_pool_module.index = 0;
  ngx_core_module_t *module = ngx_thread_pool_module.ctx;
  configurations[0] = module->create_conf(&cycle);
  ngx_conf_file_t file = {0};
  ngx_str_t words[] = {ngx_string("thread_pool"), ngx_string("pool"), ngx_string("threads=2")};
  ngx_array_t arguments = {.elts = words, .nelts = 3};
  ngx_conf_t conf = {.cycle = &cycle, .pool = cycle.pool, .log = &log, .conf_file = &file, .args = &arguments};
  assert(ngx_thread_pool_module.commands[0].set(&conf, ngx_thread_pool_module.commands, 0) == NGX_CONF_OK);
  assert(module->init_conf(&cycle, configurations[0]) == NGX_CONF_OK);
  assert(ngx_thread_pool_module.init_process(&cycle) == NGX_OK);
  ngx_thread_pool_t *pool = ngx_thread_pool_get(&cycle, &words[1]);
  for (int i = 0; i < 2; i++) {
    ngx_thread_task_t *task = ngx_thread_task_alloc(cycle.pool, sizeof(int));
    task->handler = run;
    task->event.data = task->ctx;
    task->event.handler = complete;
    assert(ngx_thread_task_post(pool, task) == NGX_OK);
  }
  while (completed < 2) {
    pthread_mutex_lock(&lock);
    while (!handler)
      pthread_cond_wait(&notified, &lock);
    ngx_event_handler_pt handle = handler;
    handler = NULL;
    pthread_mutex_unlock(&lock);
    handle(NULL);
  }
#ifndef LEAVE
  ngx_thread_pool_module.exit_process(&cycle);
#endif
  ngx_destroy_pool(cycle.pool);
}
