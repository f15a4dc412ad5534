//! Wrong use and wrong nets: a line that says what is wrong, one that says what to do, and exit code 2.
use super::make;
use crate::run::{Done, Files, RACE};

#[track_caller]
fn refused(done: &Done, message: &str, hint: &str) {
    assert_eq!(done.code, Some(2), "{done:?}");
    assert_eq!(done.out, "", "{done:?}");
    let lines: Vec<&str> = done.err.lines().collect();
    assert_eq!(lines.len(), 2, "{done:?}");
    assert!(lines[0].starts_with("error: ") && lines[0].contains(message), "`{message}` in {}", lines[0]);
    assert!(lines[1].starts_with("hint: ") && lines[1].contains(hint), "`{hint}` in {}", lines[1]);
}

#[test]
fn usage() {
    let files = Files::new(&[("a.ll_net", &make::round())]);
    for (arguments, word) in [
        ("", "NET"),
        ("a.ll_net a.ll_net", "unexpected"),
        ("a.ll_net --order size", "--order"),
        ("a.ll_net --encoding none", "--encoding"),
        ("a.ll_net --max-events 0", "--max-events"),
        ("a.ll_net --max-events many", "--max-events"),
        ("a.ll_net --time-limit soon", "30s"),
        ("a.ll_net --memory-limit much", "200M"),
        ("a.ll_net --format sarif", "prefix-json"),
        ("a.ll_net --report dot", "FORMAT=FILE"),
        ("a.ll_net --report dot=", "FORMAT=FILE"),
        ("a.ll_net --report html=x", "text, json, dot, prefix, prefix-json"),
        ("a.ll_net --engine naive", "--engine"),
    ] {
        let done = files.run(&format!("unfold {arguments}"));
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments}: {done:?}");
        assert!(done.err.starts_with("error: ") && done.err.contains(word), "{arguments}: {done:?}");
    }
}

#[test]
fn files_that_are_no_nets() {
    let malformed = make::round().replace("1>2", "1>20");
    let files = Files::new(&[
        ("program.c", RACE),
        ("empty.ll_net", ""),
        ("blank.ll_net", "\n"),
        ("malformed.ll_net", &malformed),
        ("garbage.ll_net", "\u{0}\u{1}garbage"),
        ("garbage", "\u{0}\u{1}garbage"),
        ("malformed.pnml", &make::ROUND_PNML.replace("source=\"p4\"", "source=\"p5\"")),
        ("malformed.xml", "<pnml>\n<net"),
    ]);
    std::fs::create_dir(files.path("directory.ll_net")).unwrap();
    let line = 1 + malformed.lines().position(|line| line == "1>20").expect("the arc is there");
    for (file, message, hint) in [
        ("missing.ll_net", "missing.ll_net: no such file", ".ll_net"),
        ("directory.ll_net", "directory.ll_net: is a directory", ".ll_net"),
        ("empty.ll_net", "empty.ll_net: is empty", ".ll_net"),
        ("blank.ll_net", "blank.ll_net: is empty", ".ll_net"),
        ("malformed.ll_net", &format!("malformed.ll_net:{line}: there is no transition 20"), "docs/nets.md"),
        ("garbage.ll_net", "garbage.ll_net:1: ", "docs/nets.md"),
        ("garbage", "garbage: neither", ".ll_net"),
        ("malformed.pnml", "malformed.pnml:12: ", "docs/nets.md"),
        ("malformed.xml", "malformed.xml:2: ", "docs/nets.md"),
        ("program.c", "program.c: neither", "`verify program.c`"),
    ] {
        refused(&files.run(&format!("unfold {file}")), message, hint);
    }
}

#[test]
fn transitions_that_are_not_there() {
    let net =
        make::ll_net("p", &["lock1: p () q", "lock2: q () p", "unlock: q () p", "twice: p () q", "twice: q () p"]);
    let files = Files::new(&[("a.ll_net", &net)]);
    for (name, message, hint) in [
        ("lock3", "there is no transition lock3", "did you mean lock1 or lock2?"),
        ("unlok", "there is no transition unlok", "did you mean unlock?"),
        ("something", "there is no transition something", "in the file"),
        ("twice", "there are 2 transitions twice", "different names"),
    ] {
        refused(&files.run(&format!("unfold a.ll_net --stop-at {name}")), message, hint);
    }
}

/// In each encoding the place is that of the file, and the run fires there; its last transition puts the second token.
#[test]
fn nets_that_are_not_safe() {
    let net = make::ll_net("p x z", &["a: p () q r", "look: x (q) y", "gaze: z (q) w", "b: q () r s", "peek: r (s) u"]);
    let files = Files::new(&[("a.ll_net", &net)]);
    for encoding in ["contextual", "loops", "replication"] {
        let done = files.run(&format!("unfold a.ll_net --encoding {encoding}"));
        refused(&done, "a.ll_net: is not 1-safe: place r can get a second token", "this run puts it there: a b");
    }
    // Later than what is looked for, or not at all: what is reached is reached.
    assert_eq!(files.run("unfold a.ll_net --stop-at a").code, Some(1));
}

#[test]
fn files_that_cannot_be_written() {
    let files = Files::new(&[("a.ll_net", &make::round())]);
    let done = files.run("unfold a.ll_net --report dot=nowhere/a.dot");
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.starts_with("error: nowhere/a.dot: cannot be written: "), "{done:?}");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let done = crate::run::done(files.command("unfold a.ll_net --format dot").stdout(full).output().unwrap());
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.starts_with("error: cannot write the result: "), "{done:?}");
}
