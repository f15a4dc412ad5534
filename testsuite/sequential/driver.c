// Runs each of the programs of a file in a process of its own, between lines that say which one it is and how it ended.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern int (*const programs[])(void);
extern const int program_count;

int main(void) {
  dup2(1, 2);
  for (int i = 0; i < program_count; i++) {
    printf("\n@@ begins %d\n", i);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      alarm(5);
      exit(programs[i]());
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status))
      printf("\n@@ ends %d exit %d\n", i, WEXITSTATUS(status));
    else
      printf("\n@@ ends %d signal %d\n", i, WTERMSIG(status));
  }
}
