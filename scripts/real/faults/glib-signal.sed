# glib glib glib-2.74.6/glib/gasyncqueue.c
# the signal for a new element is left out
/^g_async_queue_push_unlocked/,/^}/{
/waiting_threads > 0/,/g_cond_signal/d
}
