# sqlite sqlite sqlite-build/sqlite3.c
# a mutex is freed twice when the connection is closed
/^SQLITE_PRIVATE void sqlite3LeaveMutexAndCloseZombie/,/^}/s/  sqlite3_mutex_free(db->mutex);/&\n&/
