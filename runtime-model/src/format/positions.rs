//! Which value a directive is for: the next one, or that at a position (`%2$d`).
//!
//! In a format with positions all values are taken before anything is written, in their order and with the types that
//! the directives give them: without its type nobody knows how far the next value is.
use super::source::{Source, Value, Want};
use super::spec::{Amount, Spec};
use interp::hooks::{Call, ModelError};
use std::collections::BTreeMap;

/// The values of a format.
pub(super) struct Values<'a> {
    source: &'a mut Source,
    /// If it has positions: the values in their order.
    known: Option<Vec<Value>>,
}

impl<'a> Values<'a> {
    /// Of a format.
    pub(super) fn new(call: &mut dyn Call, pattern: &[u8], source: &'a mut Source) -> Result<Self, ModelError> {
        let known = match positions(call, pattern)? {
            None => None,
            Some(wants) => {
                Some(wants.into_iter().map(|want| source.next(call, want)).collect::<Result<_, ModelError>>()?)
            }
        };
        Ok(Values { source, known })
    }

    /// The value at a position, or the next one.
    pub(super) fn take(
        &mut self,
        call: &mut dyn Call,
        position: Option<usize>,
        want: Want,
    ) -> Result<Value, ModelError> {
        match (position, &self.known) {
            (Some(position), Some(known)) => Ok(known[position - 1]),
            _ => self.source.next(call, want),
        }
    }
}

/// The types of the values, if the format has positions.
fn positions(call: &dyn Call, pattern: &[u8]) -> Result<Option<Vec<Want>>, ModelError> {
    let unknown = |what: &str| ModelError::Unknown(format!("a format {what} is not modelled"));
    let (mut wants, mut others) = (BTreeMap::new(), false);
    let mut rest = pattern;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        // What is wrong with a directive is said when it is its turn, unless there are positions.
        let Ok((spec, len)) = Spec::parse(&rest[at + 1..]) else { break };
        rest = &rest[at + 1 + len..];
        for amount in [spec.width, spec.precision] {
            match amount {
                Amount::Position(position) => note(&mut wants, position, Want::Integer(4))?,
                Amount::Argument => others = true,
                Amount::None | Amount::Number(_) => {}
            }
        }
        match (spec.position, spec.want(call.pointer_bytes())) {
            (Some(position), Some(want)) => note(&mut wants, position, want)?,
            (None, Some(_)) => others = true,
            (Some(_), None) => return Err(unknown("with a position of no value")),
            (None, None) => {}
        }
    }
    match wants.last_key_value() {
        None => Ok(None),
        Some(_) if others => Err(unknown("with and without positions of its values")),
        Some((last, _)) if *last != wants.len() => Err(unknown("that leaves out positions of values")),
        Some(_) => Ok(Some(wants.into_values().collect())),
    }
}

/// The value at a position has that type.
fn note(wants: &mut BTreeMap<usize, Want>, position: usize, want: Want) -> Result<(), ModelError> {
    match wants.insert(position, want) {
        Some(other) if other != want => {
            Err(ModelError::Unknown(format!("a format in which value {position} has two types is not modelled")))
        }
        _ => Ok(()),
    }
}
