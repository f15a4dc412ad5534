# htslib htslib htslib-1.16/thread_pool.c
# `if` for `while` around the wait for a result
s/while (!(r = hts_tpool_next_result_locked(q))) {/if (!(r = hts_tpool_next_result_locked(q))) {/
