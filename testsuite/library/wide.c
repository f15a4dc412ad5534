//@ verdict: safe
//@ native: run
//@ revisions: m64 m32
//@[m32] cflags: -m32
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <libgen.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  wchar_t room[16];
  assert(!strcmp(setlocale(LC_ALL, "C"), "C") && !setlocale(LC_ALL, "no_SUCH"));
  assert(wcslen(wcscpy(room, L"abc")) == 3 && !wcscmp(wcscat(room, L"def"), L"abcdef"));
  assert(wcschr(room, L'c') == room + 2 && !wcschr(room, L'x') && wcsrchr(room, 0) == room + 6);
  assert(wcsstr(room, L"de") == room + 3 && wcsncmp(room, L"abx", 2) == 0 && wcscmp(L"a", L"b") < 0);
  wmemset(room, L'z', 3);
  assert(!wmemcmp(room, L"zzzd", 4) && wmemchr(room, L'd', 6) == room + 3);
  assert(mbstowcs(room, "text", 16) == 4 && room[3] == L't' && !room[4]);
  char bytes[8];
  assert(wcstombs(bytes, room, 8) == 4 && !strcmp(bytes, "text"));
  assert(mblen("x", 1) == 1 && mblen("", 1) == 0 && mbtowc(room, "\xff", 1) == -1 && wctomb(bytes, L'q') == 1);
  assert(mbstowcs(room, "\xff", 4) == (size_t)-1 && errno == EILSEQ);
  assert(towupper(L'a') == L'A' && iswspace(L'\n') && !iswalpha(L'1') && MB_CUR_MAX == 1);

  char path[] = "/usr/lib/", name[] = "file", root[] = "/", one[] = "/etc", other[] = "/usr/lib/";
  assert(!strcmp(basename(path), "lib") && !strcmp(dirname(other), "/usr") && !strcmp(dirname(name), "."));
  assert(!strcmp(dirname(one), "/") && !strcmp(basename(root), "/") && !strcmp(dirname(root), "/"));
  char message[40];
  assert(!strcmp(strerror_r(ENOENT, message, sizeof message), "No such file or directory"));
  return 0;
}
