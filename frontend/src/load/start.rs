//! The function that the program starts with: `main`, or another one for libraries that have none.
use crate::Error;
use inkwell::module::Module;
use inkwell::types::BasicMetadataTypeEnum;

/// Checks that there is such a function, and that its parameters can be provided. The parameters of `main` are not
/// checked: those beyond the usual ones are undefined.
pub(super) fn check(module: &Module<'_>, entry: &str) -> Result<(), Error> {
    if !super::llvm::defines(module, entry) {
        return Err(Error::NoEntry { entry: entry.into() });
    }
    // An alias has the type of what it stands for, which is looked at when it is called.
    let Some(function) = module.get_function(entry).filter(|_| entry != "main") else { return Ok(()) };
    let is_count = |parameter: &BasicMetadataTypeEnum<'_>| match parameter {
        BasicMetadataTypeEnum::IntType(integer) => integer.get_bit_width() == 32,
        _ => false,
    };
    let fits = match &function.get_type().get_param_types()[..] {
        [] => true,
        [count, rest @ ..] => {
            is_count(count) && matches!(rest.len(), 1 | 2) && rest.iter().all(|p| p.is_pointer_type())
        }
    };
    if fits { Ok(()) } else { Err(Error::EntryParameters { entry: entry.into() }) }
}
