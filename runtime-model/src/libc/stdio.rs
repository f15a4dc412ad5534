//! Output. What is written to the standard streams is shown on demand and orders nothing between threads.
use super::{allocation, fortify, messages};
use crate::args::{Done, data, int, length, return_data, return_int, return_word, void, word};
use crate::data::extended;
use crate::errno::{self, EBADF};
use crate::format::{Source, Use, format, shown};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, Content, Data, LibraryContent, LibraryGlobal, ModelError, Prints, Registered, Shown, Text};

const FAMILY: Family = Family::on_data("output");

/// What calls of these functions are that print a format, from the first argument on, on the stream that is the first
/// one, or behind one or two others.
const FORMAT: Prints = Prints { stream: None, format: Some(0), shown };
const ON_STREAM: Prints = Prints { stream: Some(0), format: Some(1), shown };
const BEHIND_ONE: Prints = Prints { stream: None, format: Some(1), shown };
const BEHIND_TWO: Prints = Prints { stream: None, format: Some(2), shown };

/// Those that print a text, and one that only sees to it that all is printed.
const TEXT: Prints = Prints { stream: None, format: Some(0), shown: |_| Shown { values: Vec::new(), complete: true } };
const TEXT_ON_STREAM: Prints = Prints { stream: Some(1), ..TEXT };
const FLUSH: Prints = Prints { stream: Some(0), format: None, ..TEXT };

/// The printf family and the simple writers.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("printf", |c| print(c, Target::Stdout, 0, Rest::Arguments)).printing(FORMAT),
    FAMILY.plain("vprintf", |c| print(c, Target::Stdout, 0, Rest::List)),
    FAMILY.plain("fprintf", |c| print(c, Target::Stream, 1, Rest::Arguments)).printing(ON_STREAM),
    FAMILY.plain("vfprintf", |c| print(c, Target::Stream, 1, Rest::List)),
    FAMILY
        .noted("dprintf", "descriptors 1 and 2 only", |c| print(c, Target::Descriptor, 1, Rest::Arguments))
        .printing(BEHIND_ONE),
    FAMILY.noted("vdprintf", "descriptors 1 and 2 only", |c| print(c, Target::Descriptor, 1, Rest::List)),
    FAMILY.plain("sprintf", |c| print(c, Target::Memory(Room::Unlimited), 1, Rest::Arguments)),
    FAMILY.plain("vsprintf", |c| print(c, Target::Memory(Room::Unlimited), 1, Rest::List)),
    FAMILY.plain("snprintf", |c| print(c, Target::Memory(Room::CutAt(1)), 2, Rest::Arguments)),
    FAMILY.plain("vsnprintf", |c| print(c, Target::Memory(Room::CutAt(1)), 2, Rest::List)),
    FAMILY.plain("asprintf", |c| print(c, Target::Fresh, 1, Rest::Arguments)).allocating(),
    FAMILY.plain("vasprintf", |c| print(c, Target::Fresh, 1, Rest::List)).allocating(),
    FAMILY.plain("__printf_chk", |c| print(c, Target::Stdout, 1, Rest::Arguments)).printing(BEHIND_ONE),
    FAMILY.plain("__vprintf_chk", |c| print(c, Target::Stdout, 1, Rest::List)),
    FAMILY.plain("__fprintf_chk", |c| print(c, Target::Stream, 2, Rest::Arguments)).printing(BEHIND_TWO),
    FAMILY.plain("__vfprintf_chk", |c| print(c, Target::Stream, 2, Rest::List)),
    FAMILY.plain("__sprintf_chk", |c| print(c, Target::Memory(Room::Checked(2)), 3, Rest::Arguments)),
    FAMILY.plain("__vsprintf_chk", |c| print(c, Target::Memory(Room::Checked(2)), 3, Rest::List)),
    FAMILY.plain("__snprintf_chk", |c| print_checked(c, Rest::Arguments)),
    FAMILY.plain("__vsnprintf_chk", |c| print_checked(c, Rest::List)),
    FAMILY.plain("__asprintf_chk", |c| print(c, Target::Fresh, 2, Rest::Arguments)).allocating(),
    FAMILY.plain("__vasprintf_chk", |c| print(c, Target::Fresh, 2, Rest::List)).allocating(),
    FAMILY
        .noted("__dprintf_chk", "descriptors 1 and 2 only", |c| print(c, Target::Descriptor, 2, Rest::Arguments))
        .printing(BEHIND_TWO),
    FAMILY.noted("__vdprintf_chk", "descriptors 1 and 2 only", |c| print(c, Target::Descriptor, 2, Rest::List)),
    FAMILY.plain("puts", puts).printing(TEXT),
    FAMILY.plain("putchar", |c| put_byte(c, Target::Stdout)),
    FAMILY.plain("putchar_unlocked", |c| put_byte(c, Target::Stdout)),
    FAMILY.plain("fputc", |c| put_byte(c, Target::SecondStream)),
    FAMILY.plain("putc", |c| put_byte(c, Target::SecondStream)),
    FAMILY.plain("_IO_putc", |c| put_byte(c, Target::SecondStream)),
    FAMILY.plain("fputc_unlocked", |c| put_byte(c, Target::SecondStream)),
    FAMILY.plain("putc_unlocked", |c| put_byte(c, Target::SecondStream)),
    FAMILY.plain("__overflow", overflow),
    FAMILY.plain("fputs", fputs).printing(TEXT_ON_STREAM),
    FAMILY.plain("fputs_unlocked", fputs).printing(TEXT_ON_STREAM),
    FAMILY.plain("fwrite", fwrite),
    FAMILY.plain("fwrite_unlocked", fwrite),
    FAMILY.noted("write", "descriptors 1 and 2 only", write),
    FAMILY.plain("perror", perror),
    FAMILY.plain("fflush", flush).printing(FLUSH),
    FAMILY.plain("fflush_unlocked", flush).printing(FLUSH),
    FAMILY.noted("setvbuf", "no effect: output is not buffered", stream_succeeds),
    FAMILY.noted("setbuf", "no effect: output is not buffered", stream_succeeds),
    FAMILY.noted("setlinebuf", "no effect: output is not buffered", stream_succeeds),
    FAMILY.plain("ferror", stream_succeeds),
    FAMILY.plain("clearerr", stream_succeeds),
    FAMILY.plain("fileno", |c| return_int(stream(c, 0)?)),
    FAMILY.noted("flockfile", "no effect", stream_succeeds),
    FAMILY.noted("funlockfile", "no effect", stream_succeeds),
];

/// The objects that the three streams point to, by descriptor.
const FILES: [&str; 3] = ["FILE of stdin", "FILE of stdout", "FILE of stderr"];
const POINTERS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// `stdin`, `stdout`, `stderr`, and an object of zeros for each: macros that look into a FILE find it empty and full,
/// and call the library.
pub(crate) fn globals() -> Vec<LibraryGlobal> {
    let file = |name| LibraryGlobal { name, content: LibraryContent::Bytes(vec![0; 216]), constant: true };
    let pointer = |(name, to)| LibraryGlobal { name, content: LibraryContent::PointerTo(to, 0), constant: false };
    FILES.into_iter().map(file).chain(POINTERS.into_iter().zip(FILES).map(pointer)).collect()
}

/// Where text goes.
#[derive(Clone, Copy)]
enum Target {
    Stdout,
    /// Argument 0 is a FILE.
    Stream,
    /// Argument 1 is.
    SecondStream,
    /// Argument 0 is a descriptor.
    Descriptor,
    /// Argument 0 is a buffer.
    Memory(Room),
    /// Argument 0 is the address of a pointer to a new object.
    Fresh,
}

/// How much fits into a buffer.
#[derive(Clone, Copy)]
enum Room {
    Unlimited,
    /// As much as this argument says; the rest is dropped.
    CutAt(usize),
    /// As much as this argument says; more is a violation.
    Checked(usize),
}

/// Where the values to print are.
#[derive(Clone, Copy)]
enum Rest {
    /// Behind the format.
    Arguments,
    /// In a va_list behind the format.
    List,
}

/// The descriptor of the stream in argument `index`.
fn stream(call: &mut dyn Call, index: usize) -> Result<i32, ModelError> {
    let file = word(call, index)?;
    for (descriptor, name) in FILES.iter().enumerate() {
        if call.global(name) == Some(file) {
            return Ok(descriptor as i32);
        }
    }
    let what = if file == 0 { "a null pointer" } else { "no open stream" };
    Err(call.fault(Kind::Memory, format!("the stream given to `{}` is {what}", call.name())))
}

/// Writes to a descriptor. False: it cannot be written to.
fn emit(call: &mut dyn Call, descriptor: i32, text: &Text) -> Result<bool, ModelError> {
    match descriptor {
        1 => call.output(1, &text.shown()),
        2 => call.output(2, &text.shown()),
        0 => {
            errno::set(call, EBADF)?;
            return Ok(false);
        }
        other => return Err(ModelError::Unknown(format!("output to file descriptor {other}"))),
    }
    Ok(true)
}

/// The descriptor that a target stands for, if it is not memory.
fn descriptor(call: &mut dyn Call, target: Target) -> Result<Option<i32>, ModelError> {
    Ok(match target {
        Target::Stdout => Some(1),
        Target::Stream => Some(stream(call, 0)?),
        Target::SecondStream => Some(stream(call, 1)?),
        Target::Descriptor => Some(int(call, 0)?),
        Target::Memory(_) | Target::Fresh => None,
    })
}

/// `at` is the index of the format.
fn print(call: &mut dyn Call, target: Target, at: usize, rest: Rest) -> Done {
    let descriptor = descriptor(call, target)?;
    let pattern = word(call, at)?;
    let mut source = match rest {
        Rest::Arguments => Source::arguments(at + 1),
        Rest::List => {
            let list = word(call, at + 1)?;
            Source::list(list)
        }
    };
    let shown = descriptor.is_some() && !call.result_is_used();
    let formatted = format(call, pattern, &mut source, if shown { Use::Shown } else { Use::Read })?;
    let mut text = formatted.text;
    let Ok(len) = i32::try_from(text.len()) else {
        return Err(ModelError::Unknown("more than 2 GiB of formatted text".into()));
    };
    let (buffer, room) = match target {
        Target::Memory(room) => (word(call, 0)?, cut(call, &mut text, room)?),
        Target::Fresh => (word(call, 0)?, true),
        _ => (0, true),
    };
    // From here on memory changes.
    for (address, bytes, count) in formatted.counts {
        call.store(address, bytes, count)?;
    }
    source.finish(call)?;
    let written = match (descriptor, target) {
        (Some(descriptor), _) => emit(call, descriptor, &text)?,
        (None, Target::Memory(_)) if room => {
            store_text(call, buffer, &text)?;
            true
        }
        (None, Target::Memory(_)) => true,
        _ => store_fresh(call, buffer, &text)?,
    };
    return_int(if written { len } else { -1 })
}

/// Cuts a text off where the room for it ends. False: not even its end fits.
fn cut(call: &mut dyn Call, text: &mut Text, room: Room) -> Result<bool, ModelError> {
    match room {
        Room::Unlimited => {}
        Room::CutAt(index) => match word(call, index)? {
            0 => return Ok(false),
            size => text.truncate(usize::try_from(size - 1).unwrap_or(usize::MAX)),
        },
        Room::Checked(index) => {
            let size = word(call, index)?;
            fortify::require_room(call, text.len() as u64 + 1, size)?;
        }
    }
    Ok(true)
}

/// Stores a text and its end.
fn store_text(call: &mut dyn Call, buffer: u64, text: &Text) -> Result<(), ModelError> {
    let mut bytes = text.shown();
    bytes.push(0);
    call.store_bytes(buffer, &bytes)?;
    for (place, byte) in (buffer..).zip((0..text.len()).map(|index| text.at(index))) {
        if let Data::Term(..) = byte {
            call.store_data(place, byte)?;
        }
    }
    Ok(())
}

fn store_fresh(call: &mut dyn Call, result: u64, text: &Text) -> Result<bool, ModelError> {
    let object = allocation::allocate(call, text.len() as u64 + 1, 1, Content::Unwritten)?;
    if object == 0 {
        return Ok(false);
    }
    store_text(call, object, text)?;
    call.store(result, call.pointer_bytes(), object)?;
    Ok(true)
}

/// (buffer, size, flag, room, format, …): the size must not be larger than the room.
fn print_checked(call: &mut dyn Call, rest: Rest) -> Done {
    let (size, room) = (word(call, 1)?, word(call, 3)?);
    fortify::require_room(call, size, room)?;
    print(call, Target::Memory(Room::CutAt(1)), 4, rest)
}

fn puts(call: &mut dyn Call) -> Done {
    let text = word(call, 0)?;
    let mut text = call.text(text)?;
    text.push(crate::data::known(b'\n'));
    emit(call, 1, &text)?;
    return_int(text.len() as i32)
}

/// Writes argument `index` as a byte, which is the result.
fn put(call: &mut dyn Call, index: usize, descriptor: i32) -> Done {
    let byte = data(call, index, 8)?;
    let mut text = Text::Known(Vec::new());
    text.push(byte);
    if !emit(call, descriptor, &text)? {
        return return_int(-1);
    }
    let result = extended(call, byte, 32);
    return_data(result)
}

fn put_byte(call: &mut dyn Call, target: Target) -> Done {
    let descriptor = descriptor(call, target)?.unwrap_or(1);
    put(call, 0, descriptor)
}

/// What the macro `putc_unlocked` calls: (stream, byte).
fn overflow(call: &mut dyn Call) -> Done {
    let descriptor = stream(call, 0)?;
    put(call, 1, descriptor)
}

fn fputs(call: &mut dyn Call) -> Done {
    let (text, descriptor) = (word(call, 0)?, stream(call, 1)?);
    let text = call.text(text)?;
    let written = emit(call, descriptor, &text)?;
    return_int(if written { 1 } else { -1 })
}

fn fwrite(call: &mut dyn Call) -> Done {
    let (from, size, count) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    let descriptor = stream(call, 3)?;
    let bytes = call.bytes(from, size.saturating_mul(count))?;
    let written = emit(call, descriptor, &bytes)?;
    return_word(if written && size > 0 { count } else { 0 })
}

fn write(call: &mut dyn Call) -> Done {
    let (descriptor, from) = (int(call, 0)?, word(call, 1)?);
    let len = length(call, 2, &[from])?;
    let bytes = call.bytes(from, len)?;
    let written = emit(call, descriptor, &bytes)?;
    crate::args::return_long(call, if written { len as i64 } else { -1 })
}

fn perror(call: &mut dyn Call) -> Done {
    let prefix = word(call, 0)?;
    let error = errno::get(call)?;
    let mut line = match prefix {
        0 => Text::Known(Vec::new()),
        _ => call.text(prefix)?,
    };
    let separator: &[u8] = if line.is_empty() { b"" } else { b": " };
    line.append(&Text::Known([separator, messages::text(error).as_bytes(), b"\n"].concat()));
    emit(call, 2, &line)?;
    void()
}

/// All streams (null) or one.
fn flush(call: &mut dyn Call) -> Done {
    if word(call, 0)? != 0 {
        stream(call, 0)?;
    }
    return_int(0)
}

fn stream_succeeds(call: &mut dyn Call) -> Done {
    stream(call, 0)?;
    return_int(0)
}
