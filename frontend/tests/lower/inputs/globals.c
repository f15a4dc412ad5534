struct list {
  struct list *next;
  const char *name;
  double d;
};
static struct list first = {0, "first", 0.5};
struct list second = {&first, "second", -1};
int numbers[6] = {1, [3] = -1};
int *middle = &numbers[3];
long address = (long)&numbers[1];
const unsigned short constants[] = {1, 2, 65535};
extern int elsewhere;
extern int other __attribute__((alias("numbers")));
_Thread_local int per_thread = 9;
static void before(void) __attribute__((constructor(200)));
static void earlier(void) __attribute__((constructor(150)));
static void after(void) __attribute__((destructor));
static void before(void) { numbers[0] = elsewhere; }
static void earlier(void) { numbers[1] = other; }
static void after(void) { numbers[2] = per_thread; }
int main(void) {
  return 0;
}
