// Measurements of the process are zero.
#include <string.h>
#include <sys/resource.h>
#include <sys/times.h>

int getrusage(__rusage_who_t who, struct rusage *to) { return (void)who, memset(to, 0, sizeof *to), 0; }
clock_t times(struct tms *to) { return memset(to, 0, sizeof *to), 0; }
int getloadavg(double to[], int count) {
  for (int i = 0; i < count && i < 3; i++)
    to[i] = 0;
  return count < 3 ? count : 3;
}
