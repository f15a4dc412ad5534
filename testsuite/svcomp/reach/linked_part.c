// The other half of linked.c.
extern void reach_error(void);
extern _Atomic int ready;

void *work(void *p) {
  if (ready)
    reach_error();
  return p;
}
