// Pipes and pairs of connected sockets: streams of bytes between descriptors. What was written in one go is a message,
// whose bytes the machine may copy when it comes to the queue (then it also fills the reader's buffer), or leave where
// they are.
#include "files.h"
#include "queues.h"

enum { ENOTSOCK = 88, EPIPE = 32, ECONNRESET = 104, SIGPIPE = 13, LARGEST = 65536, MOST_COPIED = 4096 };
int raise(int);

// What is written at one end, to be read at the other one.
typedef struct {
  Queue queue;
  int reader_gone, writer_gone; // kept for polling only
  _Atomic int reset;            // a socket's writer closed it with bytes that it had not read; nobody was told yet
} Channel;

typedef struct {
  End end;
  Channel *in, *out; // null: it is not for that
  int flags;
  int socket;
} Stream;

// Flags that fcntl may have changed.
static int waits(Stream *stream, int flags) {
  if (__verify_linked("__verify_sets_flags"))
    return !((stream->end.flags | flags) & NO_WAIT);
  return !((stream->flags | flags) & NO_WAIT);
}

// Something may be ready that was not.
static void tell(const void *where, int what) {
  const Polling *polling = polling_of_program();
  if (!polling)
    return;
  pthread_mutex_lock(polling->lock);
  polling->changed(where, what);
  pthread_mutex_unlock(polling->lock);
}

static long get(Stream *stream, void *to, size_t size, int flags) {
  if (!stream->in) {
    errno = EBADF;
    return -1;
  }
  if (size == 0)
    return 0;
  char copied[MOST_COPIED];
  enum Patience patience = waits(stream, flags) ? FOREVER : NEVER;
  unsigned long taken = __verify_queue_take(&stream->in->queue, STREAM, 0, 0, size, copied, 0, patience);
  if (taken == 0 && stream->socket && __c11_atomic_exchange(&stream->in->reset, 0, __ATOMIC_SEQ_CST)) {
    errno = ECONNRESET;
    return -1;
  }
  if (taken == 0)
    return 0;
  if (taken < ERRORS) {
    errno = (int)taken;
    return -1;
  }
  tell(stream->in, READY_OUT);
  if (-taken <= MOST_COPIED) {
    __builtin_memcpy(to, copied, -taken);
    return (long)-taken;
  }
  // Exactly what was written in one go.
  __builtin_memcpy(to, (void *)taken, size);
  free((void *)taken);
  return (long)size;
}

static long put(Stream *stream, const void *from, size_t size, int flags, int quiet) {
  if (!stream->out) {
    errno = EBADF;
    return -1;
  }
  if (size == 0)
    return 0;
  if (size > LARGEST)
    __verify_not_modelled("a write of more than 64 KiB to a pipe or socket");
  void *message = __verify_keep(size);
  __builtin_memcpy(message, from, size);
  enum Patience patience = waits(stream, flags) ? FOREVER : NEVER;
  unsigned long error = __verify_queue_put(&stream->out->queue, STREAM, message, 0, size, 0, patience);
  if (error)
    free(message);
  if (error == 0 || error == COPIED) {
    tell(stream->out, READY_IN);
    return (long)size;
  }
  if (error == EPIPE && !quiet)
    raise(SIGPIPE);
  errno = (int)error;
  return -1;
}

static long read_end(End *end, void *to, size_t size) { return get((Stream *)end, to, size, 0); }
static long write_end(End *end, const void *from, size_t size) { return put((Stream *)end, from, size, 0, 0); }

static void close_end(End *end) {
  Stream *stream = (Stream *)end;
  const Polling *polling = polling_of_program();
  if (polling && polling->kept(end))
    return;
  if (stream->in)
    __verify_queue_close(&stream->in->queue, STREAM, READING);
  unsigned long count_and_bytes[2] = {0, 0};
  if (stream->socket)
    __verify_queue_look(&stream->in->queue, STREAM, count_and_bytes);
  if (count_and_bytes[1])
    stream->out->reset = 1;
  if (stream->out)
    __verify_queue_close(&stream->out->queue, STREAM, WRITING);
  if (polling)
    polling->gone(
        stream->in, stream->in ? &stream->in->reader_gone : NULL, stream->out, stream->out ? &stream->out->writer_gone : NULL);
}

static int ready_end(End *end) {
  Stream *stream = (Stream *)end;
  int found = 0;
  unsigned long count_and_bytes[2];
  if (stream->in) {
    __verify_queue_look(&stream->in->queue, STREAM, count_and_bytes);
    found |= count_and_bytes[1] ? READY_IN : 0;
    if (stream->in->writer_gone)
      found |= stream->socket ? READY_IN | READY_ENDED | READY_HANG_UP : READY_HANG_UP;
    if (stream->socket && stream->in->reset)
      found |= READY_ERROR;
  }
  if (stream->out) {
    __verify_queue_look(&stream->out->queue, STREAM, count_and_bytes);
    if (stream->out->reader_gone)
      found |= stream->socket ? READY_OUT : READY_ERROR | READY_OUT;
    else if (count_and_bytes[1] < LARGEST)
      found |= READY_OUT;
  }
  return found;
}

static Channel *channel(void) {
  Channel *channel = __verify_keep(sizeof *channel);
  channel->reader_gone = channel->writer_gone = 0;
  __c11_atomic_init(&channel->reset, 0);
  return channel;
}

static End *make(Channel *in, Channel *out, int flags, int socket) {
  Stream *stream = __verify_keep(sizeof *stream);
  *stream = (Stream){{read_end, write_end, close_end, ready_end, flags & NO_WAIT, in, out, NULL, 0, 0}, in, out, flags & NO_WAIT, socket};
  return &stream->end;
}

int pipe2(int descriptors[2], int flags) {
  if (flags & ~(NO_WAIT | CLOSE_ON_EXEC))
    __verify_not_modelled("pipe2 with flags other than O_NONBLOCK and O_CLOEXEC");
  Channel *stream = channel();
  if (__verify_open_ends(make(stream, NULL, flags, 0), make(NULL, stream, flags, 0), flags, descriptors))
    return -1;
  stream->queue.number = descriptors[0];
  return 0;
}

int pipe(int descriptors[2]) { return pipe2(descriptors, 0); }

int socketpair(int domain, int type, int protocol, int descriptors[2]) {
  enum { LOCAL = 1, STREAMING = 1 };
  if (domain != LOCAL)
    __verify_not_modelled("socketpair of another domain than AF_UNIX");
  if ((type & ~(NO_WAIT | CLOSE_ON_EXEC)) != STREAMING || protocol)
    __verify_not_modelled("socketpair of another type than SOCK_STREAM");
  Channel *there = channel(), *back = channel();
  if (__verify_open_ends(make(there, back, type, 1), make(back, there, type, 1), type, descriptors))
    return -1;
  there->queue.number = descriptors[0];
  back->queue.number = descriptors[1];
  return 0;
}

static Stream *socket_of(int descriptor) {
  int open;
  End *end = __verify_end(descriptor, &open);
  if (!end)
    __verify_not_modelled("send or recv on what is neither a pipe nor a socket");
  if (open && ((Stream *)end)->socket)
    return (Stream *)end;
  errno = open ? ENOTSOCK : EBADF;
  return NULL;
}

enum { DO_NOT_WAIT = 0x40, NO_SIGNAL = 0x4000 };

long send(int descriptor, const void *from, size_t size, int flags) {
  pthread_testcancel();
  if (flags & ~(DO_NOT_WAIT | NO_SIGNAL))
    __verify_not_modelled("send with flags other than MSG_DONTWAIT and MSG_NOSIGNAL");
  Stream *stream = socket_of(descriptor);
  return stream ? put(stream, from, size, flags & DO_NOT_WAIT ? NO_WAIT : 0, flags & NO_SIGNAL) : -1;
}

long recv(int descriptor, void *to, size_t size, int flags) {
  pthread_testcancel();
  if (flags & ~DO_NOT_WAIT)
    __verify_not_modelled("recv with flags other than MSG_DONTWAIT");
  Stream *stream = socket_of(descriptor);
  return stream ? get(stream, to, size, flags & DO_NOT_WAIT ? NO_WAIT : 0) : -1;
}
