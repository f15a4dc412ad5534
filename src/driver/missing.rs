//! Functions that a program may call and that are neither defined nor modelled: which there are, and what to type then.
use crate::report::Reason;
use crate::report::excerpt::shorten;
use interp::{Callees, Undefined, UndefinedCall};
use std::fmt::Write as _;

/// How many of them a hint names.
const MOST_NAMED: usize = 8;

/// All functions that may be called and have no code, those with a model apart.
pub(crate) fn list(callees: &Callees) -> String {
    let all = callees.undefined(runtime_model::registry());
    let public = |function: &&Undefined| !function.name.starts_with("__verify_") && !function.name.starts_with("llvm.");
    let mut text = String::new();
    for (heading, call) in [
        ("neither defined nor modelled: a call makes the verdict unknown", UndefinedCall::Unknown),
        ("they do what --externals says", UndefinedCall::External),
        ("modelled (docs/library.md says how)", UndefinedCall::Modelled),
    ] {
        let functions: Vec<&Undefined> = all.iter().filter(public).filter(|function| function.call == call).collect();
        if functions.is_empty() {
            continue;
        }
        let width = functions.iter().map(|function| function.name.len()).max().unwrap_or(0);
        let _ = writeln!(text, "{}{heading}:", if text.is_empty() { "" } else { "\n" });
        for function in functions {
            let line = format!("  {:<width$}  {}", function.name, place(function).unwrap_or_default());
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    if text.is_empty() { "every function that may be called is defined\n".to_owned() } else { text }
}

fn place(function: &Undefined) -> Option<String> {
    function.place.as_ref().map(|(file, line)| format!("{}:{line}", shorten(file)))
}

/// What to type where these are the reasons for "unknown".
pub(crate) fn advice(callees: &Callees, reasons: &[Reason]) -> Vec<String> {
    let first = reasons.iter().find_map(|reason| match reason {
        Reason::Program(text) => missing_function(text),
        _ => None,
    });
    let Some(name) = first else { return Vec::new() };
    let mut advice = Vec::new();
    let own = runtime_model::STUBS.iter().find(|stub| stub.provides().any(|provided| provided == name));
    advice.extend(
        own.map(|stub| format!("--stub {} gives it a body that comes with the tool: {}", stub.name, stub.about)),
    );
    advice.push(format!(
        "--extern {name}=zero, =any or =noop says what it returns if it does nothing else; --stub FILE.c gives it a body"
    ));
    let all = callees.undefined(runtime_model::registry());
    let others = all.iter().filter(|function| function.call == UndefinedCall::Unknown && function.name != name);
    let mut others: Vec<String> = others
        .map(|function| match place(function) {
            Some(place) => format!("`{}` at {place}", function.name),
            None => format!("`{}`", function.name),
        })
        .collect();
    if !others.is_empty() {
        let left = others.len().saturating_sub(MOST_NAMED);
        others.truncate(MOST_NAMED);
        let more = if left > 0 { format!(", and {left} more (--list-undefined)") } else { String::new() };
        advice.push(format!("it may also call, without a model: {}{more}", others.join(", ")));
    }
    advice
}

/// The function that a reason for "unknown" says is not known.
fn missing_function(reason: &str) -> Option<&str> {
    let (name, rest) = match reason.strip_prefix("call of `") {
        Some(rest) => rest.split_once("`, which is neither defined nor modelled")?,
        None => reason.strip_prefix('`')?.split_once("` is not modelled: ")?,
    };
    (!name.contains('`') && !rest.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::missing_function;

    #[test]
    fn names_in_reasons() {
        let known = "call of `mystery`, which is neither defined nor modelled at a.c:3";
        assert_eq!(missing_function(known), Some("mystery"));
        assert_eq!(missing_function("`fork` is not modelled: there is one process at a.c:3"), Some("fork"));
        assert_eq!(missing_function("limit of 1 execution reached"), None);
        assert_eq!(missing_function("`a` and `b` is not modelled: so"), None);
    }
}
