# nginx nginx nginx-1.22.1/src/core/ngx_thread_pool.c
# the lock around the list of tasks that are done is taken out where a task is added
/^ngx_thread_pool_cycle/,/^}/{
/ngx_spinlock/d
}
