//@ verdict: unsafe(data-race)
//@ orders: 2
#include "../threads.h"
#include <string.h>
static struct pair { int a, b; } shared, copy;

static void *writer(void *arg) {
  shared.b = 1; //~ data-race
  return 0;
}

static void *reader(void *arg) {
  memcpy(&copy, &shared, sizeof copy); //~ data-race
  return 0;
}

int main(void) {
  run_all(2, (routine *[]){writer, reader});
  return 0;
}
