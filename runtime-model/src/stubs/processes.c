// No other process can be made.
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

static int fails(int error) {
  errno = error;
  return -1;
}

pid_t fork(void) { return fails(EAGAIN); }
pid_t vfork(void) { return fails(EAGAIN); }
int execv(const char *file, char *const arguments[]) { return (void)file, (void)arguments, fails(ENOENT); }
int execvp(const char *file, char *const arguments[]) { return (void)file, (void)arguments, fails(ENOENT); }
int execve(const char *file, char *const arguments[], char *const environment[]) {
  return (void)file, (void)arguments, (void)environment, fails(ENOENT);
}
int posix_spawn(pid_t *child, const char *file, const void *actions, const void *attributes, char *const arguments[],
                char *const environment[]) {
  return (void)child, (void)file, (void)actions, (void)attributes, (void)arguments, (void)environment, EAGAIN;
}
int posix_spawnp(pid_t *child, const char *file, const void *actions, const void *attributes, char *const arguments[],
                 char *const environment[]) {
  return posix_spawn(child, file, actions, attributes, arguments, environment);
}
pid_t wait(int *status) { return (void)status, fails(ECHILD); }
pid_t waitpid(pid_t child, int *status, int options) { return (void)child, (void)status, (void)options, fails(ECHILD); }
// Without a command it says that there is no shell.
int system(const char *command) { return command ? fails(EAGAIN) : 0; }
void *popen(const char *command, const char *mode) { return (void)command, (void)mode, errno = EAGAIN, NULL; }
int pclose(void *stream) { return (void)stream, fails(ECHILD); }
int daemon(int stays, int keeps) { return (void)stays, (void)keeps, fails(EAGAIN); }
