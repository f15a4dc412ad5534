//! Library functions that are written in C (`code/*.c`): those that call back into the program, or whose state is
//! memory of the process. They become a part of the program that calls them, so all that they do is checked, and can be
//! interrupted, as what the program does itself; reports show the call.

/// A C file, compiled when this crate is built.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// Its name.
    pub name: &'static str,
    /// The group that its functions are documented in.
    pub family: &'static str,
    /// What a user should know beyond the manual page, in one line. May be empty.
    pub note: &'static str,
    /// Names, see [`Code::provides`].
    provides: &'static str,
    /// Bitcode for 64-bit programs.
    pub lp64: &'static [u8],
    /// Bitcode for 32-bit programs.
    pub ilp32: &'static [u8],
}

impl Code {
    /// The functions and variables that call for it. It may define more: others of the same group, which then take the
    /// place of their models.
    pub fn provides(&self) -> impl Iterator<Item = &'static str> {
        self.provides.split_whitespace()
    }
}

/// One entry of the table.
macro_rules! code {
    ($name:literal, $family:literal, $note:literal, $provides:literal) => {
        Code {
            name: $name,
            family: $family,
            note: $note,
            provides: $provides,
            lp64: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".64.bc")),
            ilp32: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".32.bc")),
        }
    };
}

/// For SV-COMP: takes the place of what reads standard input by a format, and comes before [`CODE`].
pub const SCAN_ANYTHING: Code = code!(
    "scan_anything",
    "input",
    "any number of any integers and characters",
    "scanf vscanf __isoc99_scanf __isoc99_vscanf __isoc23_scanf __isoc23_vscanf"
);

/// All library functions that are written in C. A file uses only files that come later.
pub const CODE: &[Code] = &[
    code!(
        "scan",
        "input",
        "no wide characters and no long double",
        "sscanf vsscanf fscanf vfscanf scanf vscanf __isoc99_sscanf __isoc99_vsscanf __isoc99_fscanf __isoc99_vfscanf \
         __isoc99_scanf __isoc99_vscanf __isoc23_sscanf __isoc23_vsscanf __isoc23_fscanf __isoc23_vfscanf __isoc23_scanf \
         __isoc23_vscanf"
    ),
    code!(
        "streams",
        "input",
        "streams are not buffered; each operation holds the stream's lock",
        "fopen fopen64 fdopen tmpfile tmpfile64 fmemopen open_memstream fclose fread fread_unlocked fgetc fgetc_unlocked \
         getc getc_unlocked _IO_getc __uflow getchar getchar_unlocked ungetc fgets fgets_unlocked __fgets_chk getdelim \
         __getdelim getline fseek fseeko fseeko64 ftell ftello ftello64 rewind feof feof_unlocked ferror_unlocked \
         clearerr_unlocked ftrylockfile"
    ),
    code!(
        "polling",
        "descriptors",
        "on pipes, sockets of this process, eventfd, timerfd and files; the time may be over at any moment; signal masks, EPOLLEXCLUSIVE and \
         select with descriptors above 63 are unknown; whether taking bytes from a full pipe or socket is an event for EPOLLOUT | EPOLLET \
         is tried both ways; what is closed while a thread waits for it stays open until then, but if the thread is woken by something \
         else, or by the time, that is unknown",
        "poll __poll_chk ppoll select pselect epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait"
    ),
    code!(
        "descriptors",
        "descriptors",
        "F_GETFL, F_SETFL (O_NONBLOCK), F_GETFD and F_SETFD; F_GETLK, F_SETLK and F_SETLKW of files, with 64 bits only: there is one process",
        "fcntl fcntl64"
    ),
    code!("eventfd", "descriptors", "", "eventfd eventfd_read eventfd_write"),
    code!(
        "timerfd",
        "descriptors",
        "a timer that runs may be over at any moment; how often it has gone off since, if it does so again and again, may be any \
         number above 0; what is left of its time is what it was set to (assumption fixed-clock)",
        "timerfd_create timerfd_settime timerfd_gettime"
    ),
    code!(
        "pipes",
        "messages between threads",
        "up to 64 KiB, which are never exceeded: more is unknown; socketpair: AF_UNIX, SOCK_STREAM",
        "pipe pipe2 socketpair send recv"
    ),
    code!(
        "mappings",
        "memory allocation",
        "memory at a place that the system chooses (assumption allocation-succeeds), also of files in the program's own file system; \
         munmap of a part leaves the rest; unknown are fixed places, a change of a file that is mapped, any use of one of which a \
         mapping is shared and may be written, and what is behind the end of a mapping",
        "mmap mmap64 munmap msync"
    ),
    code!(
        "directories",
        "files",
        "with 64 bits only; what is in a directory when it is opened, the newest first, is what is read (assumption fixed-environment); \
         the process is always in the root directory; rmdir only of what the program made",
        "mkdir rmdir opendir readdir readdir64 rewinddir closedir"
    ),
    code!(
        "files",
        "files",
        "a private file system in memory, with what --file gives, no links and fixed attributes (assumption fixed-environment); \
         directories that the program did not make are there where it uses them; stat and its relatives with 64 bits only",
        "open open64 __open_2 __open64_2 creat close read lseek lseek64 access unlink remove pread pread64 pwrite pwrite64 readv \
         writev ftruncate ftruncate64 fstat fstat64 stat stat64 lstat lstat64 fstatfs fstatfs64 statfs statfs64 fsync fdatasync posix_fadvise posix_fadvise64 \
         rename readlink getcwd __verify_open __verify_open_end __verify_open_ends __verify_read __verify_write __verify_end \
         __verify_descriptions __verify_names __verify_files __verify_make __verify_plain_name __verify_known __verify_outside \
         __verify_remove_directory __verify_use __verify_done __verify_unlink_file"
    ),
    code!(
        "calendar",
        "time",
        "universal time",
        "gmtime gmtime_r localtime localtime_r mktime timegm asctime asctime_r ctime ctime_r strftime tzset tzname timezone \
         daylight"
    ),
    code!(
        "cxx_output",
        "C++",
        "",
        "_ZNSo3putEc _ZNSo5flushEv _ZNSo5writeEPKcl _ZNSolsEPFRSoS_E _ZNSolsEPKv _ZNSolsEb _ZNSolsEd _ZNSolsEe _ZNSolsEf \
         _ZNSolsEi _ZNSolsEj _ZNSolsEl _ZNSolsEm _ZNSolsEs _ZNSolsEt _ZNSolsEx _ZNSolsEy _ZNSt8ios_base4InitC1Ev \
         _ZNSt8ios_base4InitD1Ev _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l \
         _ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_ \
         _ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_ \
         _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a \
         _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h \
         _ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE"
    ),
    code!(
        "cxx",
        "C++",
        "and what is behind new and delete, std::thread, std::condition_variable, std::call_once, std::chrono, std::list, std::map, std::unordered_map, std::future (without exceptions); std::cout and std::cerr without formatting",
        "_ZNSaIcEC1ERKS_ _ZNSaIcEC1Ev _ZNSaIcEC2ERKS_ _ZNSaIcEC2Ev _ZNSaIcED1Ev _ZNSaIcED2Ev _ZNSaIwEC1Ev _ZNSaIwEC2Ev \
         _ZNSaIwED1Ev _ZNSaIwED2Ev \
         _ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE \
         _ZNSt18condition_variable10notify_allEv _ZNSt18condition_variable10notify_oneEv \
         _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE _ZNSt18condition_variableC1Ev \
         _ZNSt18condition_variableC2Ev _ZNSt18condition_variableD1Ev _ZNSt18condition_variableD2Ev \
         _ZNSt6chrono3_V212steady_clock3nowEv _ZNSt6chrono3_V212system_clock3nowEv \
         _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE \
         _ZNSt6thread20hardware_concurrencyEv _ZNSt6thread4joinEv _ZNSt6thread6_StateD0Ev _ZNSt6thread6_StateD1Ev \
         _ZNSt6thread6_StateD2Ev _ZNSt6thread6detachEv _ZNSt8__detail15_List_node_base7_M_hookEPS0_ \
         _ZNSt8__detail15_List_node_base9_M_unhookEv _ZSt11__once_call _ZSt15__once_callable _ZSt7nothrow _ZdaPv \
         _ZdaPvRKSt9nothrow_t _ZdaPvSt11align_val_t _ZdaPvj _ZdaPvjSt11align_val_t _ZdaPvm _ZdaPvmSt11align_val_t _ZdlPv \
         _ZdlPvRKSt9nothrow_t _ZdlPvSt11align_val_t _ZdlPvj _ZdlPvjSt11align_val_t _ZdlPvm _ZdlPvmSt11align_val_t _Znaj \
         _ZnajRKSt9nothrow_t _ZnajSt11align_val_t _ZnajSt11align_val_tRKSt9nothrow_t _Znam _ZnamRKSt9nothrow_t \
         _ZnamSt11align_val_t _ZnamSt11align_val_tRKSt9nothrow_t _Znwj _ZnwjRKSt9nothrow_t _ZnwjSt11align_val_t \
         _ZnwjSt11align_val_tRKSt9nothrow_t _Znwm _ZnwmRKSt9nothrow_t _ZnwmSt11align_val_t \
         _ZnwmSt11align_val_tRKSt9nothrow_t __cxa_guard_abort __cxa_guard_acquire __cxa_guard_release \
         __libc_single_threaded __once_proxy"
    ),
    code!(
        "map",
        "C++",
        "and what is behind std::map and std::set",
        "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base \
         _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base \
         _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_ \
         _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_ \
         _ZSt20_Rb_tree_black_countPKSt18_Rb_tree_node_baseS1_"
    ),
    code!(
        "hashing",
        "C++",
        "and what is behind std::unordered_map and std::unordered_set",
        "_ZSt11_Hash_bytesPKvmm _ZSt11_Hash_bytesPKvjj _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm \
         _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEjjj _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm \
         _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEj"
    ),
    code!(
        "futures",
        "C++",
        "and what is behind std::future",
        "_ZNSt13__future_base12_Result_baseC1Ev _ZNSt13__future_base12_Result_baseC2Ev \
         _ZNSt13__future_base12_Result_baseD1Ev _ZNSt13__future_base12_Result_baseD2Ev \
         _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj \
         _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE \
         _ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"
    ),
    code!(
        "environment",
        "environment",
        "changes belong to the process; two threads race",
        "setenv unsetenv putenv clearenv environ __environ"
    ),
    code!(
        "messages",
        "errors",
        "",
        "err errx warn warnx verr verrx vwarn vwarnx error error_message_count error_one_per_line strerror_r \
         __xpg_strerror_r syslog vsyslog openlog closelog setlogmask"
    ),
    code!(
        "named_semaphores",
        "semaphores",
        "names are known to this process only, which may do anything to them; a visible action",
        "sem_open sem_close sem_unlink"
    ),
    code!(
        "numbers",
        "integers",
        "",
        "div ldiv lldiv imaxdiv erand48 nrand48 jrand48 drand48 lrand48 mrand48 seed48 srand48 lcong48"
    ),
    code!("random", "random numbers", "the sequence of glibc (assumption fixed-random)", "rand_r"),
    code!("options", "process", "", "getopt getopt_long __posix_getopt optarg optind opterr optopt"),
    code!(
        "posix_queues",
        "messages between threads",
        "names are known to this process only, which may make queues of any size; the time may be over at any moment; mq_notify is unknown",
        "mq_open __mq_open_2 mq_close mq_unlink mq_send mq_timedsend mq_receive mq_timedreceive mq_getattr mq_setattr mq_notify"
    ),
    code!("paths", "strings", "", "basename __xpg_basename dirname"),
    code!(
        "settings",
        "environment",
        "one fixed answer, or what the program set last, without effect (assumption fixed-environment)",
        "getrlimit getrlimit64 setrlimit setrlimit64 prlimit prlimit64 getdtablesize umask prctl program_invocation_name \
         program_invocation_short_name __progname __progname_full gnu_get_libc_version gnu_get_libc_release uname gethostname \
         get_phys_pages get_avphys_pages getauxval sched_get_priority_max sched_get_priority_min sched_getscheduler \
         sched_getparam getpriority sched_getaffinity __sched_cpucount \
         pthread_getaffinity_np"
    ),
    code!("exit", "process", "", "atexit __cxa_atexit"),
    code!("quick_exit", "process", "", "at_quick_exit"),
    code!(
        "signals",
        "signals",
        "none arrives from outside (assumption no-signals where there is a handler, or a thread waits); raise calls a handler at once, or \
         when the signal is not blocked any more; pthread_kill to a thread that waits for the signal with sigwait or sigsuspend, or that \
         blocks it since before there was a second thread; kill to the own process only, with a signal that all threads so block; the \
         mask of a thread that may have begun with other signals blocked than the first thread is unknown until it sets all of it",
        "signal __sysv_signal bsd_signal sigaction raise sigemptyset sigfillset sigaddset sigdelset sigismember \
         pthread_sigmask sigprocmask sigpending sigwait sigsuspend pthread_kill kill"
    ),
    code!("arguments", "process", "--symbolic-args, see symbolic.md", "__verify_open_arguments"),
    code!("inputs", "verifiers", "symbolic data, see symbolic.md", "klee_make_symbolic klee_range"),
    code!(
        "sort",
        "sorting and searching",
        "the comparison may do whatever the program does elsewhere; qsort is stable",
        "qsort qsort_r bsearch lfind lsearch"
    ),
    code!(
        "wide",
        "wide characters",
        "C locale",
        "wcslen wcsnlen wmemcpy wmempcpy wmemmove wmemset wmemcmp wmemchr wcscpy wcpcpy wcsncpy wcscat wcsncat wcscmp wcsncmp \
         wcscoll wcschr wcsrchr wcsstr wcsdup mbrtowc wcrtomb mbtowc mblen wctomb mbstowcs wcstombs btowc wctob \
         __ctype_get_mb_cur_max mbsinit iswdigit iswupper iswlower iswalpha iswalnum iswspace iswprint iswpunct towupper \
         towlower setlocale"
    ),
    code!(
        "system_v",
        "messages between threads",
        "System V; queues belong to this process, which may do anything to them; times and processes are 0 in what IPC_STAT says",
        "msgget msgsnd msgrcv msgctl"
    ),
    code!("tree", "sorting and searching", "", "tsearch tfind tdelete twalk tdestroy"),
    code!("kept", "allocation", "", "__verify_keep __verify_keep_more"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A function has one home: the table of models or one C file. (A file may define more, for programs that need it
    /// anyway.)
    #[test]
    fn nothing_is_provided_twice() {
        let mut names: Vec<&str> = CODE.iter().flat_map(Code::provides).collect();
        names.extend(crate::registry().entries().iter().map(|entry| entry.name));
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
