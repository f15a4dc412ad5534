//@ part-of: linked.c
int shared;
static int counter = 100;

static int next(void) {
  return ++counter;
}

int next_of_part(void) {
  shared++;
  return next();
}
