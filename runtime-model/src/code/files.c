// A file system in memory, private to the process, and its descriptors. Files that the user gave are there from the
// start. Directories that the program does not make itself are there where it uses them (directories.c). Reading and
// writing are atomic with respect to other threads, by a lock per file.
#include "files.h"

int __verify_output(int, const void *, size_t);
long __verify_file_size(const char *);
void __verify_file_content(const char *, void *);
// Standard input that may be anything: how long it is at most, whether it has more than so many bytes, its bytes, and
// that its end is where it may not have more.
size_t __verify_open_stdin(void);
int __verify_more_stdin(size_t);
unsigned char __verify_stdin_byte(size_t);
void __verify_stdin_is_full(void);

Description __verify_descriptions[DESCRIPTORS];
// Held while names are looked up and descriptors are handed out.
Mutex __verify_names = RECURSIVE;
File *__verify_files;
#define names __verify_names
#define files __verify_files

// A name as seen from the only directory that the process is ever in, which is the root: without what makes no
// difference in front and between. The lock of names is held.
char *__verify_plain_name(const char *name) {
  enum { LONGEST = 512 };
  static char plain[LONGEST];
  size_t length = 0;
  const char *from = name;
  while (*from) {
    if (*from == '/' || (from[0] == '.' && (from[1] == '/' || !from[1]) && (from == name || from[-1] == '/'))) {
      from++;
      continue;
    }
    if (from[0] == '.' && from[1] == '.' && (from[2] == '/' || !from[2]))
      __verify_not_modelled("the name of a file with `..` in it");
    if (length)
      plain[length++] = '/';
    while (*from && *from != '/') {
      if (length + 2 >= LONGEST)
        __verify_not_modelled("the name of a file of more than 500 bytes");
      plain[length++] = *from++;
    }
  }
  plain[length] = 0;
  return plain;
}

// The file of that plain name, or what is known of a directory.
File *__verify_known(const char *plain, size_t length) {
  for (File *file = files; file; file = file->next)
    if (strncmp(file->name, plain, length) == 0 && !file->name[length])
      return file;
  return NULL;
}

// Why there can be no file of that name, as far as the directory in which it would be is known; or 0.
int __verify_outside(const char *plain) {
  const char *last = strrchr(plain, '/');
  File *directory = last ? __verify_known(plain, (size_t)(last - plain)) : NULL;
  return !directory || directory->kind == DIRECTORY ? 0 : directory->kind == ORDINARY ? NOT_A_DIRECTORY : ENOENT;
}

File *__verify_make(const char *name) {
  // A file with a name outlives the process.
  File *file = name ? __verify_keep(sizeof *file) : malloc(sizeof *file);
  if (!file)
    return NULL;
  *file = (File){.lock = RECURSIVE};
  if (!name)
    return file;
  size_t length = strlen(name) + 1;
  file->name = __verify_keep(length);
  __builtin_memcpy(file->name, name, length);
  file->next = files;
  files = file;
  return file;
}

#define make __verify_make

// The file or directory of that name, which may be one that the user gave.
static File *find(const char *name) {
  char *plain = __verify_plain_name(name);
  File *known = __verify_known(plain, strlen(plain));
  if (known)
    return known->kind == REMOVED ? NULL : known;
  size_t open = strcmp(name, "/dev/stdin") == 0 ? __verify_open_stdin() : 0;
  if (open) {
    File *file = make(plain);
    file->bytes = __verify_keep(open);
    file->room = file->most = open;
    return file;
  }
  long size = __verify_file_size(name);
  if (size < 0) {
    name = plain;
    size = __verify_file_size(plain);
  }
  if (size < 0)
    return NULL;
  File *file = make(plain);
  file->size = file->room = (size_t)size;
  if (size) {
    file->bytes = __verify_keep((size_t)size);
    __verify_file_content(name, file->bytes);
  }
  return file;
}

// Sees to it that all bytes before that place are there, as far as the file has so many. Only what is read is asked
// for: whether there is another byte, and which.
static void fill(File *file, size_t place) {
  while (!file->ended && file->size < place && file->size < file->most) {
    file->ended = !__verify_more_stdin(file->size);
    if (file->ended)
      return;
    file->bytes[file->size] = (char)__verify_stdin_byte(file->size);
    file->size++;
  }
  if (file->most && !file->ended && file->size < place) {
    file->ended = 1;
    __verify_stdin_is_full();
  }
}

static void take_from_list(File *file) {
  File **place = &files;
  while (*place != file)
    place = &(*place)->next;
  *place = file->next;
}

// A file that the user gave is no more: it is not to be found again.
static void remember_removal(const char *plain) {
  if (__verify_file_size(plain) >= 0)
    make(plain)->kind = REMOVED;
}

static void discard(File *file) {
  if (!file->fixed)
    free(file->bytes);
  free(file->name);
  free(file);
}

int __verify_open_file(File *file, int flags) {
  for (int i = 3; i < DESCRIPTORS; i++) {
    Description *description = &__verify_descriptions[i];
    if (description->file)
      continue;
    description->offset = 0;
    description->flags = flags;
    description->closes_on_exec = (flags & CLOSE_ON_EXEC) != 0;
    if (description->end)
      description->end = NULL;
    description->bytes_to = NULL;
    description->size_to = NULL;
    description->file = file;
    file->links++;
    return i;
  }
  errno = EMFILE;
  return -1;
}

static int open_ends(End *const ends[], int wanted, int flags, int descriptors[]) {
  static File file = {.lock = RECURSIVE};
  pthread_mutex_lock(&names);
  int found[2], count = 0;
  for (int i = 3; i < DESCRIPTORS && count < wanted; i++)
    if (!__verify_descriptions[i].file)
      found[count++] = i;
  for (int i = 0; count == wanted && i < wanted; i++) {
    __verify_descriptions[found[i]].end = ends[i];
    __verify_descriptions[found[i]].closes_on_exec = (flags & CLOSE_ON_EXEC) != 0;
    __verify_descriptions[found[i]].file = &file;
    descriptors[i] = found[i];
  }
  pthread_mutex_unlock(&names);
  if (count < wanted)
    errno = EMFILE;
  return count < wanted;
}

int __verify_open_ends(End *first, End *second, int flags, int descriptors[2]) {
  return open_ends((End *[]){first, second}, 2, flags, descriptors);
}

int __verify_open_end(End *end, int flags) {
  int descriptor;
  return open_ends(&end, 1, flags, &descriptor) ? -1 : descriptor;
}

int __verify_is_open(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS && (descriptor < 3 || __verify_descriptions[descriptor].file);
}

End *__verify_end(int descriptor, int *open) {
  Description *description = descriptor > 2 && descriptor < DESCRIPTORS ? &__verify_descriptions[descriptor] : NULL;
  End *end = description ? description->end : NULL;
  *open = end && description->file;
  if (end && !*open)
    errno = EBADF;
  return end;
}

static void touch(File *file, int changes);
int __verify_open(const char *name, int flags) {
  enum { ONLY_DIRECTORY = 0200000, UNNAMED = 020200000 };
  if ((flags & UNNAMED) == UNNAMED)
    __verify_not_modelled("open with O_TMPFILE");
  pthread_mutex_lock(&names);
  File *file = name ? find(name) : make(NULL);
  int result = -1, outside = name ? __verify_outside(__verify_plain_name(name)) : 0;
  if (outside)
    errno = outside;
  else if (file && file->kind == DIRECTORY && !(flags & (CREATE | ACCESS | TRUNCATE)))
    __verify_not_modelled("a descriptor of a directory");
  else if (file && file->kind != DIRECTORY && flags & ONLY_DIRECTORY)
    errno = NOT_A_DIRECTORY;
  else if (file && !(flags & EXCLUSIVE) && file->kind == DIRECTORY)
    errno = IS_A_DIRECTORY;
  else if (file && (flags & CREATE) && (flags & EXCLUSIVE) && name)
    errno = 17;
  else if (!file && !(flags & CREATE))
    errno = ENOENT;
  else {
    if (!file)
      file = make(__verify_plain_name(name));
    pthread_mutex_lock(&file->lock);
    if (flags & TRUNCATE)
      touch(file, 1), file->size = 0, file->ended = 1;
    pthread_mutex_unlock(&file->lock);
    result = __verify_open_file(file, flags);
  }
  pthread_mutex_unlock(&names);
  return result;
}

// The description that a descriptor stands for, with its file locked.
#define use __verify_use
#define done __verify_done
Description *__verify_use(int descriptor) {
  if (descriptor == 0 && !__verify_descriptions[0].file) {
    pthread_mutex_lock(&names);
    if (!__verify_descriptions[0].file) {
      File *file = find("/dev/stdin");
      __verify_descriptions[0].file = file ? file : make(NULL);
    }
    pthread_mutex_unlock(&names);
  }
  File *file = descriptor >= 0 && descriptor < DESCRIPTORS ? __verify_descriptions[descriptor].file : NULL;
  if (!file) {
    errno = EBADF;
    return NULL;
  }
  pthread_mutex_lock(&file->lock);
  return &__verify_descriptions[descriptor];
}

void __verify_done(Description *description) { pthread_mutex_unlock(&description->file->lock); }

int __verify_close(int descriptor) {
  if (descriptor >= 0 && descriptor < 3)
    return 0;
  pthread_mutex_lock(&names);
  int open;
  End *end = __verify_end(descriptor, &open);
  if (end) {
    if (open) {
      __verify_descriptions[descriptor].file = NULL;
      end->close(end);
    }
    pthread_mutex_unlock(&names);
    return open ? 0 : -1;
  }
  Description *description = use(descriptor);
  if (description) {
    File *file = description->file;
    description->file = NULL;
    int last = --file->links == 0 && !file->name;
    pthread_mutex_unlock(&file->lock);
    if (last)
      discard(file);
  }
  pthread_mutex_unlock(&names);
  return description ? 0 : -1;
}

static void touch(File *file, int changes);

long __verify_read(int descriptor, void *to, size_t size) {
  int open;
  End *end = __verify_end(descriptor, &open);
  if (end)
    return open ? end->read(end, to, size) : -1;
  Description *description = use(descriptor);
  if (!description)
    return -1;
  File *file = description->file;
  long count = -1;
  if ((description->flags & ACCESS) == WRITE_ONLY)
    errno = EBADF;
  else {
    touch(file, 0);
    fill(file, size < SIZE_MAX - description->offset ? description->offset + size : SIZE_MAX);
    size_t left = description->offset < file->size ? file->size - description->offset : 0;
    count = (long)(size < left ? size : left);
    if (count)
      __builtin_memcpy(to, file->bytes + description->offset, (size_t)count);
    description->offset += (size_t)count;
  }
  done(description);
  return count;
}

// Something is done with the bytes of a file, which mappings of it may show, or hold back.
static void touch(File *file, int changes) {
  if (file->shared || (changes && file->maps))
    __verify_not_modelled(file->shared ? "use of a file while a mapping of it is shared and may be written"
                                       : "a change of a file while it is mapped");
}

void __verify_unlink_file(File *file) {
  if (--file->links == 0 && !file->name)
    discard(file);
}

// Room for that many bytes; less only if the memory is the program's.
static size_t reserve(File *file, size_t size) {
  if (size <= file->room)
    return size;
  if (file->fixed)
    return file->room;
  // With a null byte after them, which open_memstream promises.
  size_t room = size + size / 2 + 64;
  char *bytes = file->name ? __verify_keep_more(file->bytes, room + 1) : realloc(file->bytes, room + 1);
  __builtin_memset(bytes + file->room, 0, room + 1 - file->room);
  file->bytes = bytes;
  file->room = room;
  return size;
}

long __verify_write(int descriptor, const void *from, size_t size) {
  if (descriptor == 1 || descriptor == 2)
    return __verify_output(descriptor, from, size), (long)size;
  int open;
  End *end = __verify_end(descriptor, &open);
  if (end)
    return open ? end->write(end, from, size) : -1;
  Description *description = use(descriptor);
  if (!description)
    return -1;
  File *file = description->file;
  long count = -1;
  if (descriptor == 0 || (description->flags & ACCESS) == READ_ONLY)
    errno = EBADF;
  else {
    touch(file, 1);
    fill(file, SIZE_MAX);
    if (description->flags & APPEND)
      description->offset = file->size;
    size_t start = description->offset, end = reserve(file, start + size);
    count = end > start ? (long)(end - start) : 0;
    if (count)
      __builtin_memcpy(file->bytes + start, from, (size_t)count);
    else if (size)
      count = -1, errno = 28;
    if (end > file->size) {
      // What lies between the end and the place written to is read as zero.
      for (size_t i = file->size; i < start && i < end; i++)
        file->bytes[i] = 0;
      file->size = end;
      if (end < file->room)
        file->bytes[end] = 0;
    }
    description->offset += count > 0 ? (size_t)count : 0;
    if (description->bytes_to) {
      *description->bytes_to = file->bytes;
      *description->size_to = description->offset;
    }
  }
  done(description);
  return count;
}

void __verify_publish(int descriptor, int closes) {
  if (descriptor < 3 || !__verify_descriptions[descriptor].bytes_to)
    return;
  Description *description = use(descriptor);
  if (!description)
    return;
  File *file = description->file;
  reserve(file, description->offset);
  if (closes)
    file->bytes[description->offset] = 0;
  *description->bytes_to = file->bytes;
  *description->size_to = description->offset;
  done(description);
}

long long __verify_seek(int descriptor, long long offset, int from) {
  int open;
  if (__verify_end(descriptor, &open)) {
    if (open)
      errno = ESPIPE;
    return -1;
  }
  if (descriptor == 1 || descriptor == 2) {
    errno = ESPIPE;
    return -1;
  }
  Description *description = use(descriptor);
  if (!description)
    return -1;
  if (from == END && description->bytes_to && description->offset < description->file->size)
    __verify_not_modelled("the end of a stream of open_memstream that was set back");
  if (from == END)
    fill(description->file, SIZE_MAX);
  long long base = from == SET ? 0 : from == CURRENT ? (long long)description->offset : (long long)description->file->size;
  long long place = base + offset;
  if (from < SET || from > END || place < 0) {
    errno = EINVAL;
    place = -1;
  } else
    description->offset = (size_t)place;
  done(description);
  return place;
}

int open(const char *name, int flags, ...) { return pthread_testcancel(), __verify_open(name, flags); }
int open64(const char *name, int flags, ...) { return pthread_testcancel(), __verify_open(name, flags); }
int __open_2(const char *name, int flags) { return pthread_testcancel(), __verify_open(name, flags); }
int __open64_2(const char *name, int flags) { return pthread_testcancel(), __verify_open(name, flags); }
int creat(const char *name, unsigned mode) {
  pthread_testcancel();
  return (void)mode, __verify_open(name, WRITE_ONLY | CREATE | TRUNCATE);
}
int close(int descriptor) { return pthread_testcancel(), __verify_close(descriptor); }
long read(int descriptor, void *to, size_t size) { return pthread_testcancel(), __verify_read(descriptor, to, size); }
long write(int descriptor, const void *from, size_t size) {
  pthread_testcancel();
  return __verify_write(descriptor, from, size);
}
long long lseek64(int descriptor, long long offset, int from) {
  __verify_may_be_cancelled();
  return __verify_seek(descriptor, offset, from);
}
long lseek(int descriptor, long offset, int from) { return (long)lseek64(descriptor, offset, from); }

int access(const char *name, int mode) {
  (void)mode;
  __verify_may_be_cancelled();
  pthread_mutex_lock(&names);
  File *file = find(name);
  pthread_mutex_unlock(&names);
  if (!file)
    errno = ENOENT;
  return file ? 0 : -1;
}

// At a place, which the description's own place has nothing to do with.
static long at_place(int descriptor, void *to, const void *from, size_t size, long long place) {
  int open;
  if (__verify_end(descriptor, &open) || descriptor == 1 || descriptor == 2) {
    errno = ESPIPE;
    return -1;
  }
  if (place < 0) {
    errno = EINVAL;
    return -1;
  }
  Description *description = use(descriptor);
  if (!description)
    return -1;
  // (The lock of a file may be taken again.)
  size_t before = description->offset;
  int flags = description->flags;
  description->offset = (size_t)place;
  description->flags &= ~APPEND;
  long count = to ? __verify_read(descriptor, to, size) : __verify_write(descriptor, from, size);
  description->offset = before;
  description->flags = flags;
  done(description);
  return count;
}

long pread64(int descriptor, void *to, size_t size, long long place) {
  return pthread_testcancel(), at_place(descriptor, to, NULL, size, place);
}
long pwrite64(int descriptor, const void *from, size_t size, long long place) {
  return pthread_testcancel(), at_place(descriptor, NULL, from, size, place);
}
long pread(int descriptor, void *to, size_t size, long place) { return pread64(descriptor, to, size, place); }
long pwrite(int descriptor, const void *from, size_t size, long place) { return pwrite64(descriptor, from, size, place); }

typedef struct {
  void *bytes;
  size_t size;
} Piece;

// What lies in several pieces is read and written in one go.
long readv(int descriptor, const Piece *pieces, int count) {
  pthread_testcancel();
  size_t all = 0, done = 0;
  for (int i = 0; i < count; i++)
    all += pieces[i].size;
  char *bytes = malloc(all ? all : 1);
  long got = __verify_read(descriptor, bytes, all);
  for (int i = 0; got > 0 && i < count && done < (size_t)got; i++) {
    size_t part = pieces[i].size < (size_t)got - done ? pieces[i].size : (size_t)got - done;
    __builtin_memcpy(pieces[i].bytes, bytes + done, part);
    done += part;
  }
  free(bytes);
  return got;
}
long writev(int descriptor, const Piece *pieces, int count) {
  pthread_testcancel();
  size_t all = 0, done = 0;
  for (int i = 0; i < count; i++)
    all += pieces[i].size;
  char *bytes = malloc(all ? all : 1);
  for (int i = 0; i < count; done += pieces[i++].size)
    __builtin_memcpy(bytes + done, pieces[i].bytes, pieces[i].size);
  long put = __verify_write(descriptor, bytes, all);
  free(bytes);
  return put;
}

int ftruncate64(int descriptor, long long size) {
  int open;
  if (__verify_end(descriptor, &open) || (descriptor >= 0 && descriptor < 3) || size < 0) {
    errno = EINVAL;
    return -1;
  }
  Description *description = use(descriptor);
  if (!description)
    return -1;
  File *file = description->file;
  int result = 0;
  if ((description->flags & ACCESS) == READ_ONLY)
    errno = EINVAL, result = -1;
  else if (touch(file, 1), (size_t)size > file->size) {
    size_t end = reserve(file, (size_t)size);
    for (size_t i = file->size; i < end; i++)
      file->bytes[i] = 0;
    file->size = end;
  } else
    file->size = (size_t)size;
  done(description);
  return result;
}
int ftruncate(int descriptor, long size) { return ftruncate64(descriptor, size); }

// What there is of a file: a regular one, a terminal's stead for the standard streams, or an end of a stream.
enum { REGULAR = 0100644, FOLDER = 040755, CHARACTERS = 020620, PIPE = 010600, NOT_A_FILE = -1 };
static long long describe(int descriptor, unsigned *mode) {
  int open;
  *mode = descriptor == 1 || descriptor == 2 ? CHARACTERS : PIPE;
  if (__verify_end(descriptor, &open))
    return open ? 0 : NOT_A_FILE;
  if (descriptor == 1 || descriptor == 2)
    return 0;
  Description *description = use(descriptor);
  if (!description)
    return NOT_A_FILE;
  fill(description->file, SIZE_MAX);
  long long size = (long long)description->file->size;
  done(description);
  *mode = REGULAR;
  return size;
}

#ifdef __LP64__
typedef struct {
  unsigned long device, number, links;
  unsigned mode, user, group, unused;
  unsigned long special;
  long size, block, blocks, times[6], more[3];
} Attributes;

static int fill_in(Attributes *to, long long size, unsigned mode, unsigned long number) {
  if (size < 0)
    return -1;
  *to = (Attributes){.device = 1, .number = number, .links = 1, .mode = mode, .user = 1000, .group = 1000};
  to->size = (long)size;
  to->block = 4096;
  to->blocks = (to->size + 511) / 512;
  return 0;
}
int fstat(int descriptor, Attributes *to) {
  unsigned mode;
  long long size = describe(descriptor, &mode);
  return fill_in(to, size, mode, 100 + (unsigned long)descriptor);
}
int fstat64(int descriptor, Attributes *to) EXPORT_AS("fstat");
int stat(const char *name, Attributes *to) {
  pthread_mutex_lock(&names);
  File *file = find(name);
  long long size = NOT_A_FILE;
  unsigned long number = 0;
  int is_directory = file && file->kind == DIRECTORY;
  if (file) {
    pthread_mutex_lock(&file->lock);
    fill(file, SIZE_MAX);
    size = (long long)file->size;
    pthread_mutex_unlock(&file->lock);
    for (File *other = files; other != file; other = other->next)
      number++;
  } else
    errno = ENOENT;
  pthread_mutex_unlock(&names);
  int result = fill_in(to, size, is_directory ? FOLDER : REGULAR, 1000 + number);
  if (is_directory)
    to->links = 2, to->size = 4096, to->blocks = 8;
  return result;
}
int stat64(const char *name, Attributes *to) EXPORT_AS("stat");
int lstat(const char *name, Attributes *to) EXPORT_AS("stat");
int lstat64(const char *name, Attributes *to) EXPORT_AS("stat");

typedef struct {
  long type, block, blocks, free, available, files, free_files, id, longest, fragment, flags, more[4];
} System;
static int system_of(System *to) {
  *to = (System){.type = 0x01021994, .block = 4096, .blocks = 1 << 20, .free = 1 << 19, .available = 1 << 19,
                 .files = 1 << 20, .free_files = 1 << 19, .longest = 255, .fragment = 4096};
  return 0;
}
int fstatfs(int descriptor, System *to) {
  unsigned mode;
  return describe(descriptor, &mode) < 0 ? -1 : system_of(to);
}
int fstatfs64(int descriptor, System *to) EXPORT_AS("fstatfs");
int statfs(const char *name, System *to) { return (void)name, system_of(to); }
int statfs64(const char *name, System *to) EXPORT_AS("statfs");
#endif

// What was written is there.
int fsync(int descriptor) {
  unsigned mode;
  pthread_testcancel();
  return describe(descriptor, &mode) < 0 ? -1 : 0;
}
int fdatasync(int descriptor) EXPORT_AS("fsync");

// Advice changes nothing. The error is the result.
int posix_fadvise64(int descriptor, long long start, long long length, int advice) {
  (void)start;
  int open, before = errno;
  unsigned mode;
  if (__verify_end(descriptor, &open))
    return open ? ESPIPE : EBADF;
  int there = describe(descriptor, &mode) >= 0;
  errno = before;
  return !there ? EBADF : length < 0 || advice < 0 || advice > 5 ? EINVAL : 0;
}
int posix_fadvise(int descriptor, long start, long length, int advice) {
  return posix_fadvise64(descriptor, start, length, advice);
}

int rename(const char *from, const char *to) {
  pthread_mutex_lock(&names);
  File *file = find(from), *other = find(to);
  if ((file && file->kind == DIRECTORY) || (file && other && other->kind == DIRECTORY))
    __verify_not_modelled("rename of or to a directory");
  char *plain = __verify_plain_name(to);
  int error = file ? __verify_outside(plain) : ENOENT;
  if (!error && file != other) {
    if (other)
      unlink(to);
    File *removed;
    while ((removed = __verify_known(plain, strlen(plain)))) {
      take_from_list(removed);
      discard(removed);
    }
    size_t length = strlen(plain) + 1;
    char *name = __verify_keep(length);
    __builtin_memcpy(name, plain, length);
    char *before = file->name;
    file->name = name;
    remember_removal(before);
    free(before);
  }
  if (error)
    errno = error;
  pthread_mutex_unlock(&names);
  return error ? -1 : 0;
}

// No name is a link, and there is one directory.
long readlink(const char *name, char *to, size_t room) {
  (void)to, (void)room;
  pthread_mutex_lock(&names);
  errno = find(name) ? EINVAL : ENOENT;
  pthread_mutex_unlock(&names);
  return -1;
}
char *getcwd(char *to, size_t room) {
  enum { ERANGE = 34 };
  if (to && room < 2) {
    errno = room ? ERANGE : EINVAL;
    return NULL;
  }
  if (!to)
    to = malloc(room > 2 ? room : 2);
  to[0] = '/', to[1] = 0;
  return to;
}

// A thread that has it open can still use it.
int unlink(const char *name) {
  __verify_may_be_cancelled();
  pthread_mutex_lock(&names);
  File *file = find(name);
  if (file && file->kind == DIRECTORY) {
    errno = IS_A_DIRECTORY;
    file = NULL;
  } else if (file) {
    take_from_list(file);
    remember_removal(file->name);
    free(file->name);
    file->name = NULL;
    if (file->links == 0)
      discard(file);
  } else
    errno = ENOENT;
  pthread_mutex_unlock(&names);
  return file ? 0 : -1;
}

int __verify_remove_directory(const char *name);
int remove(const char *name) {
  pthread_mutex_lock(&names);
  File *file = find(name);
  int is_directory = file && file->kind == DIRECTORY;
  pthread_mutex_unlock(&names);
  return is_directory ? __verify_remove_directory(name) : unlink(name);
}

// rmdir, for which remove asks as well.
int __verify_remove_directory(const char *name) {
  enum { BUSY = 16, NOT_EMPTY = 39 };
  pthread_mutex_lock(&names);
  File *file = find(name);
  char *plain = __verify_plain_name(name);
  size_t length = strlen(plain);
  int error = file && file->kind != DIRECTORY ? NOT_A_DIRECTORY : !*name ? ENOENT : !length ? BUSY : 0;
  for (File *other = files; other && !error; other = other->next)
    if (other->kind != REMOVED && strncmp(other->name, plain, length) == 0 && other->name[length] == '/')
      error = NOT_EMPTY;
  if (!error && !file && !__verify_known(plain, length))
    __verify_not_modelled("rmdir of a directory that the program did not make");
  if (!error && !file)
    error = ENOENT;
  if (!error)
    file->kind = REMOVED;
  else
    errno = error;
  pthread_mutex_unlock(&names);
  return error ? -1 : 0;
}
