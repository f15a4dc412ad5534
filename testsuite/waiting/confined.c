//@ revisions: counts helper sleeper retry unset lock lock3 asks tries aliases kept copied lost numbers toggles early
//@[counts] cflags: -DCOUNTS
//@[helper] cflags: -DHELPER
//@[sleeper] cflags: -DSLEEPER
//@[retry] cflags: -DRETRY
//@[unset] cflags: -DUNSET
//@[lock] cflags: -DLOCK -DTHREADS=2
//@[lock3] cflags: -DLOCK -DTHREADS=3
//@[counts helper sleeper retry unset numbers] awaits: 1
//@[lock] awaits: 2
//@[lock3] awaits: 6
//@[asks] cflags: -DASKS
//@[tries] cflags: -DTRIES
//@[aliases] cflags: -DALIASES
//@[kept] cflags: -DKEPT
//@[copied] cflags: -DCOPIED
//@[lost] cflags: -DLOST
//@[numbers] cflags: -DNUMBERS
//@[toggles] cflags: -DTOGGLES
//@[early] cflags: -DEARLY
//@[counts helper sleeper retry unset lock lock3 numbers early] verdict: safe
//@[asks tries aliases kept copied] verdict: unsafe(assertion)
//@[lost] verdict: unsafe(leak)
//@[toggles] verdict: unsafe(livelock)
//@ cutoffs: needed
//@ source: each thread goes on when the flag is set, in one way (n! orders of n sections), unless somebody looks at what turns leave
// Threads count their turns in a variable in memory that stays with them, to pause for longer and longer. Or what it
// holds is looked at later: by the thread, by a function that it calls, by another name, through an address that was
// kept, in a copy; by the search for leaks; or by nobody, and the thread spins for ever.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#ifndef THREADS
#define THREADS 1
#endif
// (Where no thread waits, each pause is explored.)
#ifdef LOCK
#define MOST 2
#else
#define MOST 64
#endif
static atomic_int flag;
static int data;
struct backoff {
  unsigned turns, pause;
  int unused;
};

// As the one of Concurrency Kit.
static void longer(unsigned *pause) {
  volatile unsigned i;
  unsigned now = *pause;
  for (i = 0; i < now; i++)
    ;
  if (now < MOST) *pause = now << 1;
}

// As the one of Folly.
static void rest(struct backoff *b) {
  struct timespec little = {0, 500000};
  if (b->turns < MOST)
    ++b->turns;
  else
    nanosleep(&little, 0);
}

static int set(struct backoff *b) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) return 1;
  if (++b->turns > 3) b->turns = 0;
  return 0;
}

static void both(unsigned *one, unsigned *other) {
  *one = 1 - *one;
  if (*other > 1) *other = 0;
}

#if defined(LOST) || defined(NUMBERS)
struct node {
  void *next;
} root;
struct cursor {
  void *at;
};
static void first(struct node *node, struct cursor *cursor) { cursor->at = node->next; }
#endif

#ifdef LOCK
static atomic_int lock;
static void *waits(void *arg) {
  struct backoff b = {0, 1, 0};
  for (int free = 0; !atomic_compare_exchange_strong(&lock, &free, 1); free = 0) rest(&b), longer(&b.pause);
  data++;
  atomic_store(&lock, 0);
  return arg;
}
#else
static struct backoff *other;
static void *waits(void *arg) {
  struct backoff b = {0, 1, 0};
#if defined(COUNTS)
  while (!flag) {
    if (b.turns < MOST) b.turns++;
    for (unsigned i = 0; i < b.turns; i++) sched_yield();
  }
#elif defined(HELPER)
  while (!flag) longer(&b.pause);
#elif defined(SLEEPER)
  while (!flag) rest(&b);
#elif defined(RETRY)
  while (!set(&b)) sched_yield();
#elif defined(UNSET)
  struct backoff c;
  c.turns = 0;
  while (!flag) rest(&c);
  c.unused = 3;
  assert(c.unused == 3);
#elif defined(ASKS)
  while (!flag) b.turns = b.turns < 9 ? b.turns + 1 : 0;
  assert(b.turns != 2); //~[asks] assertion
#elif defined(TRIES)
  int tries = 0;
  while (!set(&b) && (tries = b.turns) != 2)
    ;
  assert(tries != 2); //~[tries] assertion
#elif defined(ALIASES)
  while (!flag) both(&b.turns, &b.turns);
  assert(b.turns == 0); //~[aliases] assertion
#elif defined(KEPT)
  other = &b;
  while (!flag) b.turns = 1 - b.turns;
  assert(other->turns == 0); //~[kept] assertion
#elif defined(COPIED)
  while (!flag) b.turns = 1 - b.turns;
  struct backoff copy = b;
  assert(copy.turns == 0); //~[copied] assertion
#elif defined(LOST)
  struct cursor cursor;
  root.next = malloc(4); //~[lost] leak
  first(&root, &cursor);
  root.next = 0;
  while (!flag) cursor.at = 0;
  exit(0);
#elif defined(NUMBERS)
  struct cursor cursor;
  root.next = malloc(4);
  first(&root, &cursor);
  while (!flag) longer(&b.pause);
  free(cursor.at);
#elif defined(TOGGLES)
  while (!flag) both(&b.turns, &b.pause), longer(&(unsigned){1}); //~[toggles] livelock
#elif defined(EARLY)
  flag = 1;
  return arg;
#endif
  assert(data == 1);
  return arg;
}
#endif

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, waits, 0);
#if defined(EARLY)
  // (The last of the three reads of a turn may come when there is nobody left who sets the flag.)
  while (flag != 1) (void)flag, (void)flag;
#elif !defined(LOCK) && !defined(TOGGLES)
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
#endif
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
#ifdef LOCK
  assert(data == THREADS);
#endif
}
