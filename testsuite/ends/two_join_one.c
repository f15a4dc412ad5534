// Two threads join the same one. The one that comes second misuses the library, but that is not checked here. What is
// wrong if the second one of them comes first has to be found nevertheless.
//@ args: --check=-misuse
//@ verdict: unsafe(assertion)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t joined;
static atomic_int first;

static void *ends(void *unused) {
    atomic_load(&first);
    return unused;
}

static void *joins(void *number) {
    pthread_join(joined, NULL);
    int nobody = 0;
    if (atomic_compare_exchange_strong(&first, &nobody, (int)(long)number) && (long)number == 2)
        assert(0); //~ assertion
    return NULL;
}

int main(void) {
    pthread_t ids[2];
    pthread_create(&joined, NULL, ends, NULL);
    pthread_create(&ids[0], NULL, joins, (void *)1L);
    pthread_create(&ids[1], NULL, joins, (void *)2L);
    pthread_join(ids[0], NULL);
    pthread_join(ids[1], NULL);
    return 0;
}
