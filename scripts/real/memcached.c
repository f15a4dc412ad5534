// memcached's threads, queues of connections, caches of buffers, items, slabs and hash table. Each of two workers is
// handed a connection, on which a request of two bytes arrives: what to do, and the key. Each byte may be anything. The
// network, the protocol and libevent are left out.
#include "memcached.h"
#define WORKERS 2

extern unsigned char __VERIFIER_nondet_uchar(void);

struct settings settings;
struct stats stats;
struct stats_state stats_state;
volatile rel_time_t current_time = 100;
volatile bool is_paused;
volatile int slab_rebalance_signal;
struct slab_rebalance slab_rebal;
conn **conns;
hash_func hash;

static struct request {
  unsigned char what, key;
} request[WORKERS];

int bytes_compare(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < size; i++)
    if (x[i] != y[i])
      return 1;
  return 0;
}

// Keys share buckets and locks.
static uint32_t hash_of_key(const void *key, size_t length) {
  return *(const unsigned char *)key & 1;
}

static LIBEVENT_THREAD *worker_of(struct event_base *base) {
  LIBEVENT_THREAD *worker = get_worker_thread(0);
  return worker->base == base ? worker : get_worker_thread(1);
}

static void set(char *key, conn *c) {
  item *new = item_alloc(key, 1, 0, 0, 3);
  if (!new)
    return;
  ITEM_data(new)[0] = *key;
  uint32_t hv;
  item *old = item_get_locked(key, 1, c, DONT_UPDATE, &hv);
  if (old) {
    item_replace(old, new, hv);
    do_item_remove(old);
  } else {
    do_item_link(new, hv);
  }
  item_unlock(hv);
  item_remove(new);
}

static void get(char *key, conn *c) {
  item *it = item_get(key, 1, c, DO_UPDATE);
  if (!it)
    return;
  assert(ITEM_data(it)[0] == *key);
  item_remove(it);
}

static void delete(char *key, conn *c) {
  uint32_t hv;
  item *it = item_get_locked(key, 1, c, DONT_UPDATE, &hv);
  if (it) {
    do_item_unlink(it, hv);
    do_item_remove(it);
  }
  item_unlock(hv);
}

// Where a worker would begin to read a connection, the request is there already.
conn *conn_new(const int sfd, const enum conn_states state, const int flags, const int size, const enum network_transport transport,
               struct event_base *base, void *ssl, uint64_t tag, enum protocol protocol) {
  conn *c = calloc(1, sizeof *c);
  c->thread = worker_of(base);
  char key[2] = {(char)request[sfd].key};
  switch (request[sfd].what) {
  case 's':
    set(key, c);
    break;
  case 'g':
    get(key, c);
    break;
  case 'd':
    delete(key, c);
    break;
  }
  return c;
}

void conn_io_queue_setup(conn *c) {
  free(c);
}

void thread_io_queue_add(LIBEVENT_THREAD *t, int type, void *ctx, io_queue_stack_cb submit, io_queue_stack_cb complete,
                         io_queue_cb returned, io_queue_cb finalize) {
}

logger *logger_create(void) {
  return calloc(1, sizeof(logger));
}

struct event_base *event_init(void) {
  return calloc(1, sizeof(struct event_base));
}

void event_set(struct event *event, int fd, short what, void (*call)(evutil_socket_t, short, void *), void *argument) {
  *event = (struct event){fd, call, argument};
}

int event_base_set(struct event_base *base, struct event *event) {
  base->event = event;
  return 0;
}

int event_add(struct event *event, const struct timeval *time) {
  return 0;
}

// One connection each.
int event_base_loop(struct event_base *base, int flags) {
  base->event->call(base->event->fd, EV_READ, base->event->argument);
  return 0;
}

void event_base_free(struct event_base *base) {
  free(base);
}

int main(void) {
  hash = hash_of_key;
  settings.use_cas = true;
  settings.maxbytes = 1 << 16;
  settings.num_threads = WORKERS;
  settings.chunk_size = 48;
  settings.item_size_max = settings.slab_chunk_size_max = 512;
  settings.slab_page_size = 1024;
  settings.evict_to_free = 1;
  assoc_init(11);
  slabs_init(settings.maxbytes, 2, false, NULL, NULL, false);
  memcached_thread_init(WORKERS, NULL);
  for (int i = 0; i < WORKERS; i++)
    request[i] = (struct request){__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar()};
  for (int i = 0; i < WORKERS; i++)
    dispatch_conn_new(i, conn_new_cmd, EV_READ, 0, tcp_transport, NULL, 0, ascii_prot);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(get_worker_thread(i)->thread_id, NULL);
  // What is counted is there.
  conn c = {.thread = get_worker_thread(0)};
  unsigned found = 0;
  for (int i = 0; i < WORKERS; i++) {
    char key[2] = {(char)request[i].key};
    item *it = item_get(key, 1, &c, DONT_UPDATE);
    found += it && (i == 0 || request[i].key != request[0].key);
  }
  assert(found == stats_state.curr_items);
  return 0;
}
