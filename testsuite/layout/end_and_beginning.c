//@ verdict: safe
//@ assumes: one-layout
// The end of one object may be the beginning of another. Here it is not.
int first[2], second[2];

int main(void) {
  int *end = first + 2, *beginning = second;
  return end == beginning;
}
