# nginx nginx nginx-1.22.1/src/core/ngx_thread_pool.c
# `if` for `while` around the wait for a task
s/while (tp->queue.first == NULL) {/if (tp->queue.first == NULL) {/
