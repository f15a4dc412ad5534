# libevent libevent libevent-2.1.12-stable/event.c
# the lock is taken out where an event is made active
/^event_active(/,/^}/{
/EVBASE_.*_LOCK/d
}
