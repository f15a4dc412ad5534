//@ revisions: shown many_shown shared own share file signed says tells now_and_then polls logs known never_given length text given taken asserted divides stored wide early looked_at
//@[shown many_shown shared own share file signed says tells now_and_then polls logs] verdict: safe
//@[shown] cflags: -DSHOW=printf("%u",turns)
//@[many_shown] cflags: -DSHOW=printf("%s:%5u,%x,%.2f\n",name,turns,turns*3,turns/4.0)
//@[shared] cflags: -DCOUNT=spins=(spins+1)&7 -DEND=printf("%u",spins)
//@[own] cflags: -DOWN=_Thread_local -DCOUNT=spins=(spins+1)&7 -DSHOW=printf("%u",spins)
//@[share] cflags: -DCOUNT=spins=(spins+1)&7 -DEND=for(unsigned(i)=0;i<2;i++)total+=spins;printf("%u,%.1f",total,total/2.0)
//@[file] cflags: -DSHOW=fprintf(stderr,"%u",turns)
//@[signed] cflags: -DTYPE=int -DCOUNT=turns++;if(atomic_load(&lock))break -DSHOW=printf("%d",turns)
//@[signed] assumes: few-turns
//@[signed] states: no
//@[says] cflags: -DCOUNT=puts("waiting"),fflush(stdout)
//@[tells] cflags: -DCOUNT=printf("%d\n",(turns=(turns+1)&7)),fputs("waiting",stderr)
//@[now_and_then] cflags: -DCOUNT=turns=(turns+1)&7;if(turns==5)fprintf(stderr,"%u\n",turns)
//@[logs] cflags: -DCOUNT=turns=(turns+1)&7,logs("waiting",turns) -DSHOW=logs("done",turns)
//@[shown many_shown shared own share file says tells now_and_then logs] awaits: 1
//@[polls] cflags: -DPOLL -DCOUNT=puts("waiting"),turns=(turns+1)&7
//@[known] verdict: unsafe(assertion)
//@[known] cflags: -DCOUNT=turns=printf("%u\n",turns)+(turns&7);assert(turns<5)
//@[never_given] verdict: unsafe(uninitialised)
//@[never_given] cflags: -DCOUNT=printf("%u\n",never)
//@[length] verdict: unsafe(assertion)
//@[length] cflags: -DCOUNT=turns=(turns+1)&15 -DSHOW=assert(printf("%u",turns)<2)
//@[text] verdict: unsafe(memory)
//@[text] cflags: -DSHOW=printf("%s",name+turns)
//@[given] verdict: unsafe(uninitialised)
//@[given] cflags: -DCOUNT=turns=7 -DFIRST=never -DSHOW=printf("%u",turns)
//@[looked_at] verdict: unsafe(assertion)
//@[looked_at] cflags: -DSHOW=looks(turns)
//@[taken] verdict: unsafe(uninitialised)
//@[taken] cflags: -DCOUNT=turns=never -DSHOW=printf("%u",turns)
//@[asserted] verdict: unsafe(assertion)
//@[asserted] cflags: -DSHOW=printf("%u",turns),assert(turns<3)
//@[divides] verdict: unsafe(overflow)
//@[divides] cflags: -DSHOW=printf("%u",12/(turns-3))
//@[stored] verdict: unsafe(assertion)
//@[stored] cflags: -DSHOW=printf("%u",turns);spins=turns -DEND=assert(spins<3)
//@[wide] verdict: unsafe(assertion)
//@[wide] cflags: -DSHOW=snprintf(line,sizeof(line),"%u",turns) -DEND=assert(line[0]!='3')
//@[early] verdict: unsafe(data-race)
//@[early] cflags: -DCOUNT=spins=(spins+1)&7 -DEARLY=printf("%u",spins)
//@ cutoffs: needed
//@ source: nothing but text depends on the number of turns, so that the waiting thread is as good as one without turns; in all other revisions some number of turns, or none, leads to the error
// A thread counts its turns, and how many there were is printed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifndef TYPE
#define TYPE unsigned
#endif
#ifndef OWN
#define OWN
#endif
#ifndef FIRST
#define FIRST 0
#endif
#ifndef COUNT
#define COUNT turns = (turns + 1) & 7
#endif
#ifndef SHOW
#define SHOW
#endif
#ifndef EARLY
#define EARLY
#endif
#ifndef END
#define END
#endif

static atomic_int flag, lock;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int set;
static OWN unsigned spins;
static char line[8];
static const char name[] = "ab";

static void logs(const char *what, unsigned number) {
  (void)what;
  printf("%x: %u of 8\n", number + 1, number);
}

static void looks(unsigned number) {
  printf("%u\n", number);
  assert(number < 3); //~[looked_at] assertion
}

static void *waits(void *argument) {
  unsigned never;
  TYPE turns = FIRST;
#ifdef POLL
  for (int found = 0; !found;) {
    pthread_mutex_lock(&mutex);
    found = set;
    if (!found) {
      COUNT;
    }
    pthread_mutex_unlock(&mutex);
  }
#else
  while (!atomic_load(&flag)) {
    COUNT; //~[early] data-race //~[known] assertion //~[never_given] uninitialised
  }
#endif
  SHOW; //~[length asserted] assertion //~[text] memory //~[given taken] uninitialised //~[divides] overflow
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  EARLY; //~[early] data-race
  atomic_store(&flag, 1);
  pthread_mutex_lock(&mutex);
  set = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  unsigned total = 0;
  (void)total, (void)logs, (void)looks;
  END; //~[stored wide] assertion
  return 0;
}
