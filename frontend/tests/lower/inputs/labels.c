int run(const unsigned char *code) {
  static const void *const table[] = {&&add, &&twice, &&stop};
  static const int offsets[] = {&&add - &&add, &&twice - &&add};
  int value = 1;
  goto *table[*code++];
add:
  value += 3;
  goto *table[*code++];
twice:
  value *= 2;
  goto *(&&add + offsets[*code++]);
stop:
  return value;
}
int main(void) {
  return 0;
}
