//! The report as commands that GitHub's runners turn into annotations of the changed lines.
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions> describes them.
use super::case::{Case, Outcome};
use super::excerpt::shorten;
use super::{Place, Violation};

/// How many annotations of one level a step may have; GitHub drops the rest without a word.
const MOST: usize = 10;

/// Writes one line for each annotation.
pub(crate) fn write(cases: &[Case]) -> String {
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    for case in cases {
        errors.extend(case.violations().iter().map(violation));
        let Some(remark) = case.remark() else { continue };
        let (lines, level) = match case.outcome() {
            Outcome::Unknown => (&mut warnings, "warning"),
            Outcome::Passed | Outcome::Failed | Outcome::Error => (&mut errors, "error"),
        };
        lines.push(command(level, &[("title", &case.name)], &remark));
    }
    limited("error", errors) + &limited("warning", warnings)
}

fn violation(violation: &Violation) -> String {
    let (line, column);
    let title = format!("verify: {}", violation.kind.name());
    let mut properties = Vec::new();
    if let Some(Place { file, line: at, column: from, .. }) = &violation.place {
        (line, column) = (at.to_string(), from.to_string());
        properties.extend([("file", shorten(file)), ("line", &line)]);
        if *from != 0 {
            properties.push(("col", &column));
        }
    }
    properties.push(("title", &title));
    let related = violation.related.iter().map(|related| match &related.place {
        Some(place) => format!("\n{}: {}:{}", related.message, shorten(&place.file), place.line),
        None => format!("\n{}", related.message),
    });
    command("error", &properties, &(violation.message.clone() + &related.collect::<String>()))
}

/// The commands, or as many as are shown, the last of which says how many are not.
fn limited(level: &str, mut commands: Vec<String>) -> String {
    if commands.len() > MOST {
        let rest = commands.split_off(MOST - 1).len();
        let message = format!("{rest} more of this kind are not shown here; see the log or another format");
        commands.push(command(level, &[("title", "verify")], &message));
    }
    commands.concat()
}

fn command(level: &str, properties: &[(&str, &str)], message: &str) -> String {
    let properties: Vec<String> = properties.iter().map(|(key, value)| format!("{key}={}", property(value))).collect();
    format!("::{level} {}::{}\n", properties.join(","), escaped(message))
}

/// A message ends at the end of its line.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property ends at a comma or colon as well.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn a_race() {
        let place = "file=/src/race.c,line=5,col=3,title=verify%3A data-race";
        let race = "data race on `c`: read by thread 2 and write by thread 1, which nothing orders";
        let related = "conflicting write by thread 1: /src/race.c:6%0Athe program was started here";
        assert_eq!(write(&[samples::case(samples::race())]), format!("::error {place}::{race}%0A{related}\n"));
    }

    #[test]
    fn no_answer_is_a_warning() {
        assert_eq!(write(&[samples::case(samples::unknown())]), "::warning title=race.c::unknown: interrupted\n");
    }

    #[test]
    fn nothing_to_say_of_a_proof() {
        assert_eq!(write(&[samples::case(samples::safe())]), "");
    }

    #[test]
    fn characters_that_mean_something() {
        assert_eq!(
            command("error", &[("file", "a,b:c%.c")], "50%:\r\nx"),
            "::error file=a%2Cb%3Ac%25.c::50%25:%0D%0Ax\n"
        );
    }

    #[test]
    fn the_tenth_counts_the_rest() {
        let all = |count: usize| write(&vec![samples::case(samples::race()); count]);
        assert_eq!(all(10).lines().count(), 10);
        assert!(!all(10).contains("not shown"));
        let text = all(25);
        assert_eq!(text.lines().count(), 10);
        assert!(text.lines().last().unwrap().contains("16 more"), "{text}");
    }
}
