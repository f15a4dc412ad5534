/* Peterson's mutual exclusion of N processes, for ever: see filter.c. Local steps are part of the access before them. */
#ifndef N
#define N 3
#endif
byte level[N], last[N], inside;

proctype process(byte me) {
  byte l, k;
again:
  atomic { l = 1; k = 0 }
next_level:
  level[me] = l;
  last[l] = me;
next:
  if
  :: k == N -> skip
  :: k == me -> k++; goto next
  :: else ->
     if
     :: level[k] >= l ->
        if
        :: last[l] == me -> goto next
        :: else -> k++
        fi
     :: else -> k++
     fi;
     goto next
  fi;
  atomic { l++; k = 0 }
  if
  :: l < N -> goto next_level
  :: else
  fi;
  d_step { assert(inside == 0); inside++ }
  inside--;
  level[me] = 0;
  goto again
}

init {
  byte i;
  for (i : 0 .. N - 1) { run process(i) }
}
