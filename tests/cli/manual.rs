//! `verify man` and `verify completions`.
use crate::run::{Files, command, done};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn printed(arguments: &str) -> String {
    let done = Files::new(&[]).run(arguments);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{arguments}");
    done.out
}

#[test]
fn the_page_has_its_sections() {
    let page = printed("man");
    assert!(page.contains(".TH verify 1 "), "{page}");
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SUBCOMMANDS", "EXTRA"] {
        assert!(page.contains(&format!(".SH {section}")), "{section}: {page}");
    }
    // Minus signs, not hyphens: people search for options and copy them.
    assert!(page.contains(r"\-\-keep\-going") && page.contains(r"\-\-memory\-limit"), "{page}");
    assert!(page.lines().all(|line| !line.starts_with('.') || line.chars().nth(1).is_some_and(|c| c.is_alphabetic())));
    let none = Files::new(&[]).run("man data-race");
    assert!(none.code == Some(2) && none.err.contains("svcomp"), "{none:?}");
    assert!(printed("man svcomp").contains(r"\-\-property"));
    assert!(printed("man unfold").contains(r"\-\-contexts\-from\-loops"));
}

#[test]
fn scripts_for_every_shell() {
    for (shell, word) in [
        ("bash", "complete "),
        ("zsh", "#compdef verify"),
        ("fish", "complete -c verify"),
        ("elvish", "edit:completion"),
    ] {
        assert!(printed(&format!("completions {shell}")).contains(word), "{shell}");
    }
    let wrong = done(command(Path::new("/")).args(["completions", "tcsh"]).output().expect("verify starts"));
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("bash"), "{wrong:?}");
}

#[test]
fn bash_completes() {
    // What bash does at a press of the tab key: the last word, and the function that offers the rest of it.
    for (words, cursor, offers) in [
        ("verify --form", 1, "--format"),
        ("verify --format te", 2, "text"),
        ("verify expl", 1, "explain"),
        ("verify explain dead", 2, "deadlock"),
        ("verify svcomp --prop", 2, "--property"),
        ("verify unfold --order mc", 3, "mcmillan"),
    ] {
        let mut script = printed("completions bash");
        let (before, last) = words.rsplit_once(' ').expect("two words");
        let previous = before.rsplit(' ').next().expect("one word");
        script += &format!("\nCOMP_WORDS=({words}); COMP_CWORD={cursor}\n");
        script += &format!("_verify verify '{last}' '{previous}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"\n");
        let mut bash = Command::new("bash");
        bash.args(["-e", "-s"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = bash.spawn().expect("bash");
        running.stdin.take().expect("it is piped").write_all(script.as_bytes()).expect("bash reads");
        let done = done(running.wait_with_output().expect("bash ends"));
        assert_eq!(done.out.lines().collect::<Vec<_>>(), [offers], "{words}: {done:?}");
    }
}
