//! What the library code in C asks of the machine. Programs have no use for these functions.
use crate::args::{Done, int, return_long, return_word, void, word};
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, ModelError, Registered};
use std::sync::Arc;

const FAMILY: Family = Family::of("library code");
const FIXED: &str = "assumption fixed-environment";

/// The environment, files and output.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("__verify_environment", FIXED, environment),
    FAMILY.noted("__verify_file_size", FIXED, file_size),
    FAMILY.plain("__verify_arguments", |c| return_word(c.main_arguments())),
    FAMILY.plain("__verify_assume_no_signals", no_signals),
    FAMILY.plain("__verify_alone", |c| return_word(u64::from(c.is_alone()))),
    FAMILY.plain("__verify_is_thread", |c| return_word(u64::from(c.is_thread(c.argument(0))))),
    FAMILY.plain("__verify_file_content", file_content),
    FAMILY.noted("__verify_file_name", FIXED, file_name),
    FAMILY.plain("__verify_output", output),
    FAMILY.plain("__verify_linked", linked),
    FAMILY.plain("__verify_not_modelled", not_modelled),
    FAMILY.noted("__verify_fixed_environment", FIXED, fixed_environment),
    FAMILY.noted("__verify_no_features", FIXED, no_features),
];

/// The environment at the start.
fn environment(call: &mut dyn Call) -> Done {
    call.assume(Assumption::FixedEnvironment);
    return_word(call.environment())
}

/// What a processor without any features says of itself.
fn no_features(call: &mut dyn Call) -> Done {
    call.assume(Assumption::FixedEnvironment);
    return_word(0)
}

/// Library code answers for the system.
fn fixed_environment(call: &mut dyn Call) -> Done {
    call.assume(Assumption::FixedEnvironment);
    void()
}

fn file(call: &mut dyn Call) -> Result<Option<Arc<[u8]>>, ModelError> {
    let name = word(call, 0)?;
    let name = call.c_string(name)?;
    call.assume(Assumption::FixedEnvironment);
    Ok(call.file(&name))
}

/// The size of a file that the user gave, or -1: there is no other.
fn file_size(call: &mut dyn Call) -> Done {
    let size = file(call)?.map_or(-1, |content| content.len() as i64);
    return_long(call, size)
}

/// (name, buffer)
fn file_content(call: &mut dyn Call) -> Done {
    let to = word(call, 1)?;
    if let Some(content) = file(call)? {
        call.store_bytes(to, &content)?;
    }
    void()
}

/// (number, buffer, its size): the length of the name of a file that the user gave, or -1 if there are not so many. The
/// buffer has room for it with its end.
fn file_name(call: &mut dyn Call) -> Done {
    let (number, to, room) = (word(call, 0)?, word(call, 1)?, word(call, 2)?);
    call.assume(Assumption::FixedEnvironment);
    let Some(name) = call.file_name(number as usize).map(|name| [name.as_bytes(), &[0]].concat()) else {
        return return_long(call, -1);
    };
    if name.len() as u64 > room {
        return Err(ModelError::Unknown("the name of a file is too long to be listed".to_owned()));
    }
    call.store_bytes(to, &name)?;
    return_long(call, name.len() as i64 - 1)
}

/// (1 or 2, bytes, their number)
fn output(call: &mut dyn Call) -> Done {
    let (descriptor, from, len) = (int(call, 0)?, word(call, 1)?, word(call, 2)?);
    let bytes = call.load_bytes(from, len)?;
    call.output(descriptor as u8, &bytes);
    return_long(call, len as i64)
}

/// A handler was installed that nothing will call.
fn no_signals(call: &mut dyn Call) -> Done {
    call.assume(Assumption::NoSignals);
    void()
}

/// (name): where the variable of library code is, if that is a part of the program
fn linked(call: &mut dyn Call) -> Done {
    let name = word(call, 0)?;
    let name = call.c_string(name)?;
    let address = std::str::from_utf8(&name).ok().and_then(|name| call.global(name));
    return_word(address.unwrap_or(0))
}

/// (what)
fn not_modelled(call: &mut dyn Call) -> Done {
    let what = word(call, 0)?;
    let what = call.c_string(what)?;
    Err(ModelError::Unknown(format!("{} is not modelled", String::from_utf8_lossy(&what))))
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::hooks::ModelError;

    #[test]
    fn files_of_the_user() {
        let mut fake = Fake::lp64();
        fake.files = vec![("a.txt", b"content")];
        let (name, other, room) = (fake.string("a.txt"), fake.string("b.txt"), fake.bytes(&[0; 8]));
        assert_eq!(fake.result("__verify_file_size", &[name]), 7);
        assert_eq!(fake.result("__verify_file_size", &[other]), u64::MAX);
        fake.result("__verify_file_content", &[name, room]);
        assert_eq!(fake.text(room), "content");
        assert!(fake.assumed.contains(&"fixed-environment"));
    }

    #[test]
    fn what_is_missing_is_named() {
        let mut fake = Fake::lp64();
        let what = fake.string("this");
        let stop = fake.call("__verify_not_modelled", &[what.into()]);
        assert!(matches!(stop, Err(ModelError::Unknown(reason)) if reason == "this is not modelled"));
    }
}
