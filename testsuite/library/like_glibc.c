//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
// Where glibc goes its own way, so do we.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void paths(void) {
  char two[] = "//", three[] = "///", under[] = "//usr", deep[] = "a//b//", name[] = "name";
  assert(!strcmp(dirname(two), "//") && !strcmp(dirname(three), "/") && !strcmp(dirname(under), "//"));
  assert(!strcmp(dirname(deep), "a") && !strcmp(dirname(name), "."));
}

static void dates(void) {
  char text[64], far[26];
  struct tm date = {.tm_year = 67, .tm_mday = 1, .tm_hour = 5}, end = {.tm_year = 8100, .tm_mday = 1};
  time_t time = timegm(&date);
  assert(strftime(text, sizeof text, "%Z %C %y", &date) && !strcmp(text, "GMT 19 67"));
  date.tm_isdst = 1;
  assert(mktime(&date) == time - 3600 && date.tm_hour == 4 && date.tm_isdst == 0);
  errno = 0;
  assert(!asctime_r(&end, far) && errno == EOVERFLOW && strlen(asctime(&end)) == 26);
  end.tm_year = INT_MAX;
  assert(!asctime(&end));
}

static void streams(void) {
  char *bytes;
  size_t size;
  FILE *stream = open_memstream(&bytes, &size);
  fputs("abcdef", stream);
  fseek(stream, 2, SEEK_SET);
  assert(fflush(stream) == 0 && size == 2 && bytes[2] == 'c');
  fclose(stream);
  assert(size == 2 && !strcmp(bytes, "ab"));
  free(bytes);
}

int main(void) {
  setenv("TZ", "UTC0", 1);
  paths();
  dates();
  streams();
  return 0;
}
