// Streams: reading, and writing to anything but the two standard outputs. They have no buffer beyond what is pushed
// back; the lock of a stream is held during each operation, as POSIX has it. Output to the standard streams orders
// nothing.
#include "files.h"

enum { END_SEEN = 0x10, ERROR_SEEN = 0x20, PUSHED = 8 };

typedef struct {
  int flags;                 // where the macros of <stdio.h> look for them
  void *none[26 + 8];        // null: to the macros its buffers are always empty and full
  int descriptor;
  int pushed;                // how many bytes are pushed back
  unsigned char back[PUSHED];
  Mutex lock;
} FILE;

static FILE standard[3] = {{.lock = RECURSIVE}, {.descriptor = 1, .lock = RECURSIVE}, {.descriptor = 2, .lock = RECURSIVE}};
FILE *stdin = &standard[0], *stdout = &standard[1], *stderr = &standard[2];

int vasprintf(char **, const char *, va_list);

static int is_output(FILE *stream) { return stream->descriptor == 1 || stream->descriptor == 2; }
void flockfile(FILE *stream) { pthread_mutex_lock(&stream->lock); }
int ftrylockfile(FILE *stream) { return pthread_mutex_trylock(&stream->lock); }
void funlockfile(FILE *stream) { pthread_mutex_unlock(&stream->lock); }

// The flags of open, -1 if the mode is no mode.
static int flags_of(const char *mode) {
  int plus = strchr(mode, '+') != NULL, access = plus ? READ_WRITE : WRITE_ONLY, exclusive = strchr(mode, 'x') ? EXCLUSIVE : 0;
  switch (*mode) {
  case 'r': return plus ? READ_WRITE : READ_ONLY;
  case 'w': return access | CREATE | TRUNCATE | exclusive;
  case 'a': return access | CREATE | APPEND | exclusive;
  default: errno = EINVAL; return -1;
  }
}

static FILE *stream_of(int descriptor) {
  FILE *stream = descriptor < 0 ? NULL : calloc(1, sizeof *stream);
  if (stream) {
    stream->descriptor = descriptor;
    stream->lock = (Mutex)RECURSIVE;
  }
  return stream;
}

FILE *fopen(const char *name, const char *mode) {
  __verify_may_be_cancelled();
  int flags = flags_of(mode);
  return flags < 0 ? NULL : stream_of(__verify_open(name, flags));
}
FILE *fopen64(const char *name, const char *mode) { return fopen(name, mode); }
FILE *tmpfile(void) { return __verify_may_be_cancelled(), stream_of(__verify_open(NULL, READ_WRITE | CREATE)); }
FILE *tmpfile64(void) { return tmpfile(); }

FILE *fdopen(int descriptor, const char *mode) {
  if (flags_of(mode) < 0)
    return NULL;
  if (descriptor < 0 || descriptor >= DESCRIPTORS || (descriptor > 2 && !__verify_descriptions[descriptor].file)) {
    errno = EBADF;
    return NULL;
  }
  int open;
  if (__verify_end(descriptor, &open))
    __verify_not_modelled("fdopen of a pipe or socket");
  return stream_of(descriptor);
}

// A stream to a file of its own, whose content is `bytes` if there are any.
static FILE *memory_stream(char *bytes, size_t room, size_t size, int flags) {
  File *file = calloc(1, sizeof *file);
  if (!file)
    return NULL;
  *file = (File){.bytes = bytes, .room = room, .size = size, .fixed = bytes != NULL, .lock = RECURSIVE};
  return stream_of(__verify_open_file(file, flags));
}

FILE *fmemopen(void *buffer, size_t room, const char *mode) {
  int flags = flags_of(mode);
  if (flags < 0)
    return NULL;
  if (room == 0) {
    errno = EINVAL;
    return NULL;
  }
  char *bytes = buffer;
  size_t size = 0;
  if (bytes && *mode == 'w')
    *bytes = 0;
  while (bytes && size < room && bytes[size])
    size++;
  return memory_stream(bytes, bytes ? room : 0, size, flags & (ACCESS | APPEND));
}

FILE *open_memstream(char **bytes, size_t *size) {
  FILE *stream = memory_stream(NULL, 0, 0, WRITE_ONLY);
  if (!stream)
    return NULL;
  Description *description = &__verify_descriptions[stream->descriptor];
  description->bytes_to = bytes;
  description->size_to = size;
  // Nothing yet, but a string.
  File *file = description->file;
  file->bytes = calloc(1, 1);
  *bytes = file->bytes;
  *size = 0;
  return stream;
}

int fclose(FILE *stream) {
  __verify_may_be_cancelled();
  flockfile(stream);
  int descriptor = stream->descriptor, result = 0;
  if (descriptor > 2) {
    Description *description = &__verify_descriptions[descriptor];
    File *file = description->file;
    __verify_publish(descriptor, 1);
    if (file && description->bytes_to)
      file->fixed = 1; // the program frees it
    result = __verify_close(descriptor);
  }
  funlockfile(stream);
  if (stream != &standard[0] && stream != &standard[1] && stream != &standard[2])
    free(stream);
  return result;
}

size_t fread_unlocked(void *to, size_t size, size_t count, FILE *stream) {
  unsigned char *bytes = to;
  size_t wanted = size * count, got = 0;
  while (got < wanted && stream->pushed)
    bytes[got++] = stream->back[--stream->pushed];
  while (got < wanted) {
    long more = __verify_read(stream->descriptor, bytes + got, wanted - got);
    if (more <= 0) {
      stream->flags |= more < 0 ? ERROR_SEEN : END_SEEN;
      break;
    }
    got += (size_t)more;
  }
  return size ? got / size : 0;
}

size_t fread(void *to, size_t size, size_t count, FILE *stream) {
  __verify_may_be_cancelled();
  flockfile(stream);
  size_t result = fread_unlocked(to, size, count, stream);
  funlockfile(stream);
  return result;
}

int fgetc_unlocked(FILE *stream) {
  unsigned char byte;
  return fread_unlocked(&byte, 1, 1, stream) == 1 ? byte : -1;
}
int getc_unlocked(FILE *stream) { return __verify_may_be_cancelled(), fgetc_unlocked(stream); }
int __uflow(FILE *stream) { return fgetc_unlocked(stream); }
int getchar_unlocked(void) { return getc_unlocked(stdin); }

int fgetc(FILE *stream) {
  __verify_may_be_cancelled();
  flockfile(stream);
  int byte = fgetc_unlocked(stream);
  funlockfile(stream);
  return byte;
}
int getc(FILE *stream) { return fgetc(stream); }
int _IO_getc(FILE *stream) { return fgetc(stream); }
int getchar(void) { return fgetc(stdin); }

// Of a stream that is locked.
int __verify_push_back(int byte, FILE *stream) {
  int fits = byte != -1 && stream->pushed < PUSHED;
  if (fits) {
    stream->back[stream->pushed++] = (unsigned char)byte;
    stream->flags &= ~END_SEEN;
  }
  return fits ? (unsigned char)byte : -1;
}
int ungetc(int byte, FILE *stream) {
  __verify_may_be_cancelled();
  flockfile(stream);
  int result = __verify_push_back(byte, stream);
  funlockfile(stream);
  return result;
}

char *fgets_unlocked(char *to, int room, FILE *stream) {
  int count = 0, byte = 0;
  while (count < room - 1 && byte != '\n' && (byte = fgetc_unlocked(stream)) >= 0)
    to[count++] = (char)byte;
  if (room < 1 || (count == 0 && room > 1))
    return NULL;
  to[count] = 0;
  return to;
}
char *fgets(char *to, int room, FILE *stream) {
  __verify_may_be_cancelled();
  flockfile(stream);
  char *result = fgets_unlocked(to, room, stream);
  funlockfile(stream);
  return result;
}
char *__fgets_chk(char *to, size_t size, int room, FILE *stream) {
  return fgets(to, (size_t)room > size ? (int)size : room, stream);
}

long getdelim(char **line, size_t *room, int end, FILE *stream) {
  __verify_may_be_cancelled();
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  flockfile(stream);
  long count = 0;
  int byte = -1;
  if (!*line)
    *room = 0;
  while (byte != end && (byte = fgetc_unlocked(stream)) >= 0) {
    if ((size_t)count + 2 > *room) {
      *room = *room ? 2 * *room : 120;
      *line = realloc(*line, *room);
    }
    (*line)[count++] = (char)byte;
  }
  if (count)
    (*line)[count] = 0;
  funlockfile(stream);
  return count ? count : -1;
}
long __getdelim(char **line, size_t *room, int end, FILE *stream) { return getdelim(line, room, end, stream); }
long getline(char **line, size_t *room, FILE *stream) { return getdelim(line, room, '\n', stream); }

size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *stream) {
  stream->pushed = 0;
  long written = __verify_write(stream->descriptor, from, size * count);
  if (written < 0 || (size_t)written < size * count)
    stream->flags |= ERROR_SEEN;
  return size && written > 0 ? (size_t)written / size : 0;
}
static size_t put_all(const void *from, size_t size, size_t count, FILE *stream) {
  if (is_output(stream))
    return __verify_write(stream->descriptor, from, size * count), size ? count : 0;
  flockfile(stream);
  size_t result = fwrite_unlocked(from, size, count, stream);
  funlockfile(stream);
  return result;
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *stream) {
  __verify_may_be_cancelled();
  return put_all(from, size, count, stream);
}

static int put(const char *text, size_t length, FILE *stream) { return put_all(text, 1, length, stream) == length ? 0 : -1; }
int fputs(const char *text, FILE *stream) { return __verify_may_be_cancelled(), put(text, strlen(text), stream) < 0 ? -1 : 1; }
int fputs_unlocked(const char *text, FILE *stream) { return fputs(text, stream); }
int fputc(int value, FILE *stream) {
  char byte = (char)value;
  __verify_may_be_cancelled();
  return put(&byte, 1, stream) < 0 ? -1 : (unsigned char)byte;
}
int putc(int value, FILE *stream) { return fputc(value, stream); }
int _IO_putc(int value, FILE *stream) { return fputc(value, stream); }
int putc_unlocked(int value, FILE *stream) { return fputc(value, stream); }
int fputc_unlocked(int value, FILE *stream) { return fputc(value, stream); }
int __overflow(FILE *stream, int value) { return fputc(value, stream); }

int vfprintf(FILE *stream, const char *format, va_list values) {
  char *text;
  __verify_may_be_cancelled();
  int length = vasprintf(&text, format, values);
  if (length < 0)
    return -1;
  int result = put(text, (size_t)length, stream);
  free(text);
  return result < 0 ? -1 : length;
}
int fprintf(FILE *stream, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int result = vfprintf(stream, format, values);
  va_end(values);
  return result;
}
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list values) {
  return (void)flag, vfprintf(stream, format, values);
}
int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int result = __vfprintf_chk(stream, flag, format, values);
  va_end(values);
  return result;
}

static int go(FILE *stream, long long offset, int from) {
  flockfile(stream);
  if (from == CURRENT)
    offset -= stream->pushed;
  long long place = __verify_seek(stream->descriptor, offset, from);
  if (place >= 0) {
    stream->pushed = 0;
    stream->flags &= ~END_SEEN;
  }
  funlockfile(stream);
  return place < 0 ? -1 : 0;
}
int fseeko64(FILE *stream, long long offset, int from) { return __verify_may_be_cancelled(), go(stream, offset, from); }
int fseek(FILE *stream, long offset, int from) { return fseeko64(stream, offset, from); }
int fseeko(FILE *stream, long offset, int from) { return fseeko64(stream, offset, from); }

long long ftello64(FILE *stream) {
  __verify_may_be_cancelled();
  flockfile(stream);
  long long place = __verify_seek(stream->descriptor, 0, CURRENT);
  if (place >= 0)
    place -= stream->pushed;
  funlockfile(stream);
  return place;
}
long ftell(FILE *stream) { return (long)ftello64(stream); }
long ftello(FILE *stream) { return (long)ftello64(stream); }

void clearerr_unlocked(FILE *stream) { stream->flags &= ~(END_SEEN | ERROR_SEEN); }
void clearerr(FILE *stream) {
  flockfile(stream);
  clearerr_unlocked(stream);
  funlockfile(stream);
}
void rewind(FILE *stream) {
  __verify_may_be_cancelled();
  flockfile(stream);
  go(stream, 0, SET);
  clearerr_unlocked(stream);
  funlockfile(stream);
}

int feof_unlocked(FILE *stream) { return (stream->flags & END_SEEN) != 0; }
int ferror_unlocked(FILE *stream) { return (stream->flags & ERROR_SEEN) != 0; }
static int flag(FILE *stream, int which) {
  flockfile(stream);
  int seen = (stream->flags & which) != 0;
  funlockfile(stream);
  return seen;
}
int feof(FILE *stream) { return flag(stream, END_SEEN); }
int ferror(FILE *stream) { return is_output(stream) ? 0 : flag(stream, ERROR_SEEN); }

// Nothing is kept back, so there is nothing to flush but what open_memstream tells, and no buffer to set.
int fflush(FILE *stream) {
  __verify_may_be_cancelled();
  if (stream && stream->descriptor > 2) {
    flockfile(stream);
    __verify_publish(stream->descriptor, 0);
    funlockfile(stream);
  }
  return 0;
}
int fflush_unlocked(FILE *stream) { return fflush(stream); }
int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
  return (void)buffer, (void)mode, (void)size, (void)stream->descriptor, 0;
}
void setbuf(FILE *stream, char *buffer) { setvbuf(stream, buffer, 0, 0); }
void setlinebuf(FILE *stream) { setvbuf(stream, NULL, 0, 0); }
int fileno(FILE *stream) {
  File *file = stream->descriptor > 2 ? (File *)__verify_descriptions[stream->descriptor].file : NULL;
  if (file && !file->name && file->fixed) {
    errno = EBADF;
    return -1;
  }
  return stream->descriptor;
}
