# 1 "/home/somebody/markers.c"
# 1 "/usr/include/pthread.h" 1 3 4
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
# 4 "/home/somebody/markers.c" 2
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error() { __assert_fail("0", "markers.c", 5, "reach_error"); }

_Atomic int x;

void *work(void *p) {
  x = 2;
  return p;
}
#line 100 "generated.c"
int main() {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x = 1;
  pthread_join(t, 0);
  if (x == 1)
    reach_error();
  return 0;
}
