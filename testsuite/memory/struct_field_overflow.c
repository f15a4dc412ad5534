//@ verdict: safe
// Within one object, the language's type bounds are not what is checked: the bytes are there.
struct pair { int first[2]; int second; };

int main(void) {
  struct pair p = {{1, 2}, 3};
  int *flat = (int *)&p;
  return flat[2] == 3 ? 0 : 1;
}
