//! Tests of the header parser; they run as cases of the harness, which has no other place for unit tests.

use crate::header::{Case, Mark, Verdict, parse};
use std::path::Path;

/// Name and body of every test.
pub(crate) const TESTS: &[(&str, fn())] = &[
    ("reads_everything", reads_everything),
    ("revisions_override", revisions_override),
    ("refuses_mistakes", refuses_mistakes),
    ("parts_are_no_programs", parts_are_no_programs),
];

fn cases(text: &str) -> Result<Vec<Case>, String> {
    parse(Path::new("dir/p.c"), text)
}

fn reads_everything() {
    let text = "//@ verdict: unsafe(assertion)\n//@ executions: 6\n//@ source: 3!\n//@ args: --nondet 2\n\
                //@ cflags: -DN=1 -m32\n//@ also: q.c\n//@ orders: 3\n//@ native: run\n//@ naive: no\n\
                int main(void) { assert(0); } //~ assertion\n";
    let [case] = &cases(text).unwrap()[..] else { panic!("one case expected") };
    assert_eq!(case.verdict, Verdict::Unsafe("assertion".into()));
    assert_eq!((case.executions, case.pruned, case.orders), (Some(6), None, 3));
    assert_eq!(case.args, ["--nondet", "2"]);
    assert_eq!(case.cflags, ["-DN=1", "-m32"]);
    assert_eq!(case.also, [Path::new("dir/q.c")]);
    assert!(case.native && !case.naive);
    assert_eq!(case.marks, [Mark { line: 10, kind: "assertion".into() }]);
}

fn revisions_override() {
    let text = "//@ revisions: good bad\n//@ verdict: safe\n//@[bad] verdict: unsafe(deadlock)\n//@ cflags: -DA\n\
                //@[bad] cflags: -DB\nx //~[bad] deadlock\n";
    let [good, bad] = &cases(text).unwrap()[..] else { panic!("two cases expected") };
    assert_eq!((good.revision.as_str(), &good.verdict, good.marks.len()), ("good", &Verdict::Safe, 0));
    assert_eq!((bad.verdict.clone(), bad.marks.len()), (Verdict::Unsafe("deadlock".into()), 1));
    assert_eq!(good.cflags, ["-DA"]);
    assert_eq!(bad.cflags, ["-DA", "-DB"]);
}

fn refuses_mistakes() {
    let mistakes = [
        ("//@ verdict: safe\n//@ verdikt: safe", "unknown key"),
        ("//@ verdict: good", "no verdict"),
        ("//@ verdict: unsafe(bug)", "no kind"),
        ("//@ verdict: unsafe(memory)", "no line is marked"),
        ("//@ verdict: unsafe(memory)\nx //~ deadlock", "no line is marked"),
        ("//@ verdict: safe\nx //~ memory", "safe program has"),
        ("//@ verdict: safe\nx //~ oops", "no kind"),
        ("//@ verdict: unknown()", "needs a part"),
        ("//@ verdict: safe\n//@ executions: 3", "needs a `//@ source:`"),
        ("//@ verdict: safe\n//@ executions: three\n//@ source: x", "no number"),
        ("//@ verdict: safe\n//@ verdict: safe", "a second time"),
        ("//@ verdict: safe\n//@[a] args: -v", "no revision `a`"),
        ("//@ verdict: safe\n//@ native: yes", "only `run`"),
        ("//@ verdict: safe\n//@ args:", "no value"),
        ("//@ verdict safe", "expected"),
        ("int main(void) {}", "missing"),
    ];
    for (text, part) in mistakes {
        let error = cases(text).expect_err(text);
        assert!(error.contains(part), "{text:?}: {error}");
    }
}

fn parts_are_no_programs() {
    assert_eq!(cases("//@ part-of: main.c\nint f(void);\n"), Ok(vec![]));
}
