//@ revisions: nan infinite finite precise
//@[nan] verdict: unsafe(uninitialised)
//@[nan] cflags: -ffast-math -DX=zero/zero
//@[infinite] verdict: unsafe(uninitialised)
//@[infinite] cflags: -ffast-math -DX=1/zero
//@[finite] verdict: safe
//@[finite] cflags: -ffast-math -DX=zero/4
//@[finite] native: run
//@[precise] verdict: safe
//@[precise] cflags: -DX=zero/zero
//@[precise] native: run
// -ffast-math declares that there are no NaNs and nothing is infinite.
static double zero;

int main(void) {
  double x = X;
  return x != x || x == 0 ? 0 : 1; //~[nan infinite] uninitialised
}
