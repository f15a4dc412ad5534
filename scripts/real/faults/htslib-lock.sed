# htslib htslib htslib-1.16/thread_pool.c
# the lock around the list of results is taken out where a result is added
/^static int hts_tpool_add_result/,/^}/{
/pthread_mutex_/d
}
