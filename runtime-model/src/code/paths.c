// Parts of file names.
#include "library.h"

char *basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return (char *)(slash ? slash + 1 : path);
}

// The POSIX form, which may change the path.
char *__xpg_basename(char *path) {
  if (!path || !*path)
    return ".";
  char *end = path + strlen(path);
  while (end > path + 1 && end[-1] == '/')
    *--end = 0;
  if (path[0] == '/' && !path[1])
    return path;
  return basename(path);
}

// As glibc has it, two slashes at the beginning are another root than one, or than more.
char *dirname(char *path) {
  if (!path || !*path)
    return ".";
  char *end = path + strlen(path), *slashes = end;
  while (end > path && end[-1] == '/')
    end--;
  if (end > path) {
    while (end > path && end[-1] != '/')
      end--;
    slashes = end;
    while (end > path && end[-1] == '/')
      end--;
  }
  if (slashes == path)
    return ".";
  if (end == path)
    end += slashes - path == 2 ? 2 : 1;
  *end = 0;
  return path;
}
