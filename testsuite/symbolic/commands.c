//@ revisions: safe broken
//@[safe] verdict: safe
//@[broken] verdict: unsafe(assertion)
//@[broken] cflags: -DBROKEN
// A worker carries out commands, whose letters may be large or small. Whoever is no administrator must not set anything. BROKEN: the
// check compares the letters as they are, the worker does not, so that "SeT" goes through.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>
extern char __VERIFIER_nondet_char(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static char command[4];
static int full, administrator, changed;

static int is_allowed(const char *c) {
#ifdef BROKEN
  return administrator || strcmp(c, "set") != 0;
#else
  return administrator || strcasecmp(c, "set") != 0;
#endif
}

static void *worker(void *unused) {
  pthread_mutex_lock(&m);
  while (!full)
    pthread_cond_wait(&ready, &m);
  if (strcasecmp(command, "set") == 0)
    changed = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  char given[4] = {0};
  for (int i = 0; i < 3; i++)
    given[i] = __VERIFIER_nondet_char();
  pthread_mutex_lock(&m);
  strcpy(command, is_allowed(given) ? given : "get");
  full = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(!changed); //~[broken] assertion
  return 0;
}
