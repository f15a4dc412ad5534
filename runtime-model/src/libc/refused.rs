//! Functions that are known and not modelled: the reason says what is missing, and what to do instead where there is
//! something.
use crate::table::Family;
use interp::hooks::{Call, ModelError, ModelResult, Registered};

const FAMILY: Family = Family::of("not modelled");

/// An entry for each function with the same reason.
macro_rules! refused {
    ($($reason:literal: $($name:literal)+;)+) => {
        /// Every one makes the verdict unknown when it is reached.
        pub(crate) const MODELS: &[Registered] =
            &[$($(FAMILY.noted($name, $reason, |call| refuse(call, $reason)).refusing(),)+)+];
    };
}

refused! {
    "there is one process":
        "fork" "vfork" "clone" "execv" "execve" "execvp" "execl" "execlp" "execle" "posix_spawn" "posix_spawnp" "system"
        "popen" "pclose" "wait" "waitpid" "daemon";
    "signals do not arrive (raise calls a handler at once)":
        "pthread_sigqueue" "sigqueue" "tgkill" "killpg" "pause" "sigwaitinfo" "sigtimedwait" "sigaltstack"
        "signalfd";
    "what the system knows of a thread":
        "pthread_getattr_np" "pthread_attr_getstack" "pthread_attr_setstack" "pthread_getname_np" "pthread_getcpuclockid"
        "pthread_getschedparam" "pthread_mutex_setprioceiling" "pthread_mutex_getprioceiling";
    "timers do not go off":
        "alarm" "ualarm" "setitimer" "getitimer" "timer_create" "timer_settime" "timer_delete";
    "there is no network":
        "socket" "connect" "bind" "listen" "accept" "sendto" "recvfrom" "sendmsg" "recvmsg" "shutdown" "getaddrinfo";
    "descriptors that share a place":
        "dup" "dup2" "dup3" "freopen" "freopen64";
    "the process stays in one directory, and attributes of files are fixed":
        "chdir" "chmod" "symlink" "realpath" "mkstemp" "mkstemp64"
        "mkdtemp" "truncate";
    "a mapping that grows may move or stay; map, copy and unmap instead": "mremap";
    "memory that is shared with another process, or at a place of its own":
        "shm_open" "shmget" "brk" "sbrk";
    "contexts besides setjmp's": "getcontext" "setcontext" "makecontext" "swapcontext";
    "code that is loaded at run time": "dlopen" "dlsym" "dlclose" "dlerror";
    "exceptions; up to the first throw a program is explored":
        "__cxa_throw" "__cxa_allocate_exception" "__cxa_rethrow" "_Unwind_Resume" "__cxa_bad_cast"
        "_ZSt17__throw_bad_allocv" "_ZSt19__throw_logic_errorPKc" "_ZSt20__throw_length_errorPKc"
        "_ZSt20__throw_out_of_rangePKc" "_ZSt24__throw_out_of_range_fmtPKcz" "_ZSt20__throw_system_errori"
        "_ZSt28__throw_bad_array_new_lengthv" "_ZSt25__throw_bad_function_callv" "_ZSt24__throw_invalid_argumentPKc"
        "_ZSt20__throw_future_errori" "_ZSt16__throw_bad_castv" "_ZSt21__throw_runtime_errorPKc"
        "_ZSt21__throw_bad_exceptionv";
    "destructors of thread-local objects": "__cxa_thread_atexit";
    "casts by the type at run time": "__dynamic_cast";
    "what is called at exit with the status; use atexit": "on_exit";
    "measurements of the process": "getrusage" "times" "getloadavg";
    "random bytes from the system; use rand, or __VERIFIER_nondet_… with --nondet": "getrandom" "getentropy" "arc4random";
}

fn refuse(call: &dyn Call, reason: &str) -> Result<ModelResult, ModelError> {
    Err(ModelError::Unknown(format!("`{}` is not modelled: {reason}", call.name())))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::hooks::ModelError;

    #[test]
    fn the_reason_is_given() {
        let stop = Fake::lp64().call("fork", &[]);
        assert!(
            matches!(stop, Err(ModelError::Unknown(reason)) if reason == "`fork` is not modelled: there is one process")
        );
    }
}
