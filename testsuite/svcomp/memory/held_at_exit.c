// The variable still holds the block when the program ends, though nobody reads it again.
extern void *malloc(unsigned long);
extern void exit(int);

static void keep(void) {
  int *block = malloc(sizeof *block);
  *block = 1;
  exit(0);
}

int main(void) { keep(); }
