//! The library as the rules of the competition SV-COMP have it: a failed assertion is just an end of the program, and
//! nothing is wrong but the one thing that the property forbids.
use crate::args::Done;
use crate::process;
use crate::sanitizer::{self, Finding};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, Registered, Registry};

/// What must not happen. If it does, it is a fault of kind `assertion`, and there are no others of that kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forbidden {
    /// A call of the function of this name, whether or not the program defines it.
    Call(String),
    /// A result of an arithmetic operation that does not fit its signed type, in code that clang has told to check for
    /// that.
    SignedOverflow,
    /// Nothing that is a matter of the library.
    Nothing,
}

const FAMILY: Family = Family::of("competition");

/// The model of the function that must not be called, under whatever name.
const CALL: Registered = FAMILY.overriding("", "", |call| {
    let message = format!("`{}` is called", call.name());
    Err(call.fault(Kind::Assertion, message))
});

/// All models, with the meaning that the rules give them.
pub fn competition(forbidden: &Forbidden) -> Registry {
    let models = crate::models().filter_map(|entry| match entry.name {
        // If it is not the function that must not be called, the program's own definition counts.
        "reach_error" | "__VERIFIER_error" | "__VERIFIER_assert" => None,
        name if process::ASSERTIONS.iter().any(|assertion| assertion.name == name) => {
            Some(Registered { model: failed_assertion, ..*entry })
        }
        name if *forbidden == Forbidden::SignedOverflow
            && sanitizer::ARITHMETIC.iter().any(|handler| handler.name == name) =>
        {
            Some(Registered { model: overflow, ..*entry })
        }
        _ => Some(*entry),
    });
    let registry = crate::registry_of(models);
    match forbidden {
        Forbidden::Call(name) => registry.with_replacement(name.clone(), CALL),
        _ => registry,
    }
}

/// `assert` ends the program like `abort`.
fn failed_assertion(call: &mut dyn Call) -> Done {
    Err(call.fault(Kind::Abort, "an assertion fails".into()))
}

fn overflow(call: &mut dyn Call) -> Done {
    match sanitizer::finding(call)? {
        Finding::SignedOverflow(message) => Err(call.fault(Kind::Assertion, message)),
        Finding::Other(message) => Err(call.fault(Kind::Overflow, message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fake;
    use interp::hooks::ModelError;

    fn kind(fake: &mut Fake, registry: &Registry, name: &str) -> Kind {
        let model = registry.get(name).unwrap_or_else(|| panic!("no model for {name}")).model;
        match model(fake) {
            Err(ModelError::Fault { kind, .. }) => kind,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn only_the_call_that_is_forbidden_is_a_failure() {
        let registry = competition(&Forbidden::Call("bad".to_owned()));
        let mut fake = Fake::lp64();
        assert!(registry.get("bad").is_some_and(|model| model.overrides_definition));
        assert_eq!(kind(&mut fake, &registry, "bad"), Kind::Assertion);
        assert_eq!(kind(&mut fake, &registry, "__assert_fail"), Kind::Abort);
        assert_eq!(kind(&mut fake, &registry, "abort"), Kind::Abort);
        assert!(registry.get("reach_error").is_none());
        assert!(competition(&Forbidden::Nothing).get("bad").is_none());
    }
}
