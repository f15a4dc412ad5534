//! Reports on their way from one process of this program to another: `verify test` has each check done by a child.
use super::Report;

/// The report as one line.
pub(crate) fn write(report: &Report) -> String {
    serde_json::to_string(report).expect("plain data can be written as JSON") + "\n"
}

/// The report that a child has written; nothing if it is not whole.
pub(crate) fn read(text: &str) -> Option<Report> {
    serde_json::from_str(text).ok()
}

/// Kinds go by their names.
pub(crate) mod kind {
    use interp::fault::Kind;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes the name.
    pub(crate) fn serialize<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.name())
    }

    /// The kind of that name.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        let name = String::deserialize(deserializer)?;
        super::kind_named(&name).ok_or_else(|| D::Error::custom(format!("`{name}` is no kind of bug")))
    }
}

/// The kind of that name, if there is one.
pub(crate) fn kind_named(name: &str) -> Option<interp::fault::Kind> {
    interp::fault::Kind::ALL.into_iter().find(|kind| kind.name() == name)
}

#[cfg(test)]
mod tests {
    use crate::report::{json, samples};

    #[test]
    fn what_is_read_is_what_was_written() {
        let report = samples::race();
        let read = super::read(&super::write(&report)).unwrap();
        assert_eq!(format!("{report:?}"), format!("{read:?}"));
        assert_eq!(json::write(&report), json::write(&read));
    }

    #[test]
    fn half_a_report_is_none() {
        let text = super::write(&samples::race());
        assert!(super::read(&text[..text.len() / 2]).is_none());
        assert!(super::read("").is_none());
    }
}
