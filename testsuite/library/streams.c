//@ verdict: safe
//@ native: run
//@ revisions: m64 m32 large fortified
//@[m32] cflags: -m32
//@[large] cflags: -m32 -D_FILE_OFFSET_BITS=64
//@[fortified] cflags: -O1 -D_FORTIFY_SOURCE=2
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "/tmp/a-file-of-the-test-of-verify"

static void files(void) {
  char text[20];
  assert(!fopen("/no/such/file", "r") && errno == ENOENT);
  FILE *f = fopen(NAME, "w+");
  assert(f && fprintf(f, "%d %s\n", 42, "words") == 9 && fputs("two\n", f) >= 0 && fputc('x', f) == 'x');
  assert(ftell(f) == 14 && fseek(f, 3, SEEK_SET) == 0 && fgets(text, 20, f) && !strcmp(text, "words\n"));
  assert(fgetc(f) == 't' && ungetc('T', f) == 'T' && ftell(f) == 9 && getc(f) == 'T');
  assert(fread(text, 1, 20, f) == 4 && !memcmp(text, "wo\nx", 4) && feof(f) && !ferror(f));
  rewind(f);
  assert(!feof(f) && fgets(text, 3, f) && !strcmp(text, "42"));
  assert(fseek(f, -1, SEEK_END) == 0 && fgetc(f) == 'x' && fgetc(f) == EOF && fclose(f) == 0);
  f = fopen(NAME, "a");
  assert(fwrite("yz", 2, 1, f) == 1 && fclose(f) == 0);
  f = fopen(NAME, "r");
  char *line = NULL;
  size_t room = 0;
  assert(getline(&line, &room, f) == 9 && !strcmp(line, "42 words\n") && room >= 10);
  assert(getdelim(&line, &room, 'w', f) == 2 && getline(&line, &room, f) == 2 && !strcmp(line, "o\n"));
  assert(getline(&line, &room, f) == 3 && !strcmp(line, "xyz") && getline(&line, &room, f) == -1 && feof(f));
  free(line);
  assert(fputc('a', f) == EOF && ferror(f));
  clearerr(f);
  assert(!ferror(f) && fileno(f) > 2 && fclose(f) == 0);
  assert(remove(NAME) == 0 && remove(NAME) == -1 && errno == ENOENT);
}

static void descriptors(void) {
  char bytes[8] = "";
  int f = open(NAME, O_RDWR | O_CREAT | O_EXCL, 0600);
  assert(f > 2 && write(f, "abcdef", 6) == 6 && lseek(f, 2, SEEK_SET) == 2 && read(f, bytes, 8) == 4);
  assert(!strcmp(bytes, "cdef") && read(f, bytes, 8) == 0);
  assert(open(NAME, O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && access(NAME, F_OK) == 0);
  assert(unlink(NAME) == 0 && access(NAME, F_OK) == -1 && lseek(f, 1, SEEK_SET) == 1 && read(f, bytes, 1) == 1);
  assert(close(f) == 0 && close(f) == -1 && errno == EBADF && read(f, bytes, 1) == -1);
}

static void memory(void) {
  char room[8] = "12 abc";
  int n;
  FILE *f = fmemopen(room, sizeof room, "r");
  assert(fscanf(f, "%d", &n) == 1 && n == 12 && fgetc(f) == ' ' && fgetc(f) == 'a' && fclose(f) == 0);
  f = fmemopen(room, sizeof room, "w");
  setbuf(f, NULL);
  assert(fputs("hello", f) >= 0 && fflush(f) == 0 && !strcmp(room, "hello") && fclose(f) == 0);
  char *text;
  size_t size;
  f = open_memstream(&text, &size);
  for (int i = 0; i < 50; i++)
    fprintf(f, "%02d,", i);
  assert(fclose(f) == 0 && size == 150 && !strncmp(text, "00,01,", 6) && text[150] == 0);
  free(text);
  f = tmpfile();
  assert(fputs("x", f) >= 0 && fseek(f, 0, SEEK_SET) == 0 && fgetc(f) == 'x' && fclose(f) == 0);
}

int main(void) {
  files();
  descriptors();
  memory();
  fprintf(stderr, "done %d\n", 1);
  return fputs("end\n", stdout) < 0;
}
