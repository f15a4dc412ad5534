// Each line is written in one piece, in either order.
//@ verdict: safe
//@ executions: 2
//@ source: the two lines in both orders; main reads after the join
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *file;

static void *print(void *name) {
  fprintf(file, "%s%s", (char *)name, (char *)name);
  return NULL;
}

int main(void) {
  pthread_t thread;
  char text[8];
  file = fopen("shared", "w+");
  pthread_create(&thread, NULL, print, "a");
  print("b");
  pthread_join(thread, NULL);
  rewind(file);
  assert(fgets(text, sizeof text, file) && (!strcmp(text, "aabb") || !strcmp(text, "bbaa")));
  fclose(file);
  return 0;
}
