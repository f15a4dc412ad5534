// What the library code needs of the rest of the library. It is compiled without the system's headers, so that it does
// not depend on which are installed.
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT_AS(name) __attribute__((alias(name)))

extern int *__errno_location(void);
#define errno (*__errno_location())
enum { ENOENT = 2, EBADF = 9, ENOMEM = 12, EINVAL = 22, EMFILE = 24, ENOTTY = 25, ESPIPE = 29, EILSEQ = 84, EOVERFLOW = 75 };

void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
// The same as malloc and realloc, for memory that the program cannot free.
void *__verify_keep(size_t);
void *__verify_keep_more(void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strerror(int);

// At the beginning of a function of the program's interface that is a cancellation point: by the rules, or perhaps.
void pthread_testcancel(void);
void __verify_may_be_cancelled(void);
// The program asks for something that is not modelled: the verdict becomes unknown.
void __verify_not_modelled(const char *what);
