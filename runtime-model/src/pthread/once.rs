//! What happens once.
use crate::args::{Done, word};
use crate::table::Family;
use interp::hooks::{Call, ModelResult, Registered};
use interp::operation::Operation;

const FAMILY: Family = Family::of("once");

/// `pthread_once`.
pub(crate) const MODELS: &[Registered] =
    &[FAMILY.noted("pthread_once", "a thread that ends in the middle of the routine is unknown", once)];

/// Also `call_once`, whose result nobody sees.
pub(crate) fn once(call: &mut dyn Call) -> Done {
    let (control, routine) = (word(call, 0)?, word(call, 1)?);
    Ok(ModelResult::Operate(Operation::OnceBegin { control, routine }))
}
