// There is no network: no socket can be made, and no descriptor is one.
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

static int fails(int error) {
  errno = error;
  return -1;
}

struct sockaddr;
struct msghdr;
struct addrinfo;
int socket(int domain, int type, int protocol) { return (void)domain, (void)type, (void)protocol, fails(EAFNOSUPPORT); }
int connect(int s, const struct sockaddr *to, unsigned size) { return (void)s, (void)to, (void)size, fails(ENOTSOCK); }
int bind(int s, const struct sockaddr *to, unsigned size) { return (void)s, (void)to, (void)size, fails(ENOTSOCK); }
int listen(int s, int waiting) { return (void)s, (void)waiting, fails(ENOTSOCK); }
int accept(int s, struct sockaddr *from, unsigned *size) { return (void)s, (void)from, (void)size, fails(ENOTSOCK); }
int accept4(int s, struct sockaddr *from, unsigned *size, int flags) {
  return (void)s, (void)from, (void)size, (void)flags, fails(ENOTSOCK);
}
int getsockopt(int s, int level, int name, void *to, unsigned *size) {
  return (void)s, (void)level, (void)name, (void)to, (void)size, fails(ENOTSOCK);
}
int setsockopt(int s, int level, int name, const void *from, unsigned size) {
  return (void)s, (void)level, (void)name, (void)from, (void)size, fails(ENOTSOCK);
}
int getsockname(int s, struct sockaddr *to, unsigned *size) { return (void)s, (void)to, (void)size, fails(ENOTSOCK); }
int getpeername(int s, struct sockaddr *to, unsigned *size) { return (void)s, (void)to, (void)size, fails(ENOTSOCK); }
ssize_t sendto(int s, const void *from, size_t size, int flags, const struct sockaddr *to, unsigned length) {
  return (void)s, (void)from, (void)size, (void)flags, (void)to, (void)length, fails(ENOTSOCK);
}
ssize_t recvfrom(int s, void *to, size_t size, int flags, struct sockaddr *from, unsigned *length) {
  return (void)s, (void)to, (void)size, (void)flags, (void)from, (void)length, fails(ENOTSOCK);
}
ssize_t sendmsg(int s, const struct msghdr *message, int flags) {
  return (void)s, (void)message, (void)flags, fails(ENOTSOCK);
}
ssize_t recvmsg(int s, struct msghdr *message, int flags) { return (void)s, (void)message, (void)flags, fails(ENOTSOCK); }
int shutdown(int s, int how) { return (void)s, (void)how, fails(ENOTSOCK); }

// EAI_FAIL.
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  return (void)node, (void)service, (void)hints, (void)found, -4;
}
void freeaddrinfo(struct addrinfo *list) { (void)list; }
const char *gai_strerror(int error) { return (void)error, "Non-recoverable failure in name resolution"; }
