//! `syscall`: system calls by their numbers, as far as programs make them that way. Most are for futexes.
use crate::args::{Done, int, long, return_int, return_long, return_word, word};
use crate::errno::{self, EINVAL, ENOSYS, ETIMEDOUT};
use crate::pthread::timeout;
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, ModelError, ModelResult, Outcome, Registered};
use interp::operation::{Operation, Patience};

const FAMILY: Family = Family::of("system calls");
const NOTE: &str = "futex (wait, wake, both with all bits set, requeue; private or not, any timeout may be over at any moment), gettid, \
                    getpid, sched_yield; membarrier and \
                    getrandom are not there (assumption fixed-environment)";

/// `syscall`, and what library code in C does with futexes.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("syscall", NOTE, syscall),
    Family::of("library code").plain("__verify_futex_wait", library_wait),
    Family::of("library code").plain("__verify_futex_wake", library_wake),
];

/// System calls that are modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    Futex,
    /// The number of the thread.
    Thread,
    Process,
    Yield,
    /// Those that older kernels do not have: programs do without.
    Newer,
}

/// What the number means on x86-64, or on i386.
fn number(number: i64, pointer_bytes: u64) -> Option<Number> {
    Some(match (number, pointer_bytes) {
        // (The second on i386 has times of 64 bits.)
        (202, 8) | (240 | 422, 4) => Number::Futex,
        (186, 8) | (224, 4) => Number::Thread,
        (39, 8) | (20, 4) => Number::Process,
        (24, 8) | (158, 4) => Number::Yield,
        // membarrier and getrandom.
        (324 | 318, 8) | (375 | 355, 4) => Number::Newer,
        _ => return None,
    })
}

fn syscall(call: &mut dyn Call) -> Done {
    let given = long(call, 0)?;
    match number(given, call.pointer_bytes()) {
        Some(Number::Futex) => futex(call),
        Some(Number::Thread) => {
            call.assume(Assumption::FixedEnvironment);
            let handle = call.self_handle() as i64;
            return_long(call, 4241 + handle)
        }
        Some(Number::Process) => {
            call.assume(Assumption::FixedEnvironment);
            return_long(call, 4242)
        }
        Some(Number::Yield) => return_int(0),
        Some(Number::Newer) => {
            call.assume(Assumption::FixedEnvironment);
            fails(call, ENOSYS)
        }
        None => {
            Err(ModelError::Unknown(format!("system call {given} is not modelled: use the library's function for it")))
        }
    }
}

fn fails(call: &mut dyn Call, error: i32) -> Done {
    errno::set(call, error)?;
    return_long(call, -1)
}

/// The result of an operation on a futex.
fn finish(call: &mut dyn Call, outcome: Outcome) -> Done {
    match outcome.value[0] as i64 {
        error @ ..0 => {
            let time = timeout::peek(call, 4).filter(|_| error == -i64::from(ETIMEDOUT));
            match int(call, 2)? & COMMAND {
                FUTEX_WAIT => time.into_iter().for_each(|time| call.pass_time(time)),
                _ => time.into_iter().for_each(|time| call.pass_time_until(time)),
            }
            fails(call, -error as i32)
        }
        count => return_long(call, count),
    }
}

/// Of an operation on a futex: not private, or by the real-time clock, which makes no difference here.
const COMMAND: i32 = 0x7f;
const ANY_BIT: u32 = u32::MAX;
/// The one whose time is for how long, not until when.
const FUTEX_WAIT: i32 = 0;

/// (number, address, operation, value, time or second value, second address, third value)
fn futex(call: &mut dyn Call) -> Done {
    let (address, operation, value) = (word(call, 1)?, int(call, 2)?, int(call, 3)? as u32);
    if address % 4 != 0 {
        return fails(call, EINVAL);
    }
    let operation = match operation & COMMAND {
        wait @ (FUTEX_WAIT | 9) => {
            if wait == 9 {
                all_bits(call)?;
            }
            let patience = match word(call, 4)? {
                0 => Patience::Forever,
                _ if !timeout::is_time(call, 4)? => return fails(call, EINVAL),
                _ => Patience::ForATime,
            };
            Operation::FutexWait { address, expected: value, patience }
        }
        wake @ (1 | 10) => {
            if wake == 10 {
                all_bits(call)?;
            }
            // As the kernel has it: one, if the number is none, or negative.
            Operation::FutexWake { address, count: (value as i32).max(1) as u32 }
        }
        requeue @ (3 | 4) => {
            let (moved, to) = (word(call, 4)? as u32 as i32, word(call, 5)?);
            if to % 4 != 0 || moved < 0 || (value as i32) < 0 {
                return fails(call, EINVAL);
            }
            if to == address {
                return Err(ModelError::Unknown("FUTEX_REQUEUE to the same address is not modelled".to_owned()));
            }
            let expected = if requeue == 4 { Some(int(call, 6)? as u32) } else { None };
            Operation::FutexRequeue { address, to, count: value, moved: moved as u32, expected }
        }
        other => return Err(ModelError::Unknown(format!("operation {other} of futex is not modelled"))),
    };
    Ok(ModelResult::Then { operation, finish })
}

/// The bits of a FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET.
fn all_bits(call: &mut dyn Call) -> Result<(), ModelError> {
    match int(call, 6)? as u32 {
        ANY_BIT => Ok(()),
        bits => Err(ModelError::Unknown(format!("futex with the bits {bits:#x}, which are not all, is not modelled"))),
    }
}

/// (address, expected value, whether the time may be over): 0, or an error number
fn library_wait(call: &mut dyn Call) -> Done {
    let (address, expected, timed) = (word(call, 0)?, int(call, 1)? as u32, int(call, 2)?);
    let patience = if timed == 0 { Patience::Forever } else { Patience::ForATime };
    let finish = |_: &mut dyn Call, outcome: Outcome| return_int(-(outcome.value[0] as i32));
    Ok(ModelResult::Then { operation: Operation::FutexWait { address, expected, patience }, finish })
}

/// (address): wakes all
fn library_wake(call: &mut dyn Call) -> Done {
    let address = word(call, 0)?;
    let finish = |_: &mut dyn Call, _: Outcome| return_word(0);
    Ok(ModelResult::Then { operation: Operation::FutexWake { address, count: i32::MAX as u32 }, finish })
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::hooks::ModelError;
    use interp::operation::{Operation, Patience};

    #[test]
    fn futexes() {
        let mut fake = Fake::lp64();
        let place = fake.bytes(&[0; 8]);
        let private = 128;
        let wait = Operation::FutexWait { address: place, expected: 7, patience: Patience::Forever };
        assert_eq!(fake.operation("syscall", &[202, place, private, 7, 0]), wait);
        assert_eq!(fake.operation("syscall", &[202, place, 9, 7, 0, 0, 0xffff_ffff]), wait);
        let wake = |count| Operation::FutexWake { address: place, count };
        assert_eq!(fake.operation("syscall", &[202, place, 1, 2]), wake(2));
        assert_eq!(fake.operation("syscall", &[202, place, 1, 0xffff_ffff]), wake(1));
        let requeue =
            |expected| Operation::FutexRequeue { address: place, to: place + 4, count: 1, moved: 9, expected };
        assert_eq!(fake.operation("syscall", &[202, place, 3, 1, 9, place + 4]), requeue(None));
        assert_eq!(fake.operation("syscall", &[202, place, 4, 1, 9, place + 4, 5]), requeue(Some(5)));
        assert_eq!(fake.result("syscall", &[202, place + 1, 1, 1]), u64::MAX, "not aligned");
    }

    #[test]
    fn others_are_named_by_their_numbers() {
        let mut fake = Fake::lp64();
        let stop = fake.call("syscall", &[57.into()]);
        assert!(matches!(stop, Err(ModelError::Unknown(reason)) if reason.starts_with("system call 57 ")));
        assert_eq!(fake.result("syscall", &[39]), 4242);
        assert_eq!(fake.result("syscall", &[324]), u64::MAX);
    }
}
