// LMDB (mdb.c): one thread writes two values in two transactions, another reads both in one: it sees none or both of
// what a transaction wrote, and the same throughout.
#include <assert.h>
#include <lmdb.h>
#include <pthread.h>
#include <string.h>

static MDB_env *environment;
static MDB_dbi base;

static void check(int error) {
  assert(error == MDB_SUCCESS);
}

static void put(MDB_txn *transaction, const char *key, const char *value) {
  MDB_val k = {1, (void *)key}, v = {1, (void *)value};
  check(mdb_put(transaction, base, &k, &v, 0));
}

static char get(MDB_txn *transaction, const char *key) {
  MDB_val k = {1, (void *)key}, v;
  check(mdb_get(transaction, base, &k, &v));
  return *(char *)v.mv_data;
}

static void *write_both(void *value) {
  MDB_txn *transaction;
  check(mdb_txn_begin(environment, NULL, 0, &transaction));
  put(transaction, "a", value);
  put(transaction, "b", value);
  check(mdb_txn_commit(transaction));
  return 0;
}

static void *read_both(void *unused) {
  MDB_txn *transaction;
  check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction));
  assert(get(transaction, "a") == get(transaction, "b"));
  mdb_txn_abort(transaction);
  return 0;
}

int main(void) {
  check(mdb_env_create(&environment));
  check(mdb_env_set_mapsize(environment, 1 << 16));
  check(mdb_env_set_maxreaders(environment, 4));
  check(mdb_env_open(environment, "base", MDB_NOSUBDIR | MDB_WRITEMAP, 0600));
  MDB_txn *transaction;
  check(mdb_txn_begin(environment, NULL, 0, &transaction));
  check(mdb_dbi_open(transaction, NULL, 0, &base));
  check(mdb_txn_commit(transaction));
  write_both("1");
  pthread_t writer, reader;
  pthread_create(&writer, 0, write_both, "2");
  pthread_create(&reader, 0, read_both, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
  mdb_env_close(environment);
}
