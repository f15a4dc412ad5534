//! Property files: what must hold, as one `CHECK` line for each formula. Only the text counts, not the file's name.
use std::collections::BTreeSet;
use std::path::Path;

/// A property of the competition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Property {
    /// This function is never called.
    UnreachCall(String),
    /// There is no data race.
    NoDataRace,
    /// The rules of memory that are listed hold.
    Memory(BTreeSet<MemoryFormula>),
    /// No operation on signed integers has a result that does not fit.
    NoOverflow,
    /// Every execution ends.
    Termination,
}

/// A rule of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum MemoryFormula {
    /// All memory that is accessed exists.
    Deref,
    /// Everything that is freed may be freed.
    Free,
    /// Every block that was allocated can be reached by some pointer, or was freed.
    Memtrack,
    /// Every block that was allocated was freed by the end.
    Memcleanup,
}

impl MemoryFormula {
    /// The name in property files and in answers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            MemoryFormula::Deref => "valid-deref",
            MemoryFormula::Free => "valid-free",
            MemoryFormula::Memtrack => "valid-memtrack",
            MemoryFormula::Memcleanup => "valid-memcleanup",
        }
    }

    /// Whether it is about memory that is not freed.
    pub(crate) fn is_about_leaks(self) -> bool {
        matches!(self, MemoryFormula::Memtrack | MemoryFormula::Memcleanup)
    }
}

/// Why a property is not understood; one line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PropertyError {
    /// The file is not there, or not readable, or no text.
    #[error("{0}: cannot be read: {1}")]
    Unreadable(String, String),
    /// No line.
    #[error("the property is empty; a property file has lines such as `{EXAMPLE}`")]
    Empty,
    /// A line that is no formula that is known.
    #[error("`{0}` is no property that is known; a property file has lines such as `{EXAMPLE}`")]
    Unknown(String),
    /// Formulas of different properties.
    #[error("`{0}` and `{1}` are two properties; check them one by one")]
    Several(String, String),
}

const EXAMPLE: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

impl Property {
    /// Reads a property file; also gives its text, for witnesses.
    pub(crate) fn read(path: &Path) -> Result<(Property, String), PropertyError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| PropertyError::Unreadable(path.display().to_string(), error.to_string()))?;
        let property = Property::parse(&text)?;
        Ok((property, text))
    }

    /// The property that the lines of a file mean.
    pub(crate) fn parse(text: &str) -> Result<Property, PropertyError> {
        let mut whole: Option<(Property, &str)> = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let next = formula(line).ok_or_else(|| PropertyError::Unknown(line.to_owned()))?;
            match (&mut whole, next) {
                (None, next) => whole = Some((next, line)),
                (Some((Property::Memory(all), _)), Property::Memory(more)) => all.extend(more),
                (Some((one, _)), next) if *one == next => {}
                (Some((_, first)), _) => {
                    return Err(PropertyError::Several((*first).to_owned(), line.to_owned()));
                }
            }
        }
        whole.map(|(property, _)| property).ok_or(PropertyError::Empty)
    }

    /// The name by which the competition calls it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Property::UnreachCall(_) => "unreach-call",
            Property::NoDataRace => "no-data-race",
            Property::Memory(formulas) if formulas.iter().all(|f| *f == MemoryFormula::Memcleanup) => {
                "valid-memcleanup"
            }
            Property::Memory(_) => "valid-memsafety",
            Property::NoOverflow => "no-overflow",
            Property::Termination => "termination",
        }
    }
}

/// The meaning of one line.
fn formula(line: &str) -> Option<Property> {
    let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let formula = line.strip_prefix("CHECK(init(main()),LTL(")?.strip_suffix("))")?;
    let memory = |formula| Some(Property::Memory(BTreeSet::from([formula])));
    match formula {
        "G!data-race" => Some(Property::NoDataRace),
        "G!overflow" => Some(Property::NoOverflow),
        "Fend" => Some(Property::Termination),
        "Gvalid-deref" => memory(MemoryFormula::Deref),
        "Gvalid-free" => memory(MemoryFormula::Free),
        "Gvalid-memtrack" => memory(MemoryFormula::Memtrack),
        "Gvalid-memcleanup" => memory(MemoryFormula::Memcleanup),
        other => {
            let name = other.strip_prefix("G!call(")?.strip_suffix("())")?;
            is_identifier(name).then(|| Property::UnreachCall(name.to_owned()))
        }
    }
}

fn is_identifier(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Property, PropertyError> {
        Property::parse(text)
    }

    #[test]
    fn the_properties_of_the_competition() {
        let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )");
        let calls = |name: &str| Ok(Property::UnreachCall(name.to_owned()));
        assert_eq!(parse(&check("G ! call(reach_error())")), calls("reach_error"));
        assert_eq!(parse("\nCHECK(init(main()),LTL(G!call(__VERIFIER_error())))\n\n"), calls("__VERIFIER_error"));
        assert_eq!(parse(&check("G ! data-race")), Ok(Property::NoDataRace));
        assert_eq!(parse(&check("G ! overflow")), Ok(Property::NoOverflow));
        assert_eq!(parse(&check("F end")), Ok(Property::Termination));
        let safety = ["G valid-free", "G valid-deref", "G valid-memtrack"].map(check).join("\n");
        let property = parse(&safety).unwrap();
        assert_eq!(property.name(), "valid-memsafety");
        let Property::Memory(formulas) = property else { panic!("{property:?}") };
        assert_eq!(formulas.len(), 3);
        assert_eq!(parse(&check("G valid-memcleanup")).unwrap().name(), "valid-memcleanup");
    }

    #[test]
    fn what_is_no_property() {
        for text in ["", "\n \n"] {
            assert_eq!(parse(text), Err(PropertyError::Empty));
        }
        for text in
            ["G ! data-race", "CHECK( init(start()), LTL(F end) )", "CHECK( init(main()), LTL(G ! call(1f())) )"]
        {
            assert_eq!(parse(text), Err(PropertyError::Unknown(text.to_owned())));
        }
        let two = "CHECK( init(main()), LTL(F end) )\nCHECK( init(main()), LTL(G ! overflow) )";
        assert!(matches!(parse(two), Err(PropertyError::Several(_, _))));
    }
}
