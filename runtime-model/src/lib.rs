//! What the functions of the C library, of pthreads and of verifiers do.
//!
//! Each file models one group of functions and lists them in a table; [`registry`] puts the tables together. What is
//! not in a table is not modelled: reaching a call of it makes the verdict unknown. A model decodes its arguments and
//! either does its work through [`interp::hooks::Call`] or names the visible operation that the machine carries out.
//! [`CODE`] are further functions, written in C.
mod args;
mod atomics;
mod c11_threads;
mod code;
mod competition;
mod data;
mod document;
mod errno;
mod format;
mod libc;
mod process;
mod pthread;
mod sanitizer;
mod stubs;
mod table;
#[cfg(test)]
mod testing;
mod verifier;

pub use code::{CODE, Code, SCAN_ANYTHING};
pub use competition::{Forbidden, competition};
pub use document::markdown;
pub use stubs::{STUBS, StubFile};

use interp::hooks::{LibraryGlobal, Registered, Registry};
use std::sync::LazyLock;

/// The functions and variables of glibc 2.36 for x86-64 (libc.so.6, what programs are linked with) and some later ones
/// that are not modelled, but for names that begin with `_`: a weak declaration of one is not null there. (If it is a
/// later one, the frontend refuses its address.)
const GLIBC: &str = include_str!("glibc.txt");

/// All models.
pub fn registry() -> &'static Registry {
    static ALL: LazyLock<Registry> = LazyLock::new(|| registry_of(models().copied()));
    &ALL
}

/// A registry of these models, with all that goes with them.
fn registry_of(models: impl Iterator<Item = Registered>) -> Registry {
    let registry = Registry::new(models.collect()).with_globals(globals());
    registry.with_cancellation_points(pthread::cancel::POINTS).with_others(GLIBC.split_whitespace())
}

/// The entries of all tables.
fn models() -> impl Iterator<Item = &'static Registered> {
    let own: [&[Registered]; 9] = [
        atomics::MODELS,
        atomics::SIZED,
        c11_threads::MODELS,
        errno::MODELS,
        process::ASSERTIONS,
        process::MODELS,
        sanitizer::ARITHMETIC,
        sanitizer::MODELS,
        verifier::MODELS,
    ];
    own.into_iter().chain(pthread::MODELS.iter().copied()).chain(libc::MODELS.iter().copied()).flatten()
}

/// Variables of the library.
fn globals() -> Vec<LibraryGlobal> {
    let mut all = libc::globals();
    all.extend(pthread::specific::globals());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_has_a_family() {
        let registry = registry();
        assert!(registry.get("pthread_mutex_lock").is_some_and(|m| m.family == "mutexes"));
        assert!(registry.get("qsort_s").is_none());
        assert!(registry.entries().iter().all(|m| !m.family.is_empty()));
    }

    #[test]
    fn what_is_modelled_is_not_among_the_others() {
        let registry = registry();
        let names: Vec<&str> = GLIBC.split_whitespace().collect();
        assert!(names.is_sorted_by(|one, next| one < next));
        let modelled = |name: &&&str| {
            registry.get(name).is_some() || CODE.iter().any(|code| code.provides().any(|provided| provided == **name))
        };
        assert_eq!(names.iter().find(modelled), None, "is not to be in glibc.txt");
        assert!(registry.has("pthread_create") && registry.has("getcpu") && !registry.has("my_hook"));
    }

    /// Library code in C is a part of the program, whose calls are points only where it says so itself.
    #[test]
    fn every_cancellation_point_is_a_model() {
        let registry = registry();
        let names = pthread::cancel::POINTS.iter().flat_map(|(_, names)| *names);
        let without: Vec<_> = names.filter(|name| registry.get(name).is_none()).collect();
        assert!(without.is_empty(), "{without:?}");
    }
}
