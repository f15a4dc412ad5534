/* N producers and N consumers, each with ROUNDS items, and a buffer for two: see buffer.c. */
#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
byte vacant = 2, filled, lock = 1, count;

proctype produce() {
  byte i;
  do
  :: i < ROUNDS ->
     d_step { vacant > 0 -> vacant-- }
     d_step { lock > 0 -> lock--; count++; assert(count <= 2) }
     lock++;
     filled++;
     i++
  :: else -> break
  od
}

proctype consume() {
  byte i;
  do
  :: i < ROUNDS ->
     d_step { filled > 0 -> filled-- }
     d_step { lock > 0 -> lock--; assert(count > 0); count-- }
     lock++;
     vacant++;
     i++
  :: else -> break
  od
}

init {
  byte i;
  for (i : 1 .. N) { run produce(); run consume() }
}
