//@ revisions: read read_broken characters characters_broken lines lines_broken words words_broken block block_broken long long_broken
//@[read characters lines words block long] verdict: safe
//@[read_broken characters_broken lines_broken words_broken block_broken long_broken] verdict: unsafe(assertion)
//@[read characters lines words block long] cflags: -DIS_FIXED=1
//@[read_broken characters_broken lines_broken words_broken block_broken long_broken] cflags: -DIS_FIXED=0
//@[read read_broken] cflags: -DREAD
//@[characters characters_broken] cflags: -DCHARACTERS
//@[lines lines_broken] cflags: -DLINES
//@[words words_broken] cflags: -DWORDS
//@[block block_broken] cflags: -DBLOCK
//@[long long_broken] cflags: -DLONG
//@ args: --symbolic-stdin 3
// Standard input is up to three bytes. Each way to read it finds any of them, and its end behind any number. What is broken takes two bytes
// for granted, or forgets one content.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
#if defined READ
  char bytes[4] = "";
  long got = read(0, bytes, 2), more = read(0, bytes + 2, 2);
  assert(0 <= got && got <= 2 && 0 <= more && more <= 1);
  assert(got == 2 || more == 0);
  assert(IS_FIXED || got != 1 || bytes[0] != '!'); //~[read_broken] assertion
#elif defined CHARACTERS
  int first = getchar();
  if (first == EOF) {
    assert(feof(stdin) && getchar() == EOF);
    return 0;
  }
  assert(0 <= first && first < 256);
  ungetc(first, stdin);
  assert(getchar() == first);
  int second = fgetc(stdin);
  assert(IS_FIXED || second != EOF || first != 'q'); //~[characters_broken] assertion
#elif defined LINES
  char line[3];
  if (!fgets(line, sizeof line, stdin))
    return 0;
  assert(line[0] == 0 || line[1] == 0 || line[2] == 0);
  // The newline stands at the end, unless the line was too long or the input has ended.
  assert(IS_FIXED || line[0] == '\n' || line[1] == '\n' || !feof(stdin)); //~[lines_broken] assertion
#elif defined WORDS
  char word[3] = "", mark = 0;
  int count = scanf("%2[a-c]%c", word, &mark);
  assert(-1 <= count && count <= 2);
  assert(count < 1 || ('a' <= word[0] && word[0] <= 'c'));
  assert(IS_FIXED || count != 2 || word[1] || mark != '='); //~[words_broken] assertion
#elif defined BLOCK
  char bytes[4];
  size_t pairs = fread(bytes, 2, 2, stdin);
  assert(pairs <= 1 && feof(stdin));
  assert(IS_FIXED || pairs == 0 || bytes[0] != 'p' || bytes[1]); //~[block_broken] assertion
#else
  char *line = NULL;
  size_t room = 0;
  long length = getline(&line, &room, stdin);
  assert(-1 <= length && length <= 3 && length != 0);
  assert(length < 1 || line[length] == 0);
  assert(IS_FIXED || length != 3 || line[2] == '\n'); //~[long_broken] assertion
  free(line);
#endif
}
