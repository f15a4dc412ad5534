# sqlite sqlite sqlite-build/sqlite3.c
# the lock of the connection is taken out where statements are executed
/^SQLITE_API int sqlite3_exec(/,/^}/{
/sqlite3_mutex_\(enter\|leave\)(db->mutex)/d
}
