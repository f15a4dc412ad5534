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
    FAMILY.noted("sysconf", SETTINGS, sysconf),
    FAMILY.noted("__sysconf", SETTINGS, sysconf),
    FAMILY.noted("getenv", "assumption fixed-environment", getenv),
    FAMILY.noted("secure_getenv", "assumption fixed-environment", getenv),
];

const SETTINGS: &str = "processors, pages, clock ticks, versions and common limits only, with fixed-environment";
const PROCESSORS: i64 = 4;
const PAGE: i64 = 4096;

fn fixed(call: &mut dyn Call, answer: i32) -> Done {
    call.assume(Assumption::FixedEnvironment);
    return_int(answer)
}

/// That of the main thread is the process's.
fn thread_number(call: &mut dyn Call) -> Done {
    let handle = call.self_handle() as i32;
    fixed(call, 4241 + handle)
}

fn no_terminal(call: &mut dyn Call) -> Done {
    int(call, 0)?;
    call.assume(Assumption::FixedEnvironment);
    errno::set(call, ENOTTY)?;
    return_int(0)
}

fn sysconf(call: &mut dyn Call) -> Done {
    let answer = match int(call, 0)? {
        // _SC_ARG_MAX, _SC_CLK_TCK, _SC_NGROUPS_MAX, _SC_OPEN_MAX
        0 => 2_097_152,
        2 => 100,
        3 => 65_536,
        4 => 1024,
        // _SC_VERSION, _SC_THREADS, _SC_MONOTONIC_CLOCK and others: the year and month of the standard.
        21 | 29 | 67 | 68 | 77 | 78 | 79 | 82 | 149 | 153 | 154 => 200_809,
        30 => PAGE,
        // _SC_IOV_MAX, _SC_GETGR_R_SIZE_MAX, _SC_GETPW_R_SIZE_MAX, _SC_LOGIN_NAME_MAX
        60 | 69 | 70 => 1024,
        71 => 256,
        // _SC_THREAD_DESTRUCTOR_ITERATIONS, _SC_THREAD_KEYS_MAX, _SC_THREAD_STACK_MIN
        73 => 4,
        74 => 1024,
        75 => 16_384,
        // How many threads there may be: nothing is said.
        76 => -1,
        83 | 84 => PROCESSORS,
        // _SC_PHYS_PAGES, _SC_AVPHYS_PAGES
        85 => 1 << 20,
        86 => 1 << 19,
        // _SC_HOST_NAME_MAX
        180 => 64,
        // _SC_LEVEL1_DCACHE_LINESIZE
        190 => 64,
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
