// Directories: of those that the program makes it is known what they are; others are there if there are files in them,
// and a file can be made in any that was not removed.
//
// Whoever opens a directory finds what was in it at that moment, the newest first.
#include "files.h"

#ifdef __LP64__
typedef struct {
  unsigned long number;
  long offset;
  unsigned short size;
  unsigned char type;
  char name[256];
} Entry;

typedef struct {
  int descriptor;
  size_t count, next;
  char *plain;
  struct {
    char *name;
    int type;
  } *entries;
  Entry current;
} Directory;
enum { TYPE_DIRECTORY = 4, TYPE_FILE = 8 };

long __verify_file_name(size_t number, char *to, size_t room);

int __verify_remove_directory(const char *name);
int rmdir(const char *name) { return __verify_remove_directory(name); }

// A file that the user gave and that nobody asked for yet, by its number; `more`: there may be others behind it.
static const char *given_file(size_t number, int *more) {
  static char given[512];
  *more = __verify_file_name(number, given, sizeof given) >= 0;
  const char *begin = given;
  while (*more && *begin == '/')
    begin++;
  return *more && !__verify_known(begin, strlen(begin)) ? begin : NULL;
}

// Whether a file is in that directory, or below it.
static int has_files(const char *plain) {
  size_t length = strlen(plain);
  int more = 1;
  for (File *file = __verify_files; file; file = file->next)
    if (file->kind != REMOVED && strncmp(file->name, plain, length) == 0 && file->name[length] == '/')
      return 1;
  for (size_t i = 0; more; i++) {
    const char *given = given_file(i, &more);
    if (given && strncmp(given, plain, length) == 0 && given[length] == '/')
      return 1;
  }
  return 0;
}

int mkdir(const char *name, unsigned mode) {
  (void)mode;
  if (!*name) {
    errno = ENOENT;
    return -1;
  }
  int more = 1;
  pthread_mutex_lock(&__verify_names);
  char *plain = __verify_plain_name(name);
  size_t length = strlen(plain);
  File *known = __verify_known(plain, length);
  int error = !length || (known && known->kind != REMOVED) || (!known && has_files(plain)) ? EXISTS : __verify_outside(plain);
  for (size_t i = 0; !error && !known && more; i++) {
    const char *given = given_file(i, &more);
    if (given && strcmp(given, plain) == 0)
      error = EXISTS;
  }
  if (!error && !known)
    known = __verify_make(plain);
  if (!error)
    known->kind = DIRECTORY;
  else
    errno = error;
  pthread_mutex_unlock(&__verify_names);
  return error ? -1 : 0;
}

static void add(Directory *to, const char *name, size_t length, int type) {
  for (size_t i = 0; i < to->count; i++)
    if (strncmp(to->entries[i].name, name, length) == 0 && !to->entries[i].name[length])
      return;
  if (length >= sizeof to->current.name)
    __verify_not_modelled("a name of more than 255 bytes in a directory");
  to->entries = realloc(to->entries, (to->count + 1) * sizeof *to->entries);
  to->entries[to->count].name = malloc(length + 1);
  __builtin_memcpy(to->entries[to->count].name, name, length);
  to->entries[to->count].name[length] = 0;
  to->entries[to->count++].type = type;
}

// If it is in the directory: the first part of what is behind that.
static void add_below(Directory *to, const char *name, int type) {
  size_t prefix = strlen(to->plain);
  if (prefix && (strncmp(name, to->plain, prefix) != 0 || name[prefix] != '/'))
    return;
  const char *begin = name + prefix + (prefix != 0), *end = strchr(begin, '/');
  if (*begin)
    add(to, begin, end ? (size_t)(end - begin) : strlen(begin), end ? TYPE_DIRECTORY : type);
}

static void forget(Directory *directory) {
  for (size_t i = 0; i < directory->count; i++)
    free(directory->entries[i].name);
  free(directory->entries);
  directory->entries = NULL;
  directory->count = directory->next = 0;
}

// What is in it now. The lock of names is held.
static void look(Directory *directory) {
  int more = 1;
  add(directory, ".", 1, TYPE_DIRECTORY);
  add(directory, "..", 2, TYPE_DIRECTORY);
  for (File *file = __verify_files; file; file = file->next)
    if (file->kind != REMOVED && strcmp(file->name, "dev/stdin") != 0)
      add_below(directory, file->name, file->kind == DIRECTORY ? TYPE_DIRECTORY : TYPE_FILE);
  for (size_t i = 0; more; i++) {
    const char *given = given_file(i, &more);
    if (given)
      add_below(directory, given, TYPE_FILE);
  }
}

Directory *opendir(const char *name) {
  pthread_mutex_lock(&__verify_names);
  char *plain = __verify_plain_name(name);
  File *known = __verify_known(plain, strlen(plain));
  int error = 0, more = 1;
  if (*plain && !known)
    for (size_t i = 0; more; i++) {
      const char *given = given_file(i, &more);
      if (given && strcmp(given, plain) == 0)
        error = NOT_A_DIRECTORY;
    }
  if (error)
    ;
  else if (known && known->kind == ORDINARY)
    error = NOT_A_DIRECTORY;
  else if (!*name || (known ? known->kind == REMOVED : *plain && !has_files(plain)))
    error = ENOENT;
  int descriptor = error ? -1 : __verify_open_file(__verify_make(NULL), 0);
  Directory *directory = NULL;
  if (descriptor >= 0) {
    directory = malloc(sizeof *directory);
    *directory = (Directory){.descriptor = descriptor};
    directory->plain = malloc(strlen(plain) + 1);
    __builtin_memcpy(directory->plain, plain, strlen(plain) + 1);
    look(directory);
  } else if (error)
    errno = error;
  pthread_mutex_unlock(&__verify_names);
  return directory;
}

Entry *readdir(Directory *directory) {
  if (directory->next == directory->count)
    return NULL;
  Entry *entry = &directory->current;
  size_t at = directory->next++, length = strlen(directory->entries[at].name);
  *entry = (Entry){.number = 1000 + at, .offset = (long)directory->next, .size = sizeof *entry};
  entry->type = (unsigned char)directory->entries[at].type;
  __builtin_memcpy(entry->name, directory->entries[at].name, length + 1);
  return entry;
}
Entry *readdir64(Directory *directory) EXPORT_AS("readdir");

void rewinddir(Directory *directory) {
  pthread_mutex_lock(&__verify_names);
  forget(directory);
  look(directory);
  pthread_mutex_unlock(&__verify_names);
}

int closedir(Directory *directory) {
  __verify_close(directory->descriptor);
  forget(directory);
  free(directory->plain);
  free(directory);
  return 0;
}
#endif
