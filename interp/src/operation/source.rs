//! Where the values come from that the program does not compute.
use serde::{Deserialize, Serialize};

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Source {
    /// The function that is called says so: `__VERIFIER_nondet_…`.
    #[default]
    Call,
    /// The function of this number in the module, which is not defined, returns it: see [`crate::Externals`].
    External(u32),
    /// How many arguments of `main` there are besides those that are given.
    ArgumentCount,
    /// How many bytes this argument has.
    ArgumentLength(u32),
    /// A byte of an argument, which is not 0.
    ArgumentByte {
        /// Its index in `argv`.
        argument: u32,
        /// The index of the byte.
        at: u32,
    },
    /// Whether standard input has more bytes than these.
    MoreStdin(u32),
    /// The byte of that index of standard input.
    StdinByte(u32),
}

impl Source {
    /// What happens where this value comes, if the program does not ask for it by a call of a function that says so.
    pub fn tell(self, value: i128) -> Option<String> {
        let what = match self {
            Source::Call | Source::External(_) => return None,
            Source::ArgumentCount => "the number of open arguments".to_owned(),
            Source::ArgumentLength(argument) => format!("the length of argv[{argument}]"),
            Source::ArgumentByte { argument, at } => format!("argv[{argument}][{at}]"),
            Source::MoreStdin(at) if value == 0 => {
                return Some(format!("finds the end of standard input behind {at} bytes"));
            }
            Source::MoreStdin(at) => return Some(format!("finds standard input behind {at} bytes")),
            Source::StdinByte(at) => format!("byte {at} of standard input"),
        };
        Some(format!("reads {what}: {value}"))
    }
}
