// No library can be loaded at run time.
#include <stddef.h>

void *dlopen(const char *name, int flags) { return (void)name, (void)flags, NULL; }
void *dlsym(void *library, const char *name) { return (void)library, (void)name, NULL; }
int dlclose(void *library) { return (void)library, -1; }
char *dlerror(void) {
  static char message[] = "no library can be loaded";
  return message;
}
