// Semaphores with names. As in a real system a name leads to a semaphore that outlives its closing, with its value,
// until the name is gone; opening one that is open gives the same address again. Each operation is atomic with respect
// to other threads.
#include "library.h"

enum { EEXIST = 17, ENAMETOOLONG = 36, CREATE = 0100, EXCLUSIVE = 0200, LONGEST = 251 };

typedef struct {
  long words[4];
} Semaphore;
// A pthread_mutex_t.
typedef struct {
  long words[6];
} Mutex;
int pthread_mutex_lock(Mutex *);
int pthread_mutex_unlock(Mutex *);
int sem_init(Semaphore *, int, unsigned);
int sem_destroy(Semaphore *);
int sem_getvalue(Semaphore *, int *);

typedef struct Named {
  char *name;           // null: unlinked
  Semaphore *semaphore; // null: not open
  int value;            // while it is not open
  unsigned references;
  struct Named *next;
} Named;

// All that are open or have names.
static Named *all;
static Mutex lock;

// The name as the system knows it, or null.
static const char *valid(const char *name) {
  while (*name == '/')
    name++;
  if (strlen(name) > LONGEST) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  if (!*name || strchr(name, '/')) {
    errno = EINVAL;
    return NULL;
  }
  return name;
}

static Named *find(const char *name) {
  Named *named = all;
  while (named && !(named->name && strcmp(named->name, name) == 0))
    named = named->next;
  return named;
}

static Named *make(const char *name, unsigned value) {
  if (value > __INT_MAX__) {
    errno = EINVAL;
    return NULL;
  }
  Named *named = __verify_keep(sizeof *named);
  char *copy = __verify_keep(strlen(name) + 1);
  __builtin_memcpy(copy, name, strlen(name) + 1);
  *named = (Named){.name = copy, .value = (int)value, .next = all};
  return all = named;
}

static void forget(Named *named) {
  Named **place = &all;
  while (*place != named)
    place = &(*place)->next;
  *place = named->next;
  free(named);
}

static Semaphore *open(const char *name, int flags, unsigned value) {
  Named *named = find(name);
  if (named && (flags & CREATE) && (flags & EXCLUSIVE)) {
    errno = EEXIST;
    return NULL;
  }
  if (!named && !(flags & CREATE)) {
    errno = ENOENT;
    return NULL;
  }
  if (!named && !(named = make(name, value)))
    return NULL;
  if (named->references++ == 0) {
    named->semaphore = malloc(sizeof *named->semaphore);
    sem_init(named->semaphore, 1, (unsigned)named->value);
  }
  return named->semaphore;
}

Semaphore *sem_open(const char *name, int flags, ...) {
  __verify_may_be_cancelled();
  unsigned value = 0;
  if (flags & CREATE) {
    va_list list;
    va_start(list, flags);
    (void)va_arg(list, unsigned); // permissions: all threads are the same user
    value = va_arg(list, unsigned);
    va_end(list);
  }
  const char *known = valid(name);
  if (!known)
    return NULL;
  pthread_mutex_lock(&lock);
  Semaphore *semaphore = open(known, flags, value);
  pthread_mutex_unlock(&lock);
  return semaphore;
}

static int close(Semaphore *semaphore) {
  Named *named = all;
  while (named && named->semaphore != semaphore)
    named = named->next;
  if (!semaphore || !named) {
    errno = EINVAL;
    return -1;
  }
  if (--named->references == 0) {
    // Its memory goes, so that no thread can go on using it unseen.
    sem_getvalue(semaphore, &named->value);
    sem_destroy(semaphore);
    free(semaphore);
    named->semaphore = NULL;
    if (!named->name)
      forget(named);
  }
  return 0;
}

int sem_close(Semaphore *semaphore) {
  pthread_mutex_lock(&lock);
  int result = close(semaphore);
  pthread_mutex_unlock(&lock);
  return result;
}

int sem_unlink(const char *name) {
  const char *known = valid(name);
  if (!known)
    return -1;
  pthread_mutex_lock(&lock);
  Named *named = find(known);
  if (named) {
    free(named->name);
    named->name = NULL;
    if (named->references == 0)
      forget(named);
  } else {
    errno = ENOENT;
  }
  pthread_mutex_unlock(&lock);
  return named ? 0 : -1;
}
