# glib glib glib-2.74.6/glib/gthread-posix.c
# a mutex that is unlocked wakes nobody
/^g_mutex_unlock_slowpath/,/^}/{
/FUTEX_WAKE_PRIVATE/d
}
