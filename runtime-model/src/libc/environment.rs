//! The process and the system around it, as one fixed answer each.
use crate::args::{Done, int, return_int, return_long, return_word, word};
use crate::errno::{self, ENOTTY};
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, ModelError, Registered};

const FAMILY: Family = Family::of("environment");
const FIXED: &str = "one fixed answer (assumption fixed-environment)";

/// `getpid`, `sysconf`, `getenv` and the like.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("getpid", FIXED, |c| fixed(c, 4242)),
    FAMILY.noted("getppid", FIXED, |c| fixed(c, 4241)),
    FAMILY.noted("getuid", FIXED, |c| fixed(c, 1000)),
    FAMILY.noted("geteuid", FIXED, |c| fixed(c, 1000)),
    FAMILY.noted("getgid", FIXED, |c| fixed(c, 1000)),
    FAMILY.noted("getegid", FIXED, |c| fixed(c, 1000)),
    FAMILY.noted("getpagesize", FIXED, |c| fixed(c, PAGE as i32)),
    FAMILY.noted("get_nprocs", FIXED, |c| fixed(c, PROCESSORS as i32)),
    FAMILY.noted("get_nprocs_conf", FIXED, |c| fixed(c, PROCESSORS as i32)),
    FAMILY.noted("gettid", FIXED, thread_number),
    FAMILY.noted("sched_getcpu", FIXED, |c| fixed(c, 0)),
    FAMILY.noted("isatty", "no descriptor is a terminal", no_terminal),
    FAMILY.noted("sysconf", "processors, page size, clock ticks, threads (no limit) and parts of a vector of buffers only, with fixed-environment", sysconf),
    FAMILY.noted("getenv", "assumption fixed-environment", getenv),
    FAMILY.noted("secure_getenv", "assumption fixed-environment", getenv),
];

const PROCESSORS: i64 = 4;
const PAGE: i64 = 4096;

fn fixed(call: &mut dyn Call, answer: i32) -> Done {
    call.assume(Assumption::FixedEnvironment);
    return_int(answer)
}

/// That of the main thread is the process's.
fn thread_number(call: &mut dyn Call) -> Done {
    let number = call.thread().0 as i32;
    fixed(call, 4242 + number)
}

fn no_terminal(call: &mut dyn Call) -> Done {
    int(call, 0)?;
    call.assume(Assumption::FixedEnvironment);
    errno::set(call, ENOTTY)?;
    return_int(0)
}

fn sysconf(call: &mut dyn Call) -> Done {
    let answer = match int(call, 0)? {
        2 => 100,
        30 => PAGE,
        60 => 1024,
        // How many threads there may be: nothing is said.
        76 => -1,
        83 | 84 => PROCESSORS,
        other => return Err(ModelError::Unknown(format!("sysconf({other}) is not modelled"))),
    };
    call.assume(Assumption::FixedEnvironment);
    return_long(call, answer)
}

/// The value is part of the string in the environment.
fn getenv(call: &mut dyn Call) -> Done {
    let name = word(call, 0)?;
    let name = call.c_string(name)?;
    call.assume(Assumption::FixedEnvironment);
    let (mut place, bytes) = (call.environment(), call.pointer_bytes());
    loop {
        let entry = call.load(place, bytes)?;
        if entry == 0 {
            return return_word(0);
        }
        let text = call.c_string(entry)?;
        if text.strip_prefix(name.as_slice()).is_some_and(|rest| rest.starts_with(b"=")) {
            return return_word(entry + name.len() as u64 + 1);
        }
        place += bytes;
    }
}
