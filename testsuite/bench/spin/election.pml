/* A ring of N processes that elect one of them: see election.c. */
#ifndef N
#define N 3
#endif
byte box[N], leaders;

inline send(what) {
  do
  :: box[next] == 0 -> break
  :: else
  od;
  box[next] = what
}

proctype process(byte me) {
  byte mine = me + 1, next = (me + 1) % N, got;
  bool leads;
  send(mine);
  do
  :: do
     :: d_step { got = box[me]; } if
        :: got > 0 -> break
        :: else
        fi
     od;
     box[me] = 0;
     if
     :: got == N + 1 ->
        if
        :: !leads -> send(got)
        :: else
        fi;
        goto over
     :: got == mine ->
        d_step { assert(leaders == 0); leaders++; leads = true }
        send(N + 1)
     :: got > mine && got <= N -> send(got)
     :: else
     fi
  od;
over:
  skip
}

init {
  byte i;
  for (i : 0 .. N - 1) { run process(i) }
}
