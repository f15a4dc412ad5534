//@ verdict: unsafe(memory)

int main(void) {
  char *text = "constant";
  text[0] = 'C'; //~ memory
  return 0;
}
