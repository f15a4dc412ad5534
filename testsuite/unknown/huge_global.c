//@ verdict: unknown(takes 2199023255552 bytes)
// No machine gives so much to a variable that is looked at once.
static char table[1L << 41];

int main(void) {
  return table[3];
}
