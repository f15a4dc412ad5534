// SQLite: two threads with one connection to a database in memory. Each adds a row in a transaction of one statement;
// both rows are there at the end.
#include <assert.h>
#include <pthread.h>
#include <sqlite3.h>

static sqlite3 *base;

static void *add(void *statement) {
  assert(sqlite3_exec(base, statement, 0, 0, 0) == SQLITE_OK);
  return 0;
}

static int sum(void *unused, int columns, char **values, char **names) {
  assert(columns == 1 && values[0][0] == '3' && values[0][1] == 0);
  return 0;
}

int main(void) {
  assert(sqlite3_open(":memory:", &base) == SQLITE_OK);
  add("CREATE TABLE t(x)");
  pthread_t threads[2];
  pthread_create(&threads[0], 0, add, "INSERT INTO t VALUES(1)");
  pthread_create(&threads[1], 0, add, "INSERT INTO t VALUES(2)");
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(sqlite3_exec(base, "SELECT sum(x) FROM t", sum, 0, 0) == SQLITE_OK);
  assert(sqlite3_close(base) == SQLITE_OK);
}
