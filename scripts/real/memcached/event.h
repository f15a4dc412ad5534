// As much of libevent as memcached's threads need: a loop that waits for one descriptor, and calls one function.
#ifndef EVENT_H
#define EVENT_H
#include <stdarg.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/types.h>
// The library's own is not for bytes that are inputs.
#define memcmp bytes_compare
int bytes_compare(const void *, const void *, size_t);

typedef int evutil_socket_t;
#define EV_READ 2
#define EV_PERSIST 16

struct event {
  int fd;
  void (*call)(evutil_socket_t, short, void *);
  void *argument;
};

struct event_base {
  struct event *event;
};

struct event_base *event_init(void);
void event_set(struct event *, int, short, void (*)(evutil_socket_t, short, void *), void *);
int event_base_set(struct event_base *, struct event *);
int event_add(struct event *, const struct timeval *);
int event_del(struct event *);
int event_base_loop(struct event_base *, int);
int event_base_loopexit(struct event_base *, const struct timeval *);
void event_base_free(struct event_base *);
#endif
