//! Bugs that are known and not to be reported: the entries `[[suppress]]` of `verify.toml`.
use crate::report::{Place, Report};
use glob::Pattern;
use interp::fault::Kind;
use serde::{Deserialize, Serialize};

/// Which bugs are not to be reported, and why. All that is given must match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Suppression {
    /// What is wrong.
    pub kind: Kind,
    /// The function where it happens.
    #[serde(with = "pattern")]
    pub function: Option<Pattern>,
    /// The file where it happens: its path, or the end of it from any `/` on.
    #[serde(with = "pattern")]
    pub file: Option<Pattern>,
    /// A part of the message.
    pub message: Option<String>,
    /// Why.
    pub reason: String,
    /// Where it stands, as `verify.toml:7`.
    pub origin: String,
}

/// Patterns by their texts.
mod pattern {
    use glob::Pattern;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(pattern: &Option<Pattern>, serializer: S) -> Result<S::Ok, S::Error> {
        pattern.as_ref().map(Pattern::as_str).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Pattern>, D::Error> {
        let text: Option<String> = Option::deserialize(deserializer)?;
        text.map(|text| Pattern::new(&text).map_err(D::Error::custom)).transpose()
    }
}

/// What suppressions look at.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// What is wrong.
    pub kind: Kind,
    /// The sentence that says so.
    pub message: String,
    /// Where: for a race both ends, for a deadlock every thread that waits.
    pub places: Vec<Place>,
}

impl Suppression {
    /// Whether it covers a bug. One of its places must match both patterns.
    pub(crate) fn covers(&self, subject: &Subject) -> bool {
        let said = self.message.as_ref().is_none_or(|part| subject.message.contains(part.as_str()));
        let nowhere = self.function.is_none() && self.file.is_none();
        subject.kind == self.kind && said && (nowhere || subject.places.iter().any(|place| self.is_at(place)))
    }

    /// Whether it covers every race of the memory of one that it covers: it names no place, and of the message at most
    /// the memory. Nothing is known of other races there, because what has raced is explored as if it were atomic.
    pub(crate) fn covers_memory_of(&self, subject: &Subject) -> bool {
        let named = self.message.as_ref().is_some_and(|part| subject.memory().contains(part.as_str()));
        self.function.is_none() && self.file.is_none() && named
    }

    /// Whether it covers all bugs of its kind that have a place.
    pub(super) fn is_of_everything(&self) -> bool {
        let any = |pattern: &Option<Pattern>| pattern.as_ref().is_none_or(|p| p.as_str().chars().all(|c| c == '*'));
        self.message.is_none() && any(&self.function) && any(&self.file)
    }

    /// What is said if nothing was found that it covers.
    fn unmatched(&self) -> String {
        format!(
            "{}: this suppression matched nothing ({}); remove it if it is no longer needed",
            self.origin, self.reason
        )
    }

    fn is_at(&self, place: &Place) -> bool {
        self.function.as_ref().is_none_or(|pattern| pattern.matches(&place.function))
            && self.file.as_ref().is_none_or(|pattern| ends(&place.file).any(|path| pattern.matches(path)))
    }
}

impl Subject {
    /// What is wrong, for a race with the memory, but not which threads access it: `data race on `c``.
    pub(crate) fn memory(&self) -> &str {
        match (self.kind, self.message.split_once(": ")) {
            (Kind::DataRace, Some((memory, _))) => memory,
            _ => self.kind.name(),
        }
    }

    /// The assumption of a "safe" that does not count it.
    pub(crate) fn assumption(&self) -> String {
        match (self.kind, self.places.first()) {
            (Kind::DataRace, _) | (_, None) => format!("suppressed: {}", self.memory()),
            (kind, Some(place)) => format!("suppressed: {} in `{}`", kind.name(), place.function),
        }
    }
}

/// A warning for each suppression that nothing was found for, if these reports leave nothing out.
pub(crate) fn unmatched(suppressions: &[Suppression], reports: &[&Report]) -> Vec<String> {
    if !reports.iter().all(|report| report.reasons.is_empty() && !report.stopped_early) {
        return Vec::new();
    }
    let found = |at| reports.iter().any(|report| report.suppressed.iter().any(|found| found.suppression == at));
    let unused = suppressions.iter().enumerate().filter(|(at, _)| !found(*at));
    unused.map(|(_, suppression)| suppression.unmatched()).collect()
}

/// The path, and what follows each `/` in it.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path).chain(path.match_indices('/').map(|(at, _)| &path[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str, function: &str) -> Place {
        Place { file: file.to_owned(), line: 1, column: 1, function: function.to_owned() }
    }

    #[test]
    fn memory_as_a_whole() {
        let subject = Subject {
            kind: Kind::DataRace,
            message: "data race on `a::c`: read by thread 1 and write by thread 2".to_owned(),
            places: vec![place("a.c", "f")],
        };
        assert_eq!(subject.assumption(), "suppressed: data race on `a::c`");
        for (expected, function, message) in
            [(true, None, "on `a::c`"), (false, Some("f"), "on `a::c`"), (false, None, "read by"), (false, None, "`: ")]
        {
            let suppression = Suppression {
                kind: Kind::DataRace,
                function: function.map(|text| Pattern::new(text).unwrap()),
                file: None,
                message: Some(message.to_owned()),
                reason: String::new(),
                origin: String::new(),
            };
            assert!(suppression.covers(&subject), "{function:?} {message}");
            assert_eq!(suppression.covers_memory_of(&subject), expected, "{function:?} {message}");
        }
    }

    #[test]
    fn everything_given_must_match_at_one_place() {
        let subject = Subject {
            kind: Kind::DataRace,
            message: "data race on `c`: read by thread 1".to_owned(),
            places: vec![place("/src/lib/queue.c", "pop"), place("/src/main.c", "main")],
        };
        let pattern = |text: Option<&str>| text.map(|text| Pattern::new(text).unwrap());
        let covers = |kind, function, file, message: Option<&str>| {
            let (function, file, message) = (pattern(function), pattern(file), message.map(str::to_owned));
            let (reason, origin) = (String::new(), String::new());
            Suppression { kind, function, file, message, reason, origin }.covers(&subject)
        };
        for (expected, function, file, message) in [
            (true, Some("pop"), None, None),
            (true, Some("p*"), Some("queue.c"), None),
            (true, Some("main"), None, Some("on `c`")),
            (true, None, Some("lib/*.c"), None),
            (true, None, Some("/src/lib/queue.c"), None),
            (true, None, None, Some("`c`")),
            (false, Some("po"), None, None),
            (false, Some("main"), Some("queue.c"), None),
            (false, None, Some("ueue.c"), None),
            (false, Some("pop"), None, Some("`d`")),
        ] {
            assert_eq!(covers(Kind::DataRace, function, file, message), expected, "{function:?} {file:?} {message:?}");
        }
        assert!(!covers(Kind::Deadlock, Some("pop"), None, None));
    }
}
