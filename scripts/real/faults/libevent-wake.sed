# libevent libevent libevent-2.1.12-stable/event.c
# the loop is not woken when another thread makes an event active
/^event_callback_activate_nolock_/,/^}/{
/EVBASE_NEED_NOTIFY/,/evthread_notify_base/d
}
