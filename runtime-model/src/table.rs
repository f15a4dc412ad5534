//! How the files of this crate write down what they model.
use interp::hooks::{Model, Registered, TermUse};

/// A group of functions that is documented together.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    name: &'static str,
    takes: TermUse,
}

impl Family {
    /// The group of that name.
    pub(crate) const fn of(name: &'static str) -> Family {
        Family { name, takes: TermUse::Nothing }
    }

    /// The same, of models for data that depends on inputs as well, see [`interp::hooks::Data`].
    pub(crate) const fn on_data(name: &'static str) -> Family {
        Family { name, takes: TermUse::Data }
    }

    /// A model with nothing to say beyond the manual page.
    pub(crate) const fn plain(self, name: &'static str, model: Model) -> Registered {
        self.noted(name, "", model)
    }

    /// A model with a remark for the user.
    pub(crate) const fn noted(self, name: &'static str, note: &'static str, model: Model) -> Registered {
        Registered {
            name,
            family: self.name,
            note,
            model,
            overrides_definition: false,
            allocates: false,
            block: None,
            passing: None,
            prints: None,
            takes: self.takes,
            refused: false,
        }
    }

    /// A model that is used even where the program defines the function.
    pub(crate) const fn overriding(self, name: &'static str, note: &'static str, model: Model) -> Registered {
        Registered {
            name,
            family: self.name,
            note,
            model,
            overrides_definition: true,
            allocates: false,
            block: None,
            passing: None,
            prints: None,
            takes: self.takes,
            refused: false,
        }
    }
}
