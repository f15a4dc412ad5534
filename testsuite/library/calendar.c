//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void) {
  setenv("TZ", "UTC0", 1);
  tzset();
  char text[100];
  time_t times[] = {0, 951782400, 1700000000, -1, 1735603200, 1704067199};
  const char *dates[] = {"1970-01-01 00:00:00 Thu 001 01 00 00", "2000-02-29 00:00:00 Tue 060 09 09 09",
                         "2023-11-14 22:13:20 Tue 318 46 46 46", "1969-12-31 23:59:59 Wed 365 01 52 52",
                         "2024-12-31 00:00:00 Tue 366 01 52 53", "2023-12-31 23:59:59 Sun 365 52 53 52"};
  for (int i = 0; i < 6; i++) {
    struct tm *split = gmtime(&times[i]), copy = *split;
    assert(strftime(text, sizeof text, "%F %T %a %j %V %U %W", split) == 36 && !strcmp(text, dates[i]));
    assert(mktime(&copy) == times[i] && timegm(split) == times[i]);
  }
  struct tm local;
  localtime_r(&times[2], &local);
  assert(local.tm_yday == 317 && local.tm_hour == 22 && local.tm_isdst == 0);
  assert(strftime(text, sizeof text, "%c|%D|%I%p|%e|%y|%G|%%|%s", &local) == 62);
  assert(!strcmp(text, "Tue Nov 14 22:13:20 2023|11/14/23|10PM|14|23|2023|%|1700000000"));
  assert(strftime(text, 4, "%Y", &local) == 0 && !strcmp(ctime(&times[2]), "Tue Nov 14 22:13:20 2023\n"));
  local.tm_mon += 14;
  local.tm_mday = -3;
  assert(mktime(&local) == 1735424000 && local.tm_mon == 11 && local.tm_mday == 28 && local.tm_wday == 6);
  return 0;
}
