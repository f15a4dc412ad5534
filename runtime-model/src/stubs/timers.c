// Timers are set, and do not go off.
#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

unsigned alarm(unsigned seconds) { return (void)seconds, 0; }
unsigned ualarm(unsigned time, unsigned interval) { return (void)time, (void)interval, 0; }
int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old) {
  (void)which, (void)new;
  if (old)
    memset(old, 0, sizeof *old);
  return 0;
}
int getitimer(__itimer_which_t which, struct itimerval *to) { return (void)which, memset(to, 0, sizeof *to), 0; }
int timer_create(clockid_t clock, struct sigevent *event, timer_t *to) { return (void)clock, (void)event, *to = 0, 0; }
int timer_settime(timer_t timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
  (void)timer, (void)flags, (void)new;
  if (old)
    memset(old, 0, sizeof *old);
  return 0;
}
int timer_gettime(timer_t timer, struct itimerspec *to) { return (void)timer, memset(to, 0, sizeof *to), 0; }
int timer_delete(timer_t timer) { return (void)timer, 0; }
int timer_getoverrun(timer_t timer) { return (void)timer, 0; }
