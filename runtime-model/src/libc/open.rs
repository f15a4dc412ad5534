//! What library code in C asks of the machine about arguments and standard input that may be anything.
use crate::args::{Done, int, return_word, word};
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, ModelError, ModelResult, Registered, Sign};
use interp::operation::{Operation, Source};

const FAMILY: Family = Family::of("library code");

/// Arguments and standard input.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("__verify_argument_count", argument_count),
    FAMILY.plain("__verify_argument_length", argument_length),
    FAMILY.plain("__verify_argument_byte", argument_byte),
    FAMILY.plain("__verify_argument_room", argument_room),
    FAMILY.plain("__verify_open_stdin", |c| return_word(u64::from(c.open().stdin.unwrap_or(0)))),
    FAMILY.plain("__verify_more_stdin", more_stdin),
    FAMILY.plain("__verify_stdin_byte", stdin_byte),
    FAMILY.plain("__verify_stdin_is_full", stdin_is_full),
];

/// A number of at least `base`, one of `count`.
fn choose(base: u32, count: u32, bits: u64, source: Source) -> Done {
    Ok(ModelResult::Operate(Operation::Choose { base: base.into(), count, bits: bits as u8, source }))
}

fn byte(call: &mut dyn Call, source: Source) -> Done {
    let missing = || Err(ModelError::Unknown("arguments and standard input are open, and inputs are not".to_owned()));
    call.input(8, Sign::Unsigned, source).unwrap_or_else(missing)
}

/// How many arguments there are besides those that are given.
fn argument_count(call: &mut dyn Call) -> Done {
    call.assume(Assumption::BoundedArguments);
    let Some(open) = call.open().arguments else { return return_word(0) };
    choose(open.least, open.most - open.least + 1, 32, Source::ArgumentCount)
}

/// (its index)
fn argument_length(call: &mut dyn Call) -> Done {
    let argument = int(call, 0)? as u32;
    let length = call.open().arguments.map_or(0, |open| open.length);
    choose(0, length + 1, 8 * call.pointer_bytes(), Source::ArgumentLength(argument))
}

/// (the index of the argument, that of the byte)
fn argument_byte(call: &mut dyn Call) -> Done {
    let (argument, at) = (int(call, 0)? as u32, word(call, 1)? as u32);
    byte(call, Source::ArgumentByte { argument, at })
}

/// (size)
fn argument_room(call: &mut dyn Call) -> Done {
    let size = word(call, 0)?;
    return_word(call.argument_room(size)?)
}

/// Whether there is more standard input than so many bytes.
fn more_stdin(call: &mut dyn Call) -> Done {
    let at = word(call, 0)? as u32;
    choose(0, 2, 32, Source::MoreStdin(at))
}

/// (its index)
fn stdin_byte(call: &mut dyn Call) -> Done {
    let at = word(call, 0)? as u32;
    byte(call, Source::StdinByte(at))
}

/// Somebody finds the end of standard input where it is because there may not be more.
fn stdin_is_full(call: &mut dyn Call) -> Done {
    call.assume(Assumption::BoundedStdin);
    crate::args::void()
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::operation::{Operation, Source};
    use interp::{Open, OpenArguments};

    #[test]
    fn numbers_are_choices_and_bytes_are_inputs() {
        let mut fake = Fake::lp64();
        fake.open =
            Open { arguments: Some(OpenArguments { least: 1, most: 3, length: 4 }), stdin: Some(5), ..Open::default() };
        let choice = |base, count, bits, source| Operation::Choose { base, count, bits, source };
        assert_eq!(fake.operation("__verify_argument_count", &[]), choice(1, 3, 32, Source::ArgumentCount));
        assert_eq!(fake.operation("__verify_argument_length", &[2]), choice(0, 5, 64, Source::ArgumentLength(2)));
        assert_eq!(fake.operation("__verify_more_stdin", &[3]), choice(0, 2, 32, Source::MoreStdin(3)));
        let byte = Operation::Input { bits: 8, source: Source::ArgumentByte { argument: 1, at: 2 } };
        assert_eq!(fake.operation("__verify_argument_byte", &[1, 2]), byte);
        let byte = Operation::Input { bits: 8, source: Source::StdinByte(4) };
        assert_eq!(fake.operation("__verify_stdin_byte", &[4]), byte);
        assert_eq!(fake.result("__verify_open_stdin", &[]), 5);
        assert_eq!(fake.assumed, ["bounded-arguments"]);
        fake.result("__verify_stdin_is_full", &[]);
        assert_eq!(fake.assumed, ["bounded-arguments", "bounded-stdin"]);
    }
}
