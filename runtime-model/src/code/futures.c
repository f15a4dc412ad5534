// What libstdc++ keeps compiled of std::future: what a result begins with, and how threads wait for one.
#include "library.h"

int __verify_futex_wait(unsigned *, unsigned, int);
void __verify_futex_wake(unsigned *);
void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **);

// Whoever derives from this says which functions it has, and an exception may become the result.
typedef struct {
  const void *functions;
  void *exception;
} Result;
void _ZNSt13__future_base12_Result_baseC2Ev(Result *self) {
  self->functions = NULL;
  self->exception = NULL;
}
void _ZNSt13__future_base12_Result_baseC1Ev(Result *self) EXPORT_AS("_ZNSt13__future_base12_Result_baseC2Ev");
void _ZNSt13__future_base12_Result_baseD2Ev(Result *self) {
  if (self->exception)
    _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(&self->exception);
}
void _ZNSt13__future_base12_Result_baseD1Ev(Result *self) EXPORT_AS("_ZNSt13__future_base12_Result_baseD2Ev");

// Waits while the value is this one, perhaps until some time by the clock: false if it is over. The time may be over at
// any moment. Whoever calls looks at the value again.
_Bool _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void *self, unsigned *place, unsigned value, _Bool timed, long seconds, long nanoseconds) {
  (void)self, (void)seconds, (void)nanoseconds;
  enum { TIMED_OUT = 110 };
  return __verify_futex_wait(place, value, timed) != TIMED_OUT;
}
_Bool _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    void *self, unsigned *place, unsigned value, _Bool timed, long seconds, long nanoseconds)
    EXPORT_AS("_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_"
              "ILl1ELl1000000000EEEE");
void _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(unsigned *place) { __verify_futex_wake(place); }
