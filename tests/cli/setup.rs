//! `scripts/setup` on machines that lack Rust: what it installs, and how. The programs that install are fakes.
use crate::run::{Done, Files, done};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// What a machine without Rust has.
const PROGRAMS: [&str; 14] =
    ["bash", "sh", "sed", "uname", "id", "mktemp", "rm", "tail", "dirname", "env", "mkdir", "chmod", "cat", "touch"];

/// A machine on which these scripts are programs, besides the usual ones and compilers. What they do is in `log`.
fn machine(scripts: &[(&str, &str)]) -> Files {
    let files = Files::new(&[]);
    let programs = files.path("bin");
    std::fs::create_dir_all(&programs).expect("a directory");
    for program in PROGRAMS {
        let real = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(program));
        let real = real.iter().find(|path| path.exists()).unwrap_or_else(|| panic!("{program} is missing"));
        symlink(real, programs.join(program)).expect("a link");
    }
    let compilers = ["gcc", "g++", "clang-19"].map(|name| (name, "exit 0"));
    for (name, script) in scripts.iter().chain(&compilers) {
        let path = programs.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("it can be executed");
    }
    files
}

fn setup(machine: &Files, arguments: &[&str]) -> Done {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/setup");
    let mut command = Command::new("bash");
    command.arg(script).args(arguments).stdin(Stdio::null());
    command.env_clear().env("PATH", machine.path("bin")).env("HOME", machine.path("home"));
    command.env("LOG", machine.path("log"));
    done(command.output().expect("bash starts"))
}

fn log(machine: &Files) -> String {
    std::fs::read_to_string(machine.path("log")).unwrap_or_default()
}

/// apt installs everything, or has no rustup.
const APT: &str = r#"echo "apt-get $*" >>"$LOG""#;
const APT_WITHOUT_RUSTUP: &str = r#"echo "apt-get $*" >>"$LOG"; case "$*" in *rustup*) exit 100;; esac"#;
const RUSTUP: &str = r#"echo "rustup $*" >>"$LOG""#;
/// The official installer is a script that is piped into a shell.
const CURL: &str = r#"echo "curl $*" >>"$LOG"; echo 'echo "installer $*" >>"$LOG"'"#;

const VERSION: &str = "1.95.0";

#[test]
fn the_version_is_the_pinned_one() {
    let pinned = include_str!("../../rust-toolchain.toml");
    assert!(pinned.contains(&format!("channel = \"{VERSION}\"")), "{pinned}");
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    assert!(VERSION.starts_with(oldest), "Cargo.toml says {oldest}");
}

#[test]
fn rustup_is_used_where_it_is() {
    let machine = machine(&[("apt-get", APT), ("rustup", RUSTUP)]);
    let done = setup(&machine, &[]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        log(&machine).contains(&format!("rustup toolchain install {VERSION} --profile minimal")),
        "{}",
        log(&machine)
    );
}

#[test]
fn the_official_installer_is_asked_for() {
    let machine = machine(&[("apt-get", APT_WITHOUT_RUSTUP), ("curl", CURL), ("sudo", r#"exec "$@""#)]);
    let done = setup(&machine, &[]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("scripts/setup --yes"), "{done:?}");
    assert!(!log(&machine).contains("curl"), "{}", log(&machine));

    let done = setup(&machine, &["--yes"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(log(&machine).contains("https://sh.rustup.rs"), "{}", log(&machine));
    let installed =
        format!("installer -y --quiet --profile minimal --component clippy,rustfmt --default-toolchain {VERSION}");
    assert!(log(&machine).contains(&installed), "{}", log(&machine));
}

#[test]
fn an_installation_that_fails_is_said() {
    let broken = machine(&[("apt-get", APT_WITHOUT_RUSTUP), ("curl", "exit 6"), ("sudo", r#"exec "$@""#)]);
    let done = setup(&broken, &["--yes"]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("could not install Rust"), "{done:?}");
    let failing = machine(&[("apt-get", APT), ("rustup", "exit 1")]);
    let done = setup(&failing, &[]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains(VERSION), "{done:?}");
}
