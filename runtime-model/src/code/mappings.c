// mmap of files. Anonymous memory is the machine's affair; a file is copied into such memory.
//
// What others see: a mapping that is private, or cannot be written, holds what the file held when it was made, and the
// file must not change afterwards. One that is shared and written goes back to the file when it is unmapped, and until
// then nobody may use the file otherwise. What differs from that is not modelled.
#include "files.h"

void *__verify_map(void *place, size_t length, int protection, int flags, int kind);
int __verify_unmap(void *place, size_t length);
int mprotect(void *, size_t, int);
// 0: no mapping, or one without a file; else what it was made as.
int __verify_mapping_kind(void *);

enum { PAGE = 4096, READS = 1, WRITES = 2, SHARED = 1, PRIVATE = 2, FIXED = 0x10, ANONYMOUS = 0x20 };
enum { NO_FILE, COPY, READ_SHARED, WRITTEN_BACK };

typedef struct Mapped {
  char *place;
  size_t length, offset;
  File *file;
  int kind;
  struct Mapped *next;
} Mapped;
static Mapped *mapped;

void *mmap(void *place, size_t length, int protection, int flags, int descriptor, long offset) {
  enum { EACCES = 13, ENODEV = 19 };
  void *const failed = (void *)-1;
  if (flags & ANONYMOUS || length == 0)
    return __verify_map(place, length, protection, flags | ANONYMOUS, NO_FILE);
  int kind = flags & 0xf, error = 0, open;
  if (kind != SHARED && kind != PRIVATE)
    __verify_not_modelled("mmap with MAP_SHARED_VALIDATE");
  if (offset % PAGE != 0 || offset < 0) {
    errno = EINVAL;
    return failed;
  }
  if (__verify_end(descriptor, &open)) {
    errno = open ? ENODEV : EBADF;
    return failed;
  }
  pthread_mutex_lock(&__verify_names);
  Description *description = __verify_use(descriptor);
  if (!description) {
    pthread_mutex_unlock(&__verify_names);
    return failed;
  }
  int access = description->flags & ACCESS, back = kind == SHARED && access == READ_WRITE;
  File *file = description->file;
  if (access == WRITE_ONLY || (kind == SHARED && protection & WRITES && !back))
    error = EACCES;
  else if (file->most || description->bytes_to || file->fixed)
    __verify_not_modelled("mmap of what is no ordinary file");
  else if (file->shared || (back && file->maps))
    __verify_not_modelled("two mappings of a file of which one is shared and may be written");
  char *result = failed;
  if (!error) {
    size_t first = (size_t)offset < file->size ? (size_t)offset : file->size, left = file->size - first;
    size_t bytes = left < length ? left : length, whole = (bytes + PAGE - 1) / PAGE * PAGE;
    result = __verify_map(place, length, READS | WRITES, flags | ANONYMOUS, back ? WRITTEN_BACK : kind == SHARED ? READ_SHARED : COPY);
    if (bytes)
      __builtin_memcpy(result, file->bytes + first, bytes);
    // Behind the end of the file there is nothing to access.
    if ((length + PAGE - 1) / PAGE * PAGE > whole)
      mprotect(result + whole, length - whole, 0);
    if (whole && (protection & 7) != (READS | WRITES))
      mprotect(result, whole, protection);
    file->maps++;
    file->shared = back;
    // It outlives its descriptor.
    file->links++;
    Mapped *new = __verify_keep(sizeof *new);
    *new = (Mapped){result, length, (size_t)offset, file, back ? WRITTEN_BACK : COPY, mapped};
    mapped = new;
  } else
    errno = error;
  __verify_done(description);
  pthread_mutex_unlock(&__verify_names);
  return result;
}
void *mmap64(void *place, size_t length, int protection, int flags, int descriptor, long long offset) {
  if (offset != (long)offset)
    __verify_not_modelled("mmap behind 2 GiB of a file");
  return mmap(place, length, protection, flags, descriptor, (long)offset);
}

// What was written goes back to the file.
static void write_back(Mapped *old) {
  File *file = old->file;
  size_t left = old->offset < file->size ? file->size - old->offset : 0, bytes = left < old->length ? left : old->length;
  if (bytes) {
    mprotect(old->place, bytes, READS);
    __builtin_memcpy(file->bytes + old->offset, old->place, bytes);
  }
}

int munmap(void *place, size_t length) {
  int kind = __verify_mapping_kind(place);
  if (kind == NO_FILE)
    return __verify_unmap(place, length);
  pthread_mutex_lock(&__verify_names);
  Mapped **at = &mapped;
  while (*at && ((*at)->place != place || ((*at)->length + PAGE - 1) / PAGE != (length + PAGE - 1) / PAGE))
    at = &(*at)->next;
  Mapped *old = *at;
  if (!old && kind == WRITTEN_BACK)
    __verify_not_modelled("munmap of a part of a mapping that is shared with a file and may be written");
  // (If a part of the others is unmapped, the file counts as mapped for ever.)
  if (old) {
    File *file = old->file;
    pthread_mutex_lock(&file->lock);
    if (kind == WRITTEN_BACK)
      write_back(old);
    file->maps--;
    file->shared = 0;
    pthread_mutex_unlock(&file->lock);
    *at = old->next;
    free(old);
    __verify_unlink_file(file);
  }
  int result = __verify_unmap(place, length);
  pthread_mutex_unlock(&__verify_names);
  return result;
}

int msync(void *place, size_t length, int flags) {
  enum { ASYNC = 1, INVALIDATE = 2, SYNC = 4 };
  (void)length;
  pthread_testcancel();
  if ((uintptr_t)place % PAGE || flags & ~(ASYNC | INVALIDATE | SYNC) || (flags & (ASYNC | SYNC)) == (ASYNC | SYNC)) {
    errno = EINVAL;
    return -1;
  }
  if (!__verify_mapping_kind(place))
    __verify_not_modelled("msync of what is no mapping of a file");
  return 0;
}
