//! Certificates that one process has written, and another one checks: nothing in them is of the process. (The suite
//! writes and checks them in one.)
use crate::run::Files;

/// Programs of the suite whose threads stand, in some state, before each kind of operation that a library model goes on
/// behind.
const PROGRAMS: [&str; 7] = [
    "leak/specific_values.c -DDESTRUCTOR=release -DRESULT",
    "symbolic/standard_input.c --symbolic-stdin 3 -DIS_FIXED=1 -DCHARACTERS",
    "futex/mutex.c",
    "pthread/semaphore_alone.c",
    "pthread/keys.c",
    "programs/token_ring.c",
    "messages/posix_alone.c",
];

#[test]
fn another_process_accepts_what_one_has_written() {
    let files = Files::new(&[]);
    for program in PROGRAMS {
        let program = format!("{}/testsuite/{program}", env!("CARGO_MANIFEST_DIR"));
        let written = files.run(&format!("{program} --certify of.cert"));
        assert_eq!(written.code, Some(0), "{program}: {written:?}");
        assert!(written.out.contains("\ncertificate: of.cert ("), "{program}: {written:?}");
        let checked = files.run(&format!("certificate of.cert {program}"));
        assert_eq!(checked.code, Some(0), "{program}: {checked:?}");
    }
}
