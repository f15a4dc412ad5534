# apr apr-pool apr-util-1.6.3/misc/apr_thread_pool.c
# the signal for a new task is left out
/^static apr_status_t add_task/,/^}/{
/apr_thread_cond_signal(me->more_work)/d
}
