//! Library functions that are written in C (`code/*.c`): those that call back into the program, or whose state is memory
//! of the process. They become a part of the program that calls them, so all that they do is checked, and can be
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

/// All library functions that are written in C. A file uses only files that come later.
pub const CODE: &[Code] = &[
    code!(
        "scan",
        "input",
        "no wide characters, infinities or hexadecimal fractions",
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
        "files",
        "files",
        "a private file system in memory, with what --file gives (assumption fixed-environment)",
        "open open64 __open_2 __open64_2 creat close read lseek lseek64 access unlink remove __verify_open \
         __verify_descriptions"
    ),
    code!(
        "calendar",
        "time",
        "universal time",
        "gmtime gmtime_r localtime localtime_r mktime timegm asctime asctime_r ctime ctime_r strftime tzset tzname timezone \
         daylight"
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
        "numbers",
        "integers",
        "",
        "div ldiv lldiv imaxdiv erand48 nrand48 jrand48 drand48 lrand48 mrand48 seed48 srand48 lcong48"
    ),
    code!("options", "process", "", "getopt getopt_long __posix_getopt optarg optind opterr optopt"),
    code!("paths", "strings", "", "basename __xpg_basename dirname"),
    code!("quick_exit", "process", "", "at_quick_exit"),
    code!(
        "signals",
        "signals",
        "none arrives from outside (assumption no-signals where there is a handler); raise calls a handler at once",
        "signal __sysv_signal bsd_signal sigaction raise sigemptyset sigfillset sigaddset sigdelset sigismember \
         pthread_sigmask sigprocmask"
    ),
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
    code!("tree", "sorting and searching", "", "tsearch tfind tdelete twalk tdestroy"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A function has one home: the table of models or one C file. (A file may define more, for programs that need it anyway.)
    #[test]
    fn nothing_is_provided_twice() {
        let mut names: Vec<&str> = CODE.iter().flat_map(Code::provides).collect();
        names.extend(crate::registry().entries().iter().map(|entry| entry.name));
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
