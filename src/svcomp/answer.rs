//! Answers as the competition writes them, and their points.
use super::property::MemoryFormula;
use std::fmt;
use std::str::FromStr;

/// What begins the line with the answer.
pub(crate) const RESULT: &str = "SV-COMP result: ";

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// The property holds.
    True,
    /// The property does not hold; the value says what is violated.
    False(Violated),
    /// It is not known.
    Unknown,
}

/// What is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Violated {
    /// The function that must not be called is called.
    UnreachCall,
    /// There is a data race.
    NoDataRace,
    /// A rule of memory.
    Memory(MemoryFormula),
    /// A result does not fit.
    NoOverflow,
}

impl Violated {
    const ALL: [Violated; 7] = [
        Violated::UnreachCall,
        Violated::NoDataRace,
        Violated::Memory(MemoryFormula::Deref),
        Violated::Memory(MemoryFormula::Free),
        Violated::Memory(MemoryFormula::Memtrack),
        Violated::Memory(MemoryFormula::Memcleanup),
        Violated::NoOverflow,
    ];

    /// The name in answers and in task definitions.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Violated::UnreachCall => "unreach-call",
            Violated::NoDataRace => "no-data-race",
            Violated::Memory(formula) => formula.name(),
            Violated::NoOverflow => "no-overflow",
        }
    }
}

impl Answer {
    /// The exit code of the program.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Answer::True => 0,
            Answer::False(_) => 1,
            Answer::Unknown => 3,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::True => write!(f, "true"),
            Answer::False(violated) => write!(f, "false({})", violated.name()),
            Answer::Unknown => write!(f, "unknown"),
        }
    }
}

impl FromStr for Answer {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "true" => Ok(Answer::True),
            "unknown" => Ok(Answer::Unknown),
            _ => {
                let name = text.strip_prefix("false(").and_then(|rest| rest.strip_suffix(')')).ok_or(())?;
                Violated::ALL.into_iter().find(|violated| violated.name() == name).map(Answer::False).ok_or(())
            }
        }
    }
}

/// What a task definition expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Expected {
    /// Whether the property holds.
    pub holds: bool,
    /// Which part of it does not, if the definition says so.
    pub subproperty: Option<String>,
}

/// How an answer compares with what is expected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Category {
    /// The property holds, and the answer was `true`.
    CorrectTrue,
    /// The property does not hold, and the answer was `false`.
    CorrectFalse,
    /// The property does not hold, but the answer was `true`.
    WrongTrue,
    /// The answer was `false`, but the property holds, or something else is violated.
    WrongFalse,
    /// No answer.
    Unknown,
    /// The definition does not say which answer is right.
    Unrated,
}

impl Category {
    /// All, in the order of summaries.
    pub(crate) const ALL: [Category; 6] = [
        Category::CorrectTrue,
        Category::CorrectFalse,
        Category::WrongTrue,
        Category::WrongFalse,
        Category::Unknown,
        Category::Unrated,
    ];

    /// Compares.
    pub(crate) fn of(answer: Answer, expected: Option<&Expected>) -> Category {
        match (answer, expected) {
            (Answer::Unknown, _) => Category::Unknown,
            (_, None) => Category::Unrated,
            (Answer::True, Some(expected)) if expected.holds => Category::CorrectTrue,
            (Answer::True, Some(_)) => Category::WrongTrue,
            (Answer::False(_), Some(expected)) if expected.holds => Category::WrongFalse,
            (Answer::False(violated), Some(expected)) => match &expected.subproperty {
                Some(name) if name != violated.name() => Category::WrongFalse,
                _ => Category::CorrectFalse,
            },
        }
    }

    /// The points that the competition gives (as if every witness was confirmed).
    pub(crate) fn score(self) -> i64 {
        match self {
            Category::CorrectTrue => 2,
            Category::CorrectFalse => 1,
            Category::WrongTrue => -32,
            Category::WrongFalse => -16,
            Category::Unknown | Category::Unrated => 0,
        }
    }

    /// The name in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Category::CorrectTrue => "correct true",
            Category::CorrectFalse => "correct false",
            Category::WrongTrue => "wrong true",
            Category::WrongFalse => "wrong false",
            Category::Unknown => "unknown",
            Category::Unrated => "not rated",
        }
    }

    /// Whether the answer is one that must never be given.
    pub(crate) fn is_wrong(self) -> bool {
        matches!(self, Category::WrongTrue | Category::WrongFalse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_they_are_written() {
        for violated in Violated::ALL {
            let answer = Answer::False(violated);
            assert_eq!(answer.to_string().parse(), Ok(answer));
        }
        assert_eq!("true".parse(), Ok(Answer::True));
        assert_eq!("unknown".parse(), Ok(Answer::Unknown));
        for text in ["", "false", "false(termination)", "TRUE"] {
            assert_eq!(text.parse::<Answer>(), Err(()), "{text}");
        }
    }

    #[test]
    fn what_answers_are_worth() {
        let holds = Expected { holds: true, subproperty: None };
        let any = Expected { holds: false, subproperty: None };
        let free = Expected { holds: false, subproperty: Some("valid-free".to_owned()) };
        let answer = |text: &str| text.parse::<Answer>().unwrap();
        for (text, expected, score) in [
            ("true", Some(&holds), 2),
            ("true", Some(&any), -32),
            ("false(no-data-race)", Some(&holds), -16),
            ("false(no-data-race)", Some(&any), 1),
            ("false(valid-free)", Some(&free), 1),
            ("false(valid-deref)", Some(&free), -16),
            ("unknown", Some(&any), 0),
            ("true", None, 0),
        ] {
            assert_eq!(Category::of(answer(text), expected).score(), score, "{text}, {expected:?}");
        }
    }
}
