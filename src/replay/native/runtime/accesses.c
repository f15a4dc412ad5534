// What the instrumentation of ThreadSanitizer calls: an access to memory, and instead of an atomic operation.
#include "scheduler.h"
#include <string.h>

static void access_to(unsigned long address, unsigned long size, int writes, unsigned long instruction) {
  if (self < 0)
    return;
  if (watches_heap)
    check_heap(address, size, writes, instruction);
  if (in_block)
    return;
  settle();
  long place = place_of(instruction - 1);
  // As long as there is one thread only, nothing is a move.
  if (place < 0 || created == 0)
    return;
  meet(address, size, writes, place);
  struct move *move = next_move();
  int fits = move && strcmp(move->kind, "access") == 0 && move->place == place;
  if (fits && (move->address == 0 || (address <= move->address && move->address < address + size)))
    done_soon(turn("access"));
}

#define HERE ((unsigned long)__builtin_return_address(0))
#define ACCESS(name, size)                                                                       \
  void __tsan_read##name(void *at) { access_to((unsigned long)at, size, 0, HERE); }              \
  void __tsan_write##name(void *at) { access_to((unsigned long)at, size, 1, HERE); }             \
  void __tsan_unaligned_read##name(void *at) { access_to((unsigned long)at, size, 0, HERE); }    \
  void __tsan_unaligned_write##name(void *at) { access_to((unsigned long)at, size, 1, HERE); }   \
  void __tsan_volatile_read##name(void *at) { access_to((unsigned long)at, size, 0, HERE); }     \
  void __tsan_volatile_write##name(void *at) { access_to((unsigned long)at, size, 1, HERE); }
ACCESS(1, 1)
ACCESS(2, 2)
ACCESS(4, 4)
ACCESS(8, 8)
ACCESS(16, 16)

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_vptr_read(void *at) { access_to((unsigned long)at, sizeof(void *), 0, HERE); }
void __tsan_vptr_update(void *at, void *value) {
  (void)value;
  access_to((unsigned long)at, sizeof(void *), 1, HERE);
}
void __tsan_read_range(void *at, unsigned long size) { access_to((unsigned long)at, size, 0, HERE); }
void __tsan_write_range(void *at, unsigned long size) { access_to((unsigned long)at, size, 1, HERE); }
void *__tsan_memcpy(void *to, const void *from, unsigned long size) {
  access_to((unsigned long)from, size, 0, HERE);
  access_to((unsigned long)to, size, 1, HERE);
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, unsigned long size) {
  access_to((unsigned long)from, size, 0, HERE);
  access_to((unsigned long)to, size, 1, HERE);
  return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, unsigned long size) {
  access_to((unsigned long)to, size, 1, HERE);
  return memset(to, value, size);
}

void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

static struct move *atomic(const volatile void *at, unsigned long size, int writes, unsigned long instruction) {
  if (watches_heap)
    check_heap((unsigned long)at, size, writes, instruction);
  if (self >= 0 && created > 0)
    meet((unsigned long)at, size, writes, place_of(instruction - 1));
  return turn("atomic");
}
static void made(struct move *move) {
  if (move)
    done(move);
}

#define MODIFY(bits, type, name, builtin)                                        \
  type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) {  \
    (void)order;                                                                 \
    struct move *move = atomic(at, sizeof *at, 1, HERE);                         \
    type old = builtin(at, value, __ATOMIC_SEQ_CST);                             \
    made(move);                                                                  \
    return old;                                                                  \
  }
#define COMPARE(bits, type, strength)                                                                      \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *at, type *expected, type value,     \
                                                        int order, int failure) {                          \
    (void)order, (void)failure;                                                                            \
    struct move *move = atomic(at, sizeof *at, 1, HERE);                                                   \
    int same = __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    made(move);                                                                                            \
    return same;                                                                                           \
  }
#define ATOMICS(bits, type)                                                                                 \
  type __tsan_atomic##bits##_load(const volatile type *at, int order) {                                     \
    (void)order;                                                                                            \
    struct move *move = atomic(at, sizeof *at, 0, HERE);                                                    \
    type value = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                     \
    made(move);                                                                                             \
    return value;                                                                                           \
  }                                                                                                         \
  void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {                              \
    (void)order;                                                                                            \
    struct move *move = atomic(at, sizeof *at, 1, HERE);                                                    \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                          \
    made(move);                                                                                             \
  }                                                                                                         \
  MODIFY(bits, type, exchange, __atomic_exchange_n)                                                         \
  MODIFY(bits, type, fetch_add, __atomic_fetch_add)                                                         \
  MODIFY(bits, type, fetch_sub, __atomic_fetch_sub)                                                         \
  MODIFY(bits, type, fetch_and, __atomic_fetch_and)                                                         \
  MODIFY(bits, type, fetch_or, __atomic_fetch_or)                                                           \
  MODIFY(bits, type, fetch_xor, __atomic_fetch_xor)                                                         \
  MODIFY(bits, type, fetch_nand, __atomic_fetch_nand)                                                       \
  COMPARE(bits, type, strong)                                                                               \
  COMPARE(bits, type, weak)                                                                                 \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order,  \
                                                  int failure) {                                            \
    (void)order, (void)failure;                                                                             \
    struct move *move = atomic(at, sizeof *at, 1, HERE);                                                    \
    __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);               \
    made(move);                                                                                             \
    return expected;                                                                                        \
  }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned int)
ATOMICS(64, unsigned long long)
