//! Clocks and sleeping. The clock is the machine's own: it goes on with each look at it, and while the thread sleeps.
use crate::args::{Done, return_int, return_long, return_word, word};
use crate::errno::{self, EINVAL};
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family::of("time");
const CLOCK: &str = "the thread's own clock, which goes on by a microsecond at its first look, then by twice as much at \
    each, up to a minute (assumption fixed-clock)";
const NOTHING: &str = "the clock goes on: every schedule is explored";

/// `time`, `clock_gettime`, `sleep` and the like.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("time", CLOCK, time),
    FAMILY.noted("__verify_cycles", CLOCK, |c| return_word(now(c))),
    FAMILY.noted("clock", CLOCK, clock),
    FAMILY.noted("clock_gettime", CLOCK, clock_gettime),
    FAMILY.noted("clock_getres", CLOCK, clock_getres),
    FAMILY.noted("timespec_get", CLOCK, timespec_get),
    FAMILY.noted("gettimeofday", CLOCK, gettimeofday),
    FAMILY.plain("difftime", difftime),
    FAMILY.noted("sleep", NOTHING, |c| sleep(c, SECOND)).idling().on_data(),
    FAMILY.noted("usleep", NOTHING, |c| sleep(c, 1000)).idling().on_data(),
    FAMILY.noted("nanosleep", NOTHING, |c| nanosleep(c, 0)).sleeping(0),
    FAMILY.noted("clock_nanosleep", NOTHING, |c| nanosleep(c, 2)).sleeping(2),
];

const SECOND: u64 = 1_000_000_000;

/// The time that clock_nanosleep is given is one of the clock.
const TIMER_ABSTIME: i32 = 1;

fn now(call: &mut dyn Call) -> u64 {
    call.assume(Assumption::FixedClock);
    call.look_at_clock()
}

fn time(call: &mut dyn Call) -> Done {
    let result = word(call, 0)?;
    let seconds = now(call) / SECOND;
    if result != 0 {
        call.store(result, call.pointer_bytes(), seconds)?;
    }
    return_long(call, seconds as i64)
}

/// In microseconds.
fn clock(call: &mut dyn Call) -> Done {
    let micros = now(call) / 1000;
    return_long(call, micros as i64)
}

/// Stores two `long`s.
fn store_pair(call: &mut dyn Call, address: u64, first: u64, second: u64) -> Result<(), ModelError> {
    let bytes = call.pointer_bytes();
    call.store(address, bytes, first)?;
    call.store(address + bytes, bytes, second)
}

fn clock_gettime(call: &mut dyn Call) -> Done {
    let (_, result) = (word(call, 0)?, word(call, 1)?);
    let now = now(call);
    store_pair(call, result, now / SECOND, now % SECOND)?;
    return_int(0)
}

fn clock_getres(call: &mut dyn Call) -> Done {
    let (_, result) = (word(call, 0)?, word(call, 1)?);
    if result != 0 {
        store_pair(call, result, 0, 1)?;
    }
    return_int(0)
}

fn timespec_get(call: &mut dyn Call) -> Done {
    let (result, base) = (word(call, 0)?, word(call, 1)?);
    if base != 1 {
        return return_int(0);
    }
    let now = now(call);
    store_pair(call, result, now / SECOND, now % SECOND)?;
    return_int(1)
}

fn gettimeofday(call: &mut dyn Call) -> Done {
    let (result, zone) = (word(call, 0)?, word(call, 1)?);
    let now = now(call);
    if result != 0 {
        store_pair(call, result, now / SECOND, now % SECOND / 1000)?;
    }
    if zone != 0 {
        call.store(zone, 4, 0)?;
        call.store(zone + 4, 4, 0)?;
    }
    return_int(0)
}

fn difftime(call: &mut dyn Call) -> Done {
    let (end, start) = (crate::args::long(call, 0)?, crate::args::long(call, 1)?);
    crate::args::return_double(end as f64 - start as f64)
}

/// The argument is how often that many nanoseconds pass.
fn sleep(call: &mut dyn Call, nanoseconds: u64) -> Done {
    match call.known_argument(0) {
        Some(count) => call.pass_time(nanoseconds.saturating_mul(count & u64::from(u32::MAX))),
        None if call.may_look_at_clock() => {
            let name = call.name();
            let what = "is called for a time that may be any, in a program that looks at the clock";
            return Err(ModelError::Unknown(format!("`{name}` {what}: --nondet tries some")));
        }
        None => {}
    }
    return_int(0)
}

/// `first` is the index of the argument with the time. nanosleep answers through `errno`, clock_nanosleep itself.
fn nanosleep(call: &mut dyn Call, first: usize) -> Done {
    let request = word(call, first)?;
    let bytes = call.pointer_bytes();
    let seconds = crate::args::sign_extend(call.load(request, bytes)?, bytes);
    let nanos = crate::args::sign_extend(call.load(request + bytes, bytes)?, bytes);
    if seconds >= 0 && (0..SECOND as i64).contains(&nanos) {
        let time = (seconds as u64).saturating_mul(SECOND).saturating_add(nanos as u64);
        if first != 0 && crate::args::int(call, 1)? & TIMER_ABSTIME != 0 {
            call.pass_time_until(time);
        } else {
            call.pass_time(time);
        }
        return return_int(0);
    }
    if first != 0 {
        return return_int(EINVAL);
    }
    errno::set(call, EINVAL)?;
    return_int(-1)
}
