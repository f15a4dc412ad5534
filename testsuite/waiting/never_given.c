//@ revisions: kept printed decides chosen polled tally shared own bits masked masks masked_tally directive cut many_places
//@[kept printed decides chosen polled tally shared own bits masked masks masked_tally] verdict: unsafe(uninitialised)
//@[kept] cflags: -DBEHIND=unsigned(read)=data->first;if(turns&1)number=read -DEND=printf("%u\n",number)
//@[printed] cflags: -DBEHIND=unsigned(read)=data->first;if(turns&1)printf("%u\n",read)
//@[decides] cflags: -DBEHIND=unsigned(read)=data->first;if(turns&1){if(read==3)number=1;else(number)=2;}
//@[chosen] cflags: -DBEHIND=unsigned(read)=data->first;number=turns&1?read:7 -DEND=printf("%u\n",number)
//@[polled] cflags: -DPOLLS -DEND=printf("%u\n",number)
//@[tally] cflags: -DBEFORE=unsigned(never);count=never -DTURN=printf("%u",count)
//@[shared] cflags: -DTURN=unsigned(never);if(turns==2)count=never;else(count)=turns -DJOINED=printf("%u",count)
//@[own] cflags: -DOWN=_Thread_local -DTURN=unsigned(never);if(turns==2)count=never -DEND=printf("%u",count)
//@[bits] cflags: -DTURN=unsigned(never);if(turns==2)count^=never -DEND=printf("%u",count)
//@[masked] cflags: -DEND=unsigned(never);printf("%u\n",turns&never)
//@[masks] cflags: -DEND=unsigned(never);masks(turns-1,never)
//@[masked_tally] cflags: -DTURN=count=(count+1)&3 -DJOINED=unsigned(never);printf("%u\n",count&never)
//@[directive cut many_places] verdict: unsafe(misuse)
//@[directive] cflags: -DTURN=printf("%y\n") -Wno-format
//@[cut] cflags: -DTURN=printf("waiting\n%") -Wno-format
//@[many_places] cflags: -DTURN=printf("%1$d\n") -Wno-format
//@ cutoffs: needed
//@ source: by hand: after one turn, or two, what was never given is printed or decided by; all calls of the last three are errors
// What a thread prints behind some turns of its loop, or decides by, was never given a value.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifndef OWN
#define OWN
#endif
#ifndef BEFORE
#define BEFORE
#endif
#ifndef TURN
#define TURN
#endif
#ifndef BEHIND
#define BEHIND
#endif
#ifndef END
#define END
#endif
#ifndef JOINED
#define JOINED
#endif

struct data {
  unsigned first, second;
};
static struct data *data, plain;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int set;
static atomic_int flag;
static OWN unsigned count;

static void masks(unsigned one, unsigned other) {
  printf("%u\n", one | other); //~[masks] uninitialised
}

static void *waits(void *argument) {
  unsigned turns = 0, number = 5;
  for (;;) {
#ifdef POLLS
    pthread_mutex_lock(&mutex);
    int found = set;
    unsigned read = plain.first;
    pthread_mutex_unlock(&mutex);
    if (turns & 1)
      number = read;
#else
    int found = atomic_load(&flag);
#endif
    if (found) {
      BEHIND; //~[printed decides] uninitialised
      break;
    }
    TURN; //~[tally] uninitialised //~[directive cut many_places] misuse
    turns = (turns + 1) & 3;
  }
  END; //~[kept chosen polled own bits masked] uninitialised
  (void)number;
  return argument;
}

int main(void) {
  BEFORE;
  struct data never_given;
#ifndef POLLS
  plain = never_given;
#endif
  data = &plain;
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  atomic_store(&flag, 1);
#ifdef POLLS
  pthread_mutex_lock(&mutex);
  plain = never_given;
  set = 1;
  pthread_mutex_unlock(&mutex);
#endif
  pthread_join(thread, 0);
  JOINED; //~[shared masked_tally] uninitialised
  (void)masks, (void)count, (void)plain, (void)mutex, (void)set;
  return 0;
}
