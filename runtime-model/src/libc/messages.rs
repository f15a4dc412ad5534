//! The messages of error numbers.
use crate::args::{Done, int, return_word};
use crate::table::Family;
use interp::hooks::{Call, LibraryContent, LibraryGlobal, ModelError, Registered};
use std::borrow::Cow;

const FAMILY: Family = Family::of("errors");

/// `strerror`. (`perror` is with the streams.)
pub(crate) const MODELS: &[Registered] =
    &[FAMILY.noted("strerror", "unknown for numbers that Linux does not use", strerror)];

/// All messages, each with its end.
const TABLE: &str = "messages of strerror";

/// The memory behind the results of `strerror`.
pub(crate) fn globals() -> Vec<LibraryGlobal> {
    let bytes = MESSAGES.iter().flat_map(|m| m.bytes().chain([0])).collect();
    vec![LibraryGlobal { name: TABLE, content: LibraryContent::Bytes(bytes), constant: true }]
}

fn message(error: i32) -> Option<&'static str> {
    usize::try_from(error).ok().and_then(|index| MESSAGES.get(index)).copied()
}

/// The text for any number.
pub(crate) fn text(error: i32) -> Cow<'static, str> {
    message(error).map_or_else(|| Cow::Owned(format!("Unknown error {error}")), Cow::Borrowed)
}

fn strerror(call: &mut dyn Call) -> Done {
    let error = int(call, 0)?;
    if message(error).is_none() {
        return Err(ModelError::Unknown(format!("strerror({error}): no such error number")));
    }
    let offset: usize = MESSAGES[..error as usize].iter().map(|m| m.len() + 1).sum();
    let table = call.global(TABLE).expect("the machine defines the library's variables");
    return_word(table + offset as u64)
}

/// Linux's numbers in the C locale.
const MESSAGES: [&str; 134] = [
    "Success",
    "Operation not permitted",
    "No such file or directory",
    "No such process",
    "Interrupted system call",
    "Input/output error",
    "No such device or address",
    "Argument list too long",
    "Exec format error",
    "Bad file descriptor",
    "No child processes",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Permission denied",
    "Bad address",
    "Block device required",
    "Device or resource busy",
    "File exists",
    "Invalid cross-device link",
    "No such device",
    "Not a directory",
    "Is a directory",
    "Invalid argument",
    "Too many open files in system",
    "Too many open files",
    "Inappropriate ioctl for device",
    "Text file busy",
    "File too large",
    "No space left on device",
    "Illegal seek",
    "Read-only file system",
    "Too many links",
    "Broken pipe",
    "Numerical argument out of domain",
    "Numerical result out of range",
    "Resource deadlock avoided",
    "File name too long",
    "No locks available",
    "Function not implemented",
    "Directory not empty",
    "Too many levels of symbolic links",
    "Unknown error 41",
    "No message of desired type",
    "Identifier removed",
    "Channel number out of range",
    "Level 2 not synchronized",
    "Level 3 halted",
    "Level 3 reset",
    "Link number out of range",
    "Protocol driver not attached",
    "No CSI structure available",
    "Level 2 halted",
    "Invalid exchange",
    "Invalid request descriptor",
    "Exchange full",
    "No anode",
    "Invalid request code",
    "Invalid slot",
    "Unknown error 58",
    "Bad font file format",
    "Device not a stream",
    "No data available",
    "Timer expired",
    "Out of streams resources",
    "Machine is not on the network",
    "Package not installed",
    "Object is remote",
    "Link has been severed",
    "Advertise error",
    "Srmount error",
    "Communication error on send",
    "Protocol error",
    "Multihop attempted",
    "RFS specific error",
    "Bad message",
    "Value too large for defined data type",
    "Name not unique on network",
    "File descriptor in bad state",
    "Remote address changed",
    "Can not access a needed shared library",
    "Accessing a corrupted shared library",
    ".lib section in a.out corrupted",
    "Attempting to link in too many shared libraries",
    "Cannot exec a shared library directly",
    "Invalid or incomplete multibyte or wide character",
    "Interrupted system call should be restarted",
    "Streams pipe error",
    "Too many users",
    "Socket operation on non-socket",
    "Destination address required",
    "Message too long",
    "Protocol wrong type for socket",
    "Protocol not available",
    "Protocol not supported",
    "Socket type not supported",
    "Operation not supported",
    "Protocol family not supported",
    "Address family not supported by protocol",
    "Address already in use",
    "Cannot assign requested address",
    "Network is down",
    "Network is unreachable",
    "Network dropped connection on reset",
    "Software caused connection abort",
    "Connection reset by peer",
    "No buffer space available",
    "Transport endpoint is already connected",
    "Transport endpoint is not connected",
    "Cannot send after transport endpoint shutdown",
    "Too many references: cannot splice",
    "Connection timed out",
    "Connection refused",
    "Host is down",
    "No route to host",
    "Operation already in progress",
    "Operation now in progress",
    "Stale file handle",
    "Structure needs cleaning",
    "Not a XENIX named type file",
    "No XENIX semaphores available",
    "Is a named type file",
    "Remote I/O error",
    "Disk quota exceeded",
    "No medium found",
    "Wrong medium type",
    "Operation canceled",
    "Required key not available",
    "Key has expired",
    "Key has been revoked",
    "Key was rejected by service",
    "Owner died",
    "State not recoverable",
    "Operation not possible due to RF-kill",
    "Memory page has hardware error",
];
