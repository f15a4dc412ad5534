//! Bodies for common functions that are not modelled, for those who ask for them (`--stub NAME`): what a system does
//! that has nothing of the kind. One takes the place of models: that of the clocks. They are C sources, compiled with
//! the program; a "safe" names them.

/// A C file.
#[derive(Clone, Copy, Debug)]
pub struct StubFile {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Names of its functions, see [`StubFile::provides`].
    provides: &'static str,
}

impl StubFile {
    /// The functions that it defines.
    pub fn provides(&self) -> impl Iterator<Item = &'static str> {
        self.provides.split_whitespace()
    }
}

/// All of them.
pub const STUBS: &[StubFile] = &[
    StubFile {
        name: "clock",
        about: "all clocks stand still",
        text: include_str!("stubs/clock.c"),
        provides: "clock_gettime gettimeofday timespec_get time clock",
    },
    StubFile {
        name: "loading",
        about: "no library can be loaded at run time",
        text: include_str!("stubs/loading.c"),
        provides: "dlopen dlsym dlclose dlerror",
    },
    StubFile {
        name: "network",
        about: "no socket can be made",
        text: include_str!("stubs/network.c"),
        provides: "socket connect bind listen accept accept4 getsockopt setsockopt getsockname getpeername sendto recvfrom sendmsg \
                   recvmsg shutdown getaddrinfo freeaddrinfo gai_strerror",
    },
    StubFile {
        name: "processes",
        about: "no other process can be made",
        text: include_str!("stubs/processes.c"),
        provides: "fork vfork execv execve execvp posix_spawn posix_spawnp wait waitpid system popen pclose daemon",
    },
    StubFile {
        name: "random",
        about: "random bytes are a fixed sequence",
        text: include_str!("stubs/random.c"),
        provides: "getrandom getentropy arc4random arc4random_buf arc4random_uniform",
    },
    StubFile {
        name: "timers",
        about: "timers are set and do not go off",
        text: include_str!("stubs/timers.c"),
        provides: "alarm ualarm setitimer getitimer timer_create timer_settime timer_gettime timer_delete timer_getoverrun",
    },
    StubFile {
        name: "usage",
        about: "measurements of the process are zero",
        text: include_str!("stubs/usage.c"),
        provides: "getrusage times getloadavg",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_defines_what_it_says() {
        for stub in STUBS {
            for name in stub.provides() {
                let defined = |line: &str| line.contains(&format!("{name}(")) && !line.starts_with([' ', '/']);
                assert!(stub.text.lines().any(defined), "{name} in {}", stub.name);
                // Clocks are modelled; who asks for this stub wants others.
                let model = crate::registry().get(name).copied().filter(|_| stub.name != "clock");
                assert!(model.is_none_or(|model| model.refused), "{name} is modelled");
            }
        }
        assert!(STUBS.is_sorted_by_key(|stub| stub.name));
    }
}
