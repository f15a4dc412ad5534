//! The deliberate faults of `testsuite/mutations/` still fit the sources (`scripts/mutate` runs the oracles on them).
use std::path::Path;

#[test]
fn every_fault_has_one_place() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(top.join("testsuite/mutations")).expect("there are faults");
    let mut count = 0;
    for entry in entries {
        let path = entry.expect("it can be listed").path();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let parts = text.split_once("--- old\n").and_then(|(head, rest)| Some((head, rest.split_once("\n--- new\n")?)));
        let Some((head, (old, new))) = parts else { panic!("{}: no old and new text", path.display()) };
        let field = |name: &str| {
            let found = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            found.unwrap_or_else(|| panic!("{}: no line `{name}: …`", path.display()))
        };
        let known = |oracle| {
            let por = [
                "abstract",
                "flags",
                "writes",
                "larger",
                "loops",
                "circles",
                "locking",
                "decisions",
                "deciding",
                "jobs",
                "nets",
            ];
            let whole = [
                "translated",
                "c",
                "blocks",
                "mappings",
                "recomputed",
                "alike",
                "sections",
                "spins",
                "polls",
                "rounds",
                "joins",
                "symbolic",
                "texts",
                "sequential",
                "suite",
                "cases",
                "waits",
                "overwritten",
                "turns",
                "lost",
                "commands",
                "exchanged",
                "ends",
                "families",
            ];
            por.contains(&oracle) || whole.contains(&oracle)
        };
        assert!(!field("Breaks").is_empty() && field("Oracles").split(' ').all(known), "{}", path.display());
        let source = std::fs::read_to_string(top.join(field("File"))).expect("the source exists");
        assert_eq!(source.matches(old).count(), 1, "{}: its old text must occur once", path.display());
        assert_ne!(old, new.trim_end_matches('\n'), "{} changes nothing", path.display());
        count += 1;
    }
    assert!(count >= 10, "only {count} faults");
}
