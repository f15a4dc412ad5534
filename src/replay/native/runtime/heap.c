// The heap, if a fault of memory is expected. Every block has an address of its own for ever. So it is known which
// blocks have been freed, and where blocks end.
//
// AddressSanitizer would do more, but its hooks and those of ThreadSanitizer, at which threads are held back, exclude
// each other.
#define _GNU_SOURCE
#include "scheduler.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef WATCH_HEAP
int watches_heap = 0;
void check_heap(unsigned long address, unsigned long size, int writes, unsigned long instruction) {
  (void)address, (void)size, (void)writes, (void)instruction;
}
#else
int watches_heap = 1;

// Addresses that are reserved, and the most blocks.
enum { MOST_BLOCKS = 1 << 22, GAP = 32 };
static const size_t ROOM = (size_t)1 << 38;

struct block { uintptr_t base; size_t size; _Atomic int freed_by; };
static struct block *blocks;
static int block_count;
static uintptr_t room, next;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void *reserve(size_t size) {
  void *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? 0 : at;
}

static void *allocate(size_t size, size_t alignment) {
  while (atomic_flag_test_and_set(&busy))
    ;
  if (!room) {
    room = next = (uintptr_t)reserve(ROOM);
    blocks = reserve(MOST_BLOCKS * sizeof *blocks);
  }
  void *result = 0;
  uintptr_t base = (next + GAP + alignment - 1) & ~(alignment - 1);
  if (room && blocks && block_count < MOST_BLOCKS && size < ROOM && base + size < room + ROOM) {
    blocks[block_count++] = (struct block){base, size, -1};
    next = base + size;
    result = (void *)base;
  } else {
    errno = ENOMEM;
  }
  atomic_flag_clear(&busy);
  return result;
}

// The last block that begins at that address or before it.
static struct block *block_at(uintptr_t address) {
  if (!room || address < room || address >= room + ROOM)
    return 0;
  int low = 0, high = block_count;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (blocks[middle].base <= address)
      low = middle;
    else
      high = middle;
  }
  return &blocks[low];
}

// What is compared with the report.
#define COMPARED "\nthread %d\nplace %ld\n"

void check_heap(unsigned long address, unsigned long size, int writes, unsigned long instruction) {
  struct block *block = block_at(address);
  if (!block || self < 0)
    return;
  const char *verb = writes ? "writes" : "reads";
  long offset = (long)(address - block->base);
  if (block->freed_by != -1)
    tell("memory thread %d %s %lu bytes at offset %ld of a block of %zu bytes that thread %d has freed" COMPARED, self, verb,
         size, offset, block->size, block->freed_by, self, failure_place(instruction));
  else if (offset < 0 || offset + size > block->size)
    tell("memory thread %d %s %lu bytes at offset %ld of a block of %zu bytes" COMPARED, self, verb, size, offset,
         block->size, self, failure_place(instruction));
  else
    return;
  _exit(97);
}

void *malloc(size_t size) {
  return allocate(size, 16);
}
void *calloc(size_t count, size_t size) {
  size_t all;
  return __builtin_mul_overflow(count, size, &all) ? 0 : allocate(all, 16);
}
static void release(void *at, unsigned long instruction) {
  struct block *block = block_at((uintptr_t)at);
  int good = block && block->base == (uintptr_t)at && block->freed_by == -1;
  if (at && !good) {
    const char *why = block && block->base == (uintptr_t)at ? "has been freed before" : "is no block of the heap";
    tell("memory thread %d frees 0x%lx, which %s" COMPARED, self, (unsigned long)at, why, self,
         failure_place(instruction));
    _exit(97);
  }
  if (good)
    block->freed_by = self < 0 ? 0 : self;
}
void free(void *at) {
  release(at, (unsigned long)__builtin_return_address(0));
}
void *realloc(void *at, size_t size) {
  struct block *block = block_at((uintptr_t)at);
  void *result = allocate(size, 16);
  if (result && block)
    memcpy(result, at, block->size < size ? block->size : size);
  if (result)
    release(at, (unsigned long)__builtin_return_address(0));
  return result;
}
void *aligned_alloc(size_t alignment, size_t size) {
  return allocate(size, alignment < 16 ? 16 : alignment);
}
void *memalign(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  *result = aligned_alloc(alignment, size);
  return *result ? 0 : ENOMEM;
}
size_t malloc_usable_size(void *at) {
  struct block *block = block_at((uintptr_t)at);
  return block && block->base == (uintptr_t)at ? block->size : 0;
}
#endif
