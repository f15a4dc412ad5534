//! Lets passes touch functions that were compiled at -O0.
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Module;

/// Removes the attribute by which clang -O0 keeps passes off (inputs that our own clang did not make still have it).
pub(super) fn remove(module: &Module<'_>) {
    let optnone = Attribute::get_named_enum_kind_id("optnone");
    for function in module.get_functions() {
        function.remove_enum_attribute(AttributeLoc::Function, optnone);
    }
}
