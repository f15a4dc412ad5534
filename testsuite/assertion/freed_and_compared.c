//@ revisions: freed kept number number32 number_kept bytes bytes_kept asked asked32 number_asked bytes_asked kept_asked
//@ verdict: safe
//@[asked asked32 number_asked bytes_asked] verdict: unsafe(assertion)
//@[asked asked32 number_asked bytes_asked kept_asked] args: --reuse all
//@[asked32] cflags: -m32
//@[number_asked] cflags: -DSAME(a,b)=((uintptr_t)(a)==(uintptr_t)(b))
//@[bytes_asked] cflags: -DSAME(a,b)=(memcmp(&(a),&(b),sizeof(a))==0)
//@[kept_asked] cflags: -DKEPT
//@[freed number number32 bytes] assumes: fresh-addresses
//@[kept number_kept bytes_kept kept_asked] assumes-not: fresh-addresses
//@[kept] cflags: -DKEPT
//@[number] cflags: -DSAME(a,b)=((uintptr_t)(a)==(uintptr_t)(b))
//@[number32] cflags: -m32 -DSAME(a,b)=((uintptr_t)(a)==(uintptr_t)(b))
//@[number_kept] cflags: -DKEPT -DSAME(a,b)=((uintptr_t)(a)==(uintptr_t)(b))
//@[bytes] cflags: -DSAME(a,b)=(memcmp(&(a),&(b),sizeof(a))==0)
//@[bytes_kept] cflags: -DKEPT -DSAME(a,b)=(memcmp(&(a),&(b),sizeof(a))==0)
// With locks only: what is compared with the pointer that was seen before may be another block at the same address. That is not
// explored, and said, also if numbers or bytes are compared; with `--reuse all` it is explored.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifndef SAME
#define SAME(a, b) ((a) == (b))
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared, replaced;

static void *look_twice(void *unused) {
  pthread_mutex_lock(&mutex);
  int *seen = shared, was_replaced = replaced;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  if (seen && !was_replaced && SAME(shared, seen))
    assert(*seen == 1); //~[asked asked32 number_asked bytes_asked] assertion
  pthread_mutex_unlock(&mutex);
  return 0;
}

static int *put(int *block, int value) {
  pthread_mutex_lock(&mutex);
  int *old = shared;
  shared = block;
  if (block)
    *block = value;
  replaced = value == 2;
  pthread_mutex_unlock(&mutex);
  return old;
}

int main(void) {
  pthread_t thread;
  put(malloc(sizeof(int)), 1);
  pthread_create(&thread, 0, look_twice, 0);
  int *first = put(0, 1);
#ifndef KEPT
  free(first);
#endif
  put(malloc(sizeof(int)), 2);
  pthread_join(thread, 0);
#ifdef KEPT
  free(first);
#endif
  free(put(0, 2));
}
