//! Faults of ours: a panic names the invariant that broke; it becomes a reason for "unknown" instead of a crash.
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo};

thread_local! {
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on a panic is remembered instead of printed. (With RUST_BACKTRACE it is printed as well.)
pub(crate) fn keep_quiet() {
    let default = std::panic::take_hook();
    let loud = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    std::panic::set_hook(Box::new(move |info| {
        LAST.with_borrow_mut(|last| *last = Some(describe(info)));
        if loud {
            default(info);
        }
    }));
}

/// Runs something; a panic in it becomes its message with the place.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What the work leaves behind is dropped or only read as counters, so it cannot be seen half-done.
    std::panic::catch_unwind(AssertUnwindSafe(work)).map_err(|panic| LAST.take().unwrap_or_else(|| message(&*panic)))
}

/// What a panic says that another thread has had.
fn message(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    said.unwrap_or("a panic without a message").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("a panic without a message");
    // One line, whatever the message: reasons are one line.
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match info.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message,
    }
}
