//! Which standard of its language a file is compiled by, as far as it decides what a program means here.
//!
//! Debug information does not tell: clang writes C11 for C17 and C23, too, and C++14 for C++20. So the compiler's
//! arguments decide. For files that others have compiled, the standard is not known; then only rules count that hold in
//! all standards.
use crate::ir::ReleaseSequences;

/// What comes after `-std=` for C11, C17 and what is older, and for C++17 and what is older. (C99 and C++98 have no
/// atomics; those of the compiler are then like those of its next standard.)
const OLDER: [&str; 17] = [
    "c89",
    "c90",
    "iso9899:1990",
    "iso9899:199409",
    "c99",
    "c9x",
    "iso9899:1999",
    "iso9899:199x",
    "c11",
    "c1x",
    "iso9899:2011",
    "c17",
    "c18",
    "iso9899:2017",
    "iso9899:2018",
    "c++98",
    "c++03",
];
const OLDER_CXX: [&str; 6] = ["c++0x", "c++11", "c++1y", "c++14", "c++1z", "c++17"];

/// What a release sequence is in a file compiled with these arguments. Without one that says it, clang takes C17 or
/// C++17.
pub(super) fn release_sequences<'a>(arguments: impl IntoIterator<Item = &'a String>) -> ReleaseSequences {
    let is_older = |argument: &String| match argument.strip_prefix("--std=").or(argument.strip_prefix("-std=")) {
        Some(standard) => {
            let standard = standard.replacen("gnu", "c", 1);
            OLDER.contains(&&*standard) || OLDER_CXX.contains(&&*standard)
        }
        // More arguments may be in a file, or come in two parts.
        None => !argument.starts_with('@') && argument != "--std" && !argument.starts_with("--config"),
    };
    if arguments.into_iter().all(is_older) { ReleaseSequences::OwnStores } else { ReleaseSequences::Updates }
}

/// The definition of release sequences for a program, given the definition for each of its files.
pub(super) fn common(mut all: impl Iterator<Item = ReleaseSequences>) -> ReleaseSequences {
    let older = all.all(|one| one == ReleaseSequences::OwnStores);
    if older { ReleaseSequences::OwnStores } else { ReleaseSequences::Updates }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReleaseSequences::{OwnStores, Updates};

    fn told(arguments: &str) -> ReleaseSequences {
        let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
        release_sequences(&arguments)
    }

    #[test]
    fn the_standard_decides() {
        for older in ["", "-O1 -DX", "-std=c11", "-std=gnu17", "--std=gnu++17", "-ansi", "-std=iso9899:2011"] {
            assert_eq!(told(older), OwnStores, "{older}");
        }
        for newer in ["-std=c23", "-std=gnu2x", "-std=c++20", "-std=gnu++26", "-std=c11 -std=c23", "-std=x", "@file"] {
            assert_eq!(told(newer), Updates, "{newer}");
        }
    }

    #[test]
    fn what_is_linked_has_the_weaker_rule() {
        assert_eq!(common([OwnStores, OwnStores].into_iter()), OwnStores);
        assert_eq!(common([OwnStores, Updates].into_iter()), Updates);
    }
}
