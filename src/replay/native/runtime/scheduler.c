// Lets threads make their moves in the order of a schedule, and watches what comes of it.
//
// The schedule is the file SCHEDULE; what comes of it goes to the file OUTCOME, a word and a sentence, and on lines
// below what is compared with the report. Only the thread whose turn it is changes `head`, so there are no locks that
// the program could notice. Plain code between two moves runs as it likes.
#define _GNU_SOURCE
#include "scheduler.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };
// Times in milliseconds. After the first one without a move, the schedule counts as not followed (in a debugger it is
// longer). After the second one without any event, blocked threads count as blocked for good. After the third one, a
// plain access after its hook counts as made.
#ifndef PATIENCE
#define PATIENCE 5000
#endif
enum { QUIET = 300, OPEN = 5 };

__thread int self = -1;
__thread int in_block;
_Atomic int created;
static __thread struct move *mine;

static struct move *moves;
static int count;
static _Atomic int head;
// The plain access that is made just now, and since when.
static _Atomic int open_access = -1;
static _Atomic long open_since;
// How often threads came to a hook.
static _Atomic long seen;
static const char *_Atomic blocked_in[MOST_THREADS];

// Instructions of places that matter.
struct range { unsigned long low, high; long place; };
static struct range *ranges;
static int range_count;

// What is to happen: to which thread, or to which ones.
static char goal[24];
static int culprit = -1;
static int stuck[MOST_THREADS], stuck_count;

static void nap(void) {
  struct timespec time = {0, 20000};
  syscall(SYS_nanosleep, &time, 0);
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void tell(const char *format, ...) {
  static _Atomic int told;
  static _Atomic long told_by;
  long me = syscall(SYS_gettid);
  if (atomic_exchange(&told, 1)) {
    // The thread that has told its result first ends the process.
    while (told_by != me)
      nap();
    return;
  }
  told_by = me;
  int file = open(OUTCOME, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  va_list values;
  va_start(values, format);
  dprintf(file, "%d %d ", (int)head, count);
  vdprintf(file, format, values);
  va_end(values);
  close(file);
}

static void fail(void) {
  fflush(0);
  _exit(97);
}

static void close_access(void) {
  int index = open_access;
  if (index >= 0 && atomic_compare_exchange_strong(&open_access, &index, -1))
    head = index + 1;
}

void settle(void) {
  int index = open_access;
  if (index >= 0 && moves[index].thread == self)
    close_access();
}

// The calling thread has no moves left. If it is at fault, it goes on when the schedule is over, else not at all.
static void hold(void) {
  int goes_on = self == culprit;
  for (int i = 0; i < stuck_count; i++)
    goes_on |= self == stuck[i];
  while (head < count || !goes_on) {
    if (open_access >= 0 && now() - open_since > OPEN)
      close_access();
    nap();
  }
}

struct move *next_move(void) {
  return mine;
}

struct move *turn(const char *kind) {
  if (self < 0 || in_block)
    return 0;
  settle();
  seen++;
  if (!mine) {
    hold();
    return 0;
  }
  if (strcmp(mine->kind, kind) != 0) {
    tell("diverged thread %d comes to `%s` where the schedule has `%s`", self, kind, mine->kind);
    fail();
  }
  while (head != mine - moves) {
    if (open_access >= 0 && now() - open_since > OPEN)
      close_access();
    nap();
  }
  return mine;
}

void done(struct move *move) {
  mine = move->next;
  head = move - moves + 1;
}

void done_soon(struct move *move) {
  mine = move->next;
  open_since = now();
  open_access = move - moves;
}

void begin(int number) {
  self = number;
  for (int i = 0; i < count && !mine; i++)
    if (moves[i].thread == number)
      mine = &moves[i];
}

void blocks_in(const char *function) {
  if (self >= 0 && self < MOST_THREADS)
    blocked_in[self] = function;
}

long place_of(unsigned long instruction) {
  int low = 0, high = range_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (instruction < ranges[middle].low)
      high = middle;
    else if (instruction >= ranges[middle].high)
      low = middle + 1;
    else
      return ranges[middle].place;
  }
  return -1;
}

long failure_place(unsigned long instruction) {
  extern char __executable_start, etext;
  int own = (unsigned long)&__executable_start <= instruction && instruction < (unsigned long)&etext;
  return own ? place_of(instruction - 1) : -2;
}

struct access { unsigned long address, size; int writes; };
static struct { int thread; long place; _Atomic int here; struct access access; } ends[2];
static int end_count;
// Accesses of the first thread of a race before its last move: others may depend on what it does then.
static struct access passed[256];
static _Atomic int passed_count;

static int conflict(const struct access *one, const struct access *other) {
  int overlap = one->address < other->address + other->size && other->address < one->address + one->size;
  return overlap && (one->writes || other->writes);
}

static void found_race(const char *did, const struct access *first, const struct access *second) {
  const char *verbs[] = {"reads", "writes"};
  tell("data-race thread %d %s %lu bytes at 0x%lx%s, thread %d %s %lu bytes at 0x%lx", ends[0].thread,
       verbs[first->writes], first->size, first->address, did, ends[1].thread, verbs[second->writes], second->size,
       second->address);
  fail();
}

// Both ends of a race stand before their accesses at the same time; or the first one is over, and nothing has ordered
// them since.
void meet(unsigned long address, unsigned long size, int writes, long place) {
  struct access access = {address, size, writes};
  int end = end_count == 2 && self == ends[1].thread;
  if (in_block || end_count < 2 || ends[end].thread != self || ends[end].place != place)
    return;
  if (mine) {
    if (end == 0)
      passed[passed_count++ % 256] = access;
    return;
  }
  ends[end].access = access;
  ends[end].here = 1;
  for (long since = now();; nap()) {
    if (ends[1 - end].here) {
      struct access other = ends[1 - end].access;
      if (conflict(&access, &other)) {
        if (end == 1)
          found_race(" and at the same time", &other, &access);
      } else if (end == 0) {
        // Another object of the same code, or the reading part of an update: the first one goes on.
        break;
      }
    }
    for (int i = 0; end == 1 && now() - since > QUIET && i < passed_count && i < 256; i++)
      if (conflict(&passed[i], &access))
        found_race(", which nothing orders with what follows:", &passed[i], &access);
  }
  ends[end].here = 0;
}

static void watch_end(void) {
  long since = now(), last = seen, quiet = since;
  while (now() - since < PATIENCE) {
    nap();
    if (seen != last)
      last = seen, quiet = now();
    int all = strcmp(goal, "deadlock") == 0;
    for (int i = 0; i < stuck_count; i++)
      all = all && blocked_in[stuck[i]];
    if (all && now() - quiet > QUIET) {
      char text[4096] = "";
      for (int i = 0; i < stuck_count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%sthread %d in %s", i ? ", " : "", stuck[i], blocked_in[stuck[i]]);
      }
      tell("deadlock blocked for %d ms: %s", QUIET, text);
      fail();
    }
  }
  tell("nothing the schedule was followed to its end, but nothing happened in %d ms", PATIENCE);
  fail();
}

static void *watch(void *unused) {
  (void)unused;
  int last = head;
  for (long since = now(); head < count;) {
    if (head != last)
      last = head, since = now();
    if (now() - since > PATIENCE) {
      tell("stuck thread %d does not come to its `%s`", moves[last].thread, moves[last].kind);
      fail();
    }
    if (open_access >= 0 && now() - open_since > OPEN)
      close_access();
    nap();
  }
  watch_end();
  return 0;
}

static void read_schedule(void) {
  FILE *file = fopen(SCHEDULE, "r");
  char word[24];
  int capacity = 0;
  while (file && fscanf(file, "%23s", word) == 1) {
    if (strcmp(word, "move") == 0) {
      if (count == capacity)
        moves = realloc(moves, (capacity = 2 * capacity + 64) * sizeof *moves);
      struct move *move = &moves[count];
      memset(move, 0, sizeof *move);
      if (fscanf(file, "%d %15s %ld %ld %ld %lx", &move->thread, move->kind, &move->result, &move->other, &move->place,
                 &move->address) == 6)
        count++;
    } else if (strcmp(word, "range") == 0) {
      ranges = realloc(ranges, (range_count + 1) * sizeof *ranges);
      struct range *range = &ranges[range_count];
      if (fscanf(file, "%lx %lx %ld", &range->low, &range->high, &range->place) == 3)
        range_count++;
    } else if (strcmp(word, "goal") == 0) {
      fscanf(file, "%23s %d", goal, &culprit);
    } else if (strcmp(word, "stuck") == 0) {
      int thread;
      if (fscanf(file, "%d", &thread) == 1 && thread < MOST_THREADS && stuck_count < MOST_THREADS)
        stuck[stuck_count++] = thread;
    } else if (strcmp(word, "end") == 0 && end_count < 2) {
      if (fscanf(file, "%d %ld", &ends[end_count].thread, &ends[end_count].place) == 2)
        end_count++;
    }
  }
  if (file)
    fclose(file);
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count && !moves[i].next; j++)
      if (moves[j].thread == moves[i].thread)
        moves[i].next = &moves[j];
}

__attribute__((constructor(101))) static void start(void) {
  read_schedule();
  begin(0);
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
  pthread_t watcher;
  create(&watcher, 0, watch, 0);
}
