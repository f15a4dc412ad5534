//! How the files of this crate write down what they model.
use interp::hooks::{Model, Registered, TermUse};

/// A group of functions that is documented together.
#[derive(Clone, Copy)]
pub(crate) struct Family(pub(crate) &'static str);

impl Family {
    /// A model with nothing to say beyond the manual page.
    pub(crate) const fn plain(self, name: &'static str, model: Model) -> Registered {
        self.noted(name, "", model)
    }

    /// A model with a remark for the user.
    pub(crate) const fn noted(self, name: &'static str, note: &'static str, model: Model) -> Registered {
        Registered {
            name,
            family: self.0,
            note,
            model,
            overrides_definition: false,
            allocates: false,
            block: None,
            passing: None,
            takes: TermUse::Nothing,
        }
    }

    /// A model that is used even where the program defines the function.
    pub(crate) const fn overriding(self, name: &'static str, note: &'static str, model: Model) -> Registered {
        Registered {
            name,
            family: self.0,
            note,
            model,
            overrides_definition: true,
            allocates: false,
            block: None,
            passing: None,
            takes: TermUse::Nothing,
        }
    }
}
