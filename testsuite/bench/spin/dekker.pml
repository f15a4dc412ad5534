/* Dekker's mutual exclusion of two processes, for ever: see dekker.c. */
bool wants[2];
byte turn, inside;

proctype process(byte me) {
  byte other = 1 - me;
again:
  wants[me] = true;
look:
  if
  :: wants[other] ->
     if
     :: turn == other ->
        wants[me] = false;
give_way:
        if
        :: turn == other -> goto give_way
        :: else
        fi;
        wants[me] = true
     :: else
     fi;
     goto look
  :: else
  fi;
  d_step { assert(inside == 0); inside++ }
  inside--;
  turn = other;
  wants[me] = false;
  goto again
}

init {
  run process(0);
  run process(1)
}
