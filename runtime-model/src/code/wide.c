// Wide characters, and the multibyte characters of the C locale, which are bytes below 128.
#include "library.h"

typedef __WCHAR_TYPE__ Wide;
typedef unsigned Either; // wint_t

size_t wcslen(const Wide *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}
size_t wcsnlen(const Wide *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}
Wide *wmemcpy(Wide *to, const Wide *from, size_t n) { return __builtin_memcpy(to, from, n * sizeof *to); }
Wide *wmempcpy(Wide *to, const Wide *from, size_t n) { return wmemcpy(to, from, n) + n; }
Wide *wmemmove(Wide *to, const Wide *from, size_t n) { return __builtin_memmove(to, from, n * sizeof *to); }
Wide *wmemset(Wide *to, Wide c, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = c;
  return to;
}
int wmemcmp(const Wide *a, const Wide *b, size_t n) {
  for (; n; n--, a++, b++)
    if (*a != *b)
      return *a < *b ? -1 : 1;
  return 0;
}
Wide *wmemchr(const Wide *s, Wide c, size_t n) {
  for (; n; n--, s++)
    if (*s == c)
      return (Wide *)s;
  return NULL;
}
Wide *wcscpy(Wide *to, const Wide *from) { return wmemcpy(to, from, wcslen(from) + 1); }
Wide *wcpcpy(Wide *to, const Wide *from) { return wcscpy(to, from) + wcslen(from); }
Wide *wcsncpy(Wide *to, const Wide *from, size_t n) {
  size_t length = wcsnlen(from, n);
  wmemcpy(to, from, length);
  wmemset(to + length, 0, n - length);
  return to;
}
Wide *wcscat(Wide *to, const Wide *from) {
  wcscpy(to + wcslen(to), from);
  return to;
}
Wide *wcsncat(Wide *to, const Wide *from, size_t n) {
  size_t length = wcsnlen(from, n);
  Wide *end = to + wcslen(to);
  wmemcpy(end, from, length);
  end[length] = 0;
  return to;
}
int wcsncmp(const Wide *a, const Wide *b, size_t n) {
  for (; n; n--, a++, b++)
    if (*a != *b || !*a)
      return (*a > *b) - (*a < *b);
  return 0;
}
int wcscmp(const Wide *a, const Wide *b) { return wcsncmp(a, b, (size_t)-1); }
int wcscoll(const Wide *a, const Wide *b) { return wcscmp(a, b); }
Wide *wcschr(const Wide *s, Wide c) {
  for (;; s++) {
    if (*s == c)
      return (Wide *)s;
    if (!*s)
      return NULL;
  }
}
Wide *wcsrchr(const Wide *s, Wide c) {
  Wide *found = NULL;
  for (;; s++) {
    if (*s == c)
      found = (Wide *)s;
    if (!*s)
      return found;
  }
}
Wide *wcsstr(const Wide *s, const Wide *part) {
  size_t length = wcslen(part);
  for (;; s++) {
    if (wcsncmp(s, part, length) == 0)
      return (Wide *)s;
    if (!*s)
      return NULL;
  }
}
Wide *wcsdup(const Wide *s) {
  Wide *copy = malloc((wcslen(s) + 1) * sizeof *copy);
  return copy ? wcscpy(copy, s) : NULL;
}

// Conversions keep no state. -1: no character; -2: the beginning of one, of which the C locale has none.
size_t mbrtowc(Wide *to, const char *s, size_t n, void *state) {
  (void)state;
  if (!s)
    return 0;
  if (n == 0)
    return (size_t)-2;
  if ((unsigned char)*s > 127) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  if (to)
    *to = *s;
  return *s != 0;
}
size_t wcrtomb(char *to, Wide c, void *state) {
  (void)state;
  if (!to)
    return 1;
  if ((unsigned)c > 127) {
    errno = EILSEQ;
    return (size_t)-1;
  }
  *to = (char)c;
  return 1;
}
int mbtowc(Wide *to, const char *s, size_t n) {
  int result = (int)mbrtowc(to, s, n, NULL);
  return result < -1 ? -1 : result;
}
int mblen(const char *s, size_t n) { return mbtowc(NULL, s, n); }
int wctomb(char *to, Wide c) { return to ? (int)wcrtomb(to, c, NULL) : 0; }
size_t mbstowcs(Wide *to, const char *s, size_t n) {
  for (size_t i = 0; !to || i < n; i++) {
    Wide c;
    size_t length = mbrtowc(&c, s + i, 1, NULL);
    if (length == (size_t)-1)
      return length;
    if (to)
      to[i] = c;
    if (!c)
      return i;
  }
  return n;
}
size_t wcstombs(char *to, const Wide *s, size_t n) {
  for (size_t i = 0; !to || i < n; i++) {
    char c;
    if (wcrtomb(&c, s[i], NULL) == (size_t)-1)
      return (size_t)-1;
    if (to)
      to[i] = c;
    if (!c)
      return i;
  }
  return n;
}
Either btowc(int c) { return c >= 0 && c < 128 ? (Either)c : (Either)-1; }
int wctob(Either c) { return c < 128 ? (int)c : -1; }
size_t __ctype_get_mb_cur_max(void) { return 1; }
int mbsinit(const void *state) { return (void)state, 1; }

static int in(Either c, Either low, Either high) { return c >= low && c <= high; }
int iswdigit(Either c) { return in(c, '0', '9'); }
int iswupper(Either c) { return in(c, 'A', 'Z'); }
int iswlower(Either c) { return in(c, 'a', 'z'); }
int iswalpha(Either c) { return iswupper(c) || iswlower(c); }
int iswalnum(Either c) { return iswalpha(c) || iswdigit(c); }
int iswspace(Either c) { return c == ' ' || in(c, '\t', '\r'); }
int iswprint(Either c) { return in(c, ' ', '~'); }
int iswpunct(Either c) { return in(c, '!', '~') && !iswalnum(c); }
Either towupper(Either c) { return iswlower(c) ? c - 32 : c; }
Either towlower(Either c) { return iswupper(c) ? c + 32 : c; }

// There is no other locale.
char *setlocale(int category, const char *name) {
  int known = !name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
  return category >= 0 && category <= 12 && known ? "C" : NULL;
}
