// The arguments of main that may be anything: how many there are and how long each is are choices, its bytes are
// inputs. So a string ends where its object does, and what reads on is a fault, as behind the end of an argument that
// is given.
#include "library.h"

unsigned __verify_argument_count(void);
size_t __verify_argument_length(unsigned argument);
// Not 0.
unsigned char __verify_argument_byte(unsigned argument, size_t at);
// Zeros, which the program cannot free.
void *__verify_argument_room(size_t);

// All arguments, with a null pointer behind them.
char **__verify_open_arguments(int given, char **argv) {
  unsigned first = (unsigned)given, end = first + __verify_argument_count();
  char **all = __verify_argument_room((end + 1) * sizeof *all);
  for (unsigned i = 0; i < first; i++)
    all[i] = argv[i];
  for (unsigned i = first; i < end; i++) {
    size_t length = __verify_argument_length(i);
    unsigned char *text = __verify_argument_room(length + 1);
    for (size_t at = 0; at < length; at++)
      text[at] = __verify_argument_byte(i, at);
    all[i] = (char *)text;
  }
  return all;
}
