//@ verdict: unsafe(assertion)
//@ revisions: first second
//@[first] cflags: -DFIRST=0
//@[second] cflags: -DFIRST=1
//@ cutoffs: needed
// Whether an address comes again depends on where its block was allocated, here at either of two places. States that differ in
// nothing else are not the same. (Without cutoffs addresses come again much later.)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    int *first = 0;
    uintptr_t address = 0;
    for (int i = 0; i < 3; i++) {
        int *block;
        if (i == 0 && __VERIFIER_nondet_bool() == FIRST)
            block = malloc(sizeof *block);
        else
            block = malloc(sizeof *block);
        *block = 1;
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        if (i == 0) {
            first = block;
            address = (uintptr_t)block;
        } else if (i == 1) {
            free(first);
            free(block);
        } else {
            assert((uintptr_t)block != address); //~ assertion
            free(block);
        }
    }
    return 0;
}
