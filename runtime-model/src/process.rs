//! Assertions and the end of the process.
use crate::args::{Done, int, return_int, word};
use crate::libc::messages;
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, ModelError, ModelResult, Registered};
use interp::operation::Operation;

const FAMILY: Family = Family::of("process");

/// What `assert` comes to when it fails.
pub(crate) const ASSERTIONS: &[Registered] = &[
    FAMILY.plain("__assert_fail", |c| assertion(c, 0)),
    FAMILY.plain("__assert", |c| assertion(c, 0)),
    FAMILY.plain("__assert_rtn", |c| assertion(c, 3)),
    FAMILY.plain("__assert_perror_fail", assertion_on_error),
];

/// `abort`, `exit` and their relatives.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("abort", |c| Err(c.fault(Kind::Abort, "`abort` is called".into()))),
    FAMILY.plain("__stack_chk_fail", |c| Err(c.fault(Kind::Memory, "the stack's guard is overwritten".into()))),
    FAMILY.plain("__chk_fail", |c| Err(c.fault(Kind::Memory, "a buffer overflow is detected".into()))),
    FAMILY.plain("exit", |c| Ok(ModelResult::Exit { status: status(c)? })),
    FAMILY.plain("_exit", end),
    FAMILY.plain("_Exit", end),
    FAMILY.plain("quick_exit", end),
    FAMILY.plain("__verify_at_exit", at_exit),
    FAMILY.plain("__cxa_pure_virtual", |c| Err(c.fault(Kind::Abort, "a pure virtual function is called".into()))),
    FAMILY.plain("_ZSt9terminatev", |c| Err(c.fault(Kind::Abort, "`std::terminate` is called".into()))),
    FAMILY.plain("_ZSt21__glibcxx_assert_failPKciS0_S0_", |c| assertion(c, 3)),
];

/// `expression` is the index of the argument with the text of the condition.
fn assertion(call: &mut dyn Call, expression: usize) -> Done {
    let text = word(call, expression)?;
    let text = call.c_string(text)?;
    let message = format!("assertion `{}` fails", String::from_utf8_lossy(&text));
    Err(call.fault(Kind::Assertion, message))
}

fn assertion_on_error(call: &mut dyn Call) -> Done {
    let error = int(call, 0)?;
    let message = format!("an error was not expected: {}", messages::text(error));
    Err(call.fault(Kind::Assertion, message))
}

fn status(call: &mut dyn Call) -> Result<u64, ModelError> {
    Ok(u64::from(int(call, 0)? as u32))
}

/// Ends the process at once. (`at_quick_exit` is not modelled, so that `quick_exit` has nothing to run.)
fn end(call: &mut dyn Call) -> Done {
    let status = status(call)?;
    Ok(ModelResult::Operate(Operation::ProcessExit { status }))
}

/// For the library code: (function, its argument).
fn at_exit(call: &mut dyn Call) -> Done {
    let (function, argument) = (word(call, 0)?, word(call, 1)?);
    call.at_exit(function, argument)?;
    return_int(0)
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::fault::Kind;
    use interp::hooks::{ModelError, ModelResult};
    use interp::operation::Operation;

    #[test]
    fn assertions() {
        let mut fake = Fake::lp64();
        let (text, file) = (fake.string("x == 1"), fake.string("a.c"));
        match fake.call("__assert_fail", &[text.into(), file.into(), 3.into(), file.into()]) {
            Err(ModelError::Fault { kind, message, .. }) => {
                assert_eq!((kind, message.as_str()), (Kind::Assertion, "assertion `x == 1` fails"));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(fake.violation("abort", &[]), Kind::Abort);
    }

    #[test]
    fn ends() {
        let mut fake = Fake::lp64();
        let minus_one = u64::from(u32::MAX);
        assert!(
            matches!(fake.call("exit", &[minus_one.into()]), Ok(ModelResult::Exit { status }) if status == minus_one)
        );
        assert_eq!(fake.operation("_exit", &[3]), Operation::ProcessExit { status: 3 });
        assert_eq!(fake.int("__verify_at_exit", &[0x500, 1]), 0);
        assert_eq!(fake.log, ["at exit 0x500"]);
    }
}
