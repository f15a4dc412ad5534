// The environment as memory of the process: it begins as the machine gives it, and every change is the process's own.
#include "library.h"

char **__verify_environment(void);

char **environ;
extern char **__environ EXPORT_AS("environ");
// The array that was made here last, and how many pointers it has room for. The program may have put another in its
// place.
static char **ours;
static size_t room;

__attribute__((constructor(101))) static void begin(void) { environ = __verify_environment(); }

// The index of the variable with that name, or of the end.
static size_t find(const char *name, size_t length) {
  size_t i = 0;
  if (environ)
    while (environ[i] && (strncmp(environ[i], name, length) != 0 || environ[i][length] != '='))
      i++;
  return i;
}

char *getenv(const char *name) {
  size_t length = strlen(name), i = find(name, length);
  return environ && environ[i] ? environ[i] + length + 1 : NULL;
}
char *secure_getenv(const char *name) EXPORT_AS("getenv");

// The strings that setenv made. They stay, because the program may still read what getenv gave; the same again is found
// again.
typedef struct Made {
  struct Made *next;
  char text[];
} Made;
static Made *made;

static char *make(const char *name, size_t length, const char *value) {
  for (Made *old = made; old; old = old->next)
    if (strncmp(old->text, name, length) == 0 && old->text[length] == '=' && strcmp(old->text + length + 1, value) == 0)
      return old->text;
  size_t more = strlen(value) + 1;
  Made *new = __verify_keep(sizeof *new + length + 1 + more);
  if (!new)
    return NULL;
  __builtin_memcpy(new->text, name, length);
  new->text[length] = '=';
  __builtin_memcpy(new->text + length + 1, value, more);
  new->next = made;
  made = new;
  return new->text;
}

static int put(char *text, size_t length) {
  size_t i = find(text, length);
  if (environ && environ[i]) {
    environ[i] = text;
    return 0;
  }
  if (environ != ours || i + 2 > room) {
    char **larger = __verify_keep((i + 8) * sizeof *larger);
    if (!larger)
      return -1;
    for (size_t k = 0; k < i; k++)
      larger[k] = environ[k];
    if (environ == ours)
      free(ours);
    environ = ours = larger;
    room = i + 8;
  }
  environ[i] = text;
  environ[i + 1] = NULL;
  return 0;
}

static int valid(const char *name) {
  if (name && *name && !strchr(name, '='))
    return 1;
  errno = EINVAL;
  return 0;
}

int setenv(const char *name, const char *value, int replace) {
  if (!valid(name))
    return -1;
  if (!replace && getenv(name))
    return 0;
  size_t length = strlen(name);
  char *text = make(name, length, value);
  return text ? put(text, length) : -1;
}

int unsetenv(const char *name) {
  if (!valid(name))
    return -1;
  size_t i = find(name, strlen(name));
  for (; environ && environ[i]; i++)
    environ[i] = environ[i + 1];
  return 0;
}

// Without a value the variable is removed. The text itself becomes part of the environment.
int putenv(char *text) {
  const char *end = strchr(text, '=');
  return end ? put(text, (size_t)(end - text)) : unsetenv(text);
}

int clearenv(void) {
  if (environ == ours)
    free(ours);
  environ = ours = NULL;
  room = 0;
  return 0;
}
