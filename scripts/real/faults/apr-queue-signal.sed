# apr apr-queue apr-util-1.6.3/misc/apr_queue.c
# off by one: who waits for room is told only if two wait
s/if (queue->full_waiters) {/if (queue->full_waiters > 1) {/
