# apr apr-pool apr-util-1.6.3/misc/apr_thread_pool.c
# a task is taken from the list without the lock
/Run the task (or drop/,/me->recycled_tasks/{
/apr_thread_mutex_lock/d
}
/me->recycled_tasks, task,/,/elt->current_owner = NULL/s/elt->current_owner = NULL;/&\n                apr_thread_mutex_lock(me->lock);/
