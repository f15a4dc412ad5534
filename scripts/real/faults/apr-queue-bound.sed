# apr apr-queue apr-util-1.6.3/misc/apr_queue.c
# an index off by one: the queue goes on behind its last element
s/if (queue->in >= queue->bounds)/if (queue->in > queue->bounds)/
