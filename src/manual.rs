//! `verify man` and `verify completions`: written from the same description as the help.
use crate::cli::low::Arguments;
use crate::request::UsageError;
use clap::CommandFactory;
use clap_complete::Shell;

/// The manual page of the program, or of one of its commands.
pub(crate) fn page(command: Option<&str>) -> Result<String, UsageError> {
    let mut whole = Arguments::command();
    whole.build();
    let described = match command {
        None => whole,
        Some(name) => match whole.find_subcommand(name) {
            Some(found) => found.clone(),
            None => return Err(no_page(name, &whole)),
        },
    };
    let mut out = Vec::new();
    clap_mangen::Man::new(described).render(&mut out).expect("memory takes all");
    Ok(String::from_utf8(out).expect("a manual page is text"))
}

fn no_page(name: &str, whole: &clap::Command) -> UsageError {
    let all: Vec<&str> = whole.get_subcommands().map(clap::Command::get_name).collect();
    UsageError {
        message: format!("there is no command `{name}`"),
        hint: format!("`verify man` is about all; there are pages for {}", all.join(", ")),
    }
}

/// What makes a shell complete commands, options and their values.
pub(crate) fn completions(shell: Shell) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "verify", &mut out);
    String::from_utf8(out).expect("scripts are text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_that_has_a_page() {
        for (command, name) in [(None, "verify"), (Some("check"), "verify-check"), (Some("svcomp"), "verify-svcomp")] {
            let page = page(command).expect(name);
            assert!(page.contains(&format!(".TH {name} 1 ")), "{page}");
        }
    }
}
