// What the parts of the runtime share: threads ask for their turns here.
#pragma once
#include <dlfcn.h>

// One move of the schedule.
struct move {
  int thread;
  char kind[16];
  // What the operation returns, or the value that is chosen.
  long result;
  // The thread that is created; whether the one that waits is woken.
  long other;
  // Number of the place in the source, of plain accesses.
  long place;
  // Address of the variable, if that is known; else 0.
  unsigned long address;
  // The next move of the same thread.
  struct move *next;
};

// The number of the calling thread; negative for the runtime's own.
extern __thread int self;
// It is in an atomic block, whose operations are no moves.
extern __thread int in_block;
// How many threads were created.
extern _Atomic int created;

// Waits until it is the calling thread's turn to do something of this kind. Null if nothing is prescribed any more.
struct move *turn(const char *kind);
// The next move of the calling thread, which need not be its turn yet; null if it has none left.
struct move *next_move(void);
// The move has been made.
void done(struct move *);
// It is a plain access, which is made right after the hook.
void done_soon(struct move *);
// If a move of the calling thread was to be done soon, it is done now.
void settle(void);
// A thread begins.
void begin(int number);
// The calling thread may block in this function, or no longer does (null).
void blocks_in(const char *function);
// A plain or an atomic access at a place that matters to a race.
void meet(unsigned long address, unsigned long size, int writes, long place);
// The number of the place of an instruction; negative if it does not matter.
long place_of(unsigned long instruction);
// An access by this instruction is checked against the blocks of the heap, if a fault of memory is expected.
extern int watches_heap;
void check_heap(unsigned long address, unsigned long size, int writes, unsigned long instruction);
// The same for places that failures are compared by: -2 if the instruction is none of the program's own code.
long failure_place(unsigned long instruction);
// The value that the calling thread is to be given next.
long chosen(void);
// A function that is not defined. (Whatever integer it returns: the caller looks at as much as it knows of.)
#define EXTERNAL(name) \
  long name(void) { return chosen(); }
// Says what came of it.
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The function of the C library.
#define REAL(name)                                        \
  static __typeof__(&name) real;                          \
  if (!real)                                              \
    real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
