//! `verify init`: what it writes, and that it can be checked at once.
use crate::run::Files;
use std::fs;

#[test]
fn what_is_written_is_safe_as_it_is() {
    let files = Files::new(&[]);
    files.write("src/queue.c", "#include \"queue.h\"\nint put(int x) { return x; }\n");
    files.write("src/queue.h", "int put(int);\n");
    let done = files.run("init src/queue.c src/queue.h");
    assert_eq!(done.code, Some(0), "{done:?}");
    for path in ["verify.toml", "verify/harness.c", ".github/workflows/verify.yml"] {
        assert!(done.out.contains(&format!("{path} was written\n")), "{done:?}");
    }
    let harness = fs::read_to_string(files.path("verify/harness.c")).unwrap();
    assert!(harness.contains("#include \"../src/queue.h\"\n"), "{harness}");
    let tested = files.run("test");
    assert!(tested.code == Some(0) && tested.out.contains("1 passed"), "{tested:?}");
    // A second time nothing is lost.
    let own = harness.replace("return arg;", "return (void *)(long)put(1);");
    files.write("verify/harness.c", &own);
    let again = files.run("init --ci none src/queue.c");
    assert!(again.code == Some(0) && again.out.contains("verify/harness.c is there already"), "{again:?}");
    assert_eq!(fs::read_to_string(files.path("verify/harness.c")).unwrap(), own);
    assert_eq!(files.run("test").code, Some(0));
}

#[test]
fn what_is_wrong_is_said() {
    let files = Files::new(&[]);
    for wrong in ["init none.c", "init /etc/passwd", "init ../a.c"] {
        let done = files.run(wrong);
        assert!(done.code == Some(2) && done.err.contains("no such file below"), "{done:?}");
    }
    let gitlab = files.run("init --ci gitlab");
    assert!(gitlab.code == Some(0) && files.path(".gitlab-ci.yml").exists(), "{gitlab:?}");
}
