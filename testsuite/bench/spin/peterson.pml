/* Peterson's mutual exclusion of two processes, for ever: see peterson.c. */
bool wants[2];
byte turn, inside;

proctype process(byte me) {
  byte other = 1 - me;
again:
  wants[me] = true;
  turn = other;
wait:
  if
  :: wants[other] ->
     if
     :: turn == other -> goto wait
     :: else
     fi
  :: else
  fi;
  d_step { assert(inside == 0); inside++ }
  inside--;
  wants[me] = false;
  goto again
}

init {
  run process(0);
  run process(1)
}
