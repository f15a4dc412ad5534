// Files and descriptors, for files.c and streams.c.
#pragma once
#include "library.h"

// A pthread_mutex_t, here always a recursive one.
typedef struct {
  long words[sizeof(long) == 8 ? 5 : 6];
} Mutex;
#define RECURSIVE {{[sizeof(long) == 8 ? 2 : 3] = 1}}
int pthread_mutex_lock(Mutex *);
int pthread_mutex_trylock(Mutex *);
int pthread_mutex_unlock(Mutex *);

enum FileKind {
  ORDINARY, // a file
  DIRECTORY,
  REMOVED // a directory that is no more: there is nothing in it
};

typedef struct File {
  char *name;             // null: reached by its descriptor only
  char *bytes;
  size_t size, room;
  size_t most;            // of standard input that may be anything: how long it is at most; else 0
  int ended;              // its end was found, so that `size` is how long it is
  int fixed;              // the bytes are the program's, and no more than `room`
  int links;              // descriptions and mappings that refer to it
  int maps, shared;       // mappings of it; whether there is one that goes back to it
  enum FileKind kind;     // what is no file has only a name
  struct File *next;      // in the list of files with names
  Mutex lock;             // held while anything here, or in a description of it, is used
} File;

// One end of a stream: what is done with it instead of with a file.
typedef struct End {
  long (*read)(struct End *, void *, size_t);
  long (*write)(struct End *, const void *, size_t);
  void (*close)(struct End *);
  // What of these could be done at once, as poll says it; called while what may be ready does not change, by the lock
  // of polling.
  int (*ready)(struct End *);
  _Atomic int flags;
  // For polling: where it reads from, and where it writes to; several ends may do so.
  const void *source, *sink;
  // Of a timer: it goes off if it runs; whether it has gone off.
  int (*expire)(struct End *);
  // For polling: how many threads wait for it, and whether it was closed meanwhile.
  _Atomic int waiting;
  int closed;
} End;
enum { NOT_WAITING = 04000, CLOSE_ON_EXEC = 02000000 };

// For programs that wait for descriptors (polling.c): what such threads are told.
typedef struct {
  // For counters and timers: what changes and that it is told are one step, under this lock.
  Mutex *lock;
  // Something may be ready that was not: there is something to take there (READY_IN), room (READY_OUT), or who waits
  // for it is to look again (READY_SAME). READY_PERHAPS: there may have been something to take, before it was changed.
  // The lock is held.
  void (*changed)(const void *where, int what);
  // An end is to be closed. Not 0: a thread waits for it, which keeps it open, and closes it when it is done.
  int (*kept)(End *);
  // An end is closed: sets what is not null, of those that read and write there.
  void (*gone)(const void *source, int *reader, const void *sink, int *writer);
} Polling;
enum { READY_IN = 1, READY_OUT = 4, READY_ERROR = 8, READY_HANG_UP = 16, READY_INVALID = 32, READY_ENDED = 0x2000 };
enum { READY_SAME = 0, READY_PERHAPS = 0x8000, READY_RUNNING = 0x10000 }; // the latter: a timer that is not over
extern Polling __verify_polling;
// The address of a variable of library code if that is a part of the program, else null.
void *__verify_linked(const char *name);
static inline const Polling *polling_of_program(void) { return __verify_linked("__verify_polling"); }
// Of a counter or timer: the lock of polling, or its own.
static inline Mutex *lock_of(Mutex *own) {
  const Polling *polling = polling_of_program();
  return polling ? polling->lock : own;
}
static inline void changed_under_lock(const void *where, int what) {
  const Polling *polling = polling_of_program();
  if (polling)
    polling->changed(where, what);
}

// An open file description.
typedef struct {
  End *end;               // null: it is a file's
  _Atomic(File *) file;   // null: not in use; some file if it is an end of a stream
  size_t offset;
  int flags;
  int closes_on_exec;     // held by the lock of names
  char **bytes_to;        // where open_memstream's caller wants to see bytes and size
  size_t *size_to;
} Description;

enum {
  READ_ONLY = 0, WRITE_ONLY = 1, READ_WRITE = 2, ACCESS = 3, CREATE = 0100, EXCLUSIVE = 0200, TRUNCATE = 01000, APPEND = 02000
};
enum { SET, CURRENT, END };

// Descriptors; the first three are those of the standard streams.
#define DESCRIPTORS 64
extern Description __verify_descriptions[DESCRIPTORS];

enum { EXISTS = 17, NOT_A_DIRECTORY = 20, IS_A_DIRECTORY = 21 };
// Files with names, their lock, and what directories.c needs of it: see files.c.
extern Mutex __verify_names;
extern File *__verify_files;
File *__verify_make(const char *plain);
char *__verify_plain_name(const char *name);
File *__verify_known(const char *plain, size_t length);
int __verify_outside(const char *plain);

int __verify_open(const char *name, int flags);
int __verify_open_file(File *file, int flags);
// The description that a descriptor stands for, with its file locked, until it is done with.
Description *__verify_use(int descriptor);
void __verify_done(Description *);
// One description or mapping less refers to the file.
void __verify_unlink_file(File *);
// A descriptor for this end, or -1.
int __verify_open_end(End *, int flags);
// Two descriptors for these ends. Not 0: there are none. Of the flags only CLOSE_ON_EXEC counts here.
int __verify_open_ends(End *, End *, int flags, int descriptors[2]);
// Whether a descriptor stands for anything.
int __verify_is_open(int descriptor);
// The end of a stream that a descriptor is, or was as long as it was open.
End *__verify_end(int descriptor, int *open);
int unlink(const char *);
int __verify_close(int descriptor);
long __verify_read(int descriptor, void *to, size_t size);
long __verify_write(int descriptor, const void *from, size_t size);
long long __verify_seek(int descriptor, long long offset, int from);
// Tells the caller of open_memstream what is written; of a stream that was set back glibc counts what is before its
// place, and ends it there when it is closed.
void __verify_publish(int descriptor, int closes);
