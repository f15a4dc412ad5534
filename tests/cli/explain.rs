//! `verify explain`.
use crate::run::{DEADLOCK, Files, LOCKED};

#[test]
fn a_page_and_the_list() {
    let files = Files::new(&[]);
    let page = files.run("explain data-race");
    assert_eq!(page.code, Some(0), "{page:?}");
    assert!(page.out.starts_with("data-race: ") && page.out.contains("How to mend it"), "{page:?}");
    assert!(page.out.contains("    $ verify examples/kinds/data-race.c\n    bug: "), "{page:?}");
    assert!(!page.out.contains('\x1b'), "{page:?}");
    let list = files.run("explain");
    assert_eq!(list.code, Some(0), "{list:?}");
    for kind in interp::fault::Kind::ALL {
        assert!(list.out.contains(&format!("{}: ", kind.name())), "{list:?}");
    }
}

#[test]
fn a_kind_that_there_is_not() {
    let done = Files::new(&[]).run("explain race");
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("data-race") && done.err.contains("deadlock"), "{done:?}");
}

#[test]
fn reports_name_the_page_once() {
    let files = Files::new(&[("bug.c", DEADLOCK), ("safe.c", LOCKED)]);
    const HINT: &str = "hint: `verify explain deadlock` says what that means";
    assert_eq!(files.run("bug.c").out.matches(HINT).count(), 1);
    assert_eq!(files.run("--keep-going bug.c").out.matches(HINT).count(), 1);
    assert!(!files.run("--quiet bug.c").out.contains("explain"));
    assert!(!files.run("safe.c").out.contains("explain"));
}
