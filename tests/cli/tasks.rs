//! The tasks of `testsuite/svcomp`, and tables of results.
use crate::run::{Done, Files, command, done};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testsuite/svcomp")
}

fn run(directory: &Path, arguments: &[&str]) -> Done {
    done(command(directory).arg("svcomp").args(arguments).output().expect("verify starts"))
}

/// The rows of a table: (task, property) → (category, the rest).
fn rows(table: &str) -> BTreeMap<(String, String), (String, String)> {
    let rows = table.lines().take_while(|line| !line.is_empty()).map(|line| {
        let mut cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        let mut next = || cells.next().unwrap_or_default().to_owned();
        let (task, property, _answer, category) = (next(), next(), next(), next());
        ((task, property), (category, cells.collect::<Vec<_>>().join(" ")))
    });
    rows.collect()
}

/// What is expected and not found out, with a word of the reason.
const UNDECIDED: &[(&str, &str, &str)] = &[
    ("overflow/division_by_zero", "no-overflow", "division by zero"),
    ("reach/arguments", "unreach-call", "arguments"),
    ("reach/for_ever", "termination", "not checked"),
    ("reach/time_passes", "unreach-call", "time"),
];

/// Every answer is the right one, or none for a good reason; and the tasks are many.
#[test]
fn all_tasks() {
    let done = run(&root(), &["--jobs", "2", "--time-limit", "60s", "."]);
    assert_eq!(done.code, Some(0), "{}", done.out);
    let rows = rows(&done.out);
    assert!(rows.len() >= 100, "{}", done.out);
    for ((task, property), (category, rest)) in &rows {
        let name = task.trim_start_matches("./").trim_end_matches(".yml");
        match UNDECIDED.iter().find(|(task, of, _)| *task == name && of == property) {
            Some((_, _, word)) => {
                assert_eq!(category, "unknown", "{task} {property} is decided; it can leave the list");
                assert!(rest.contains(word), "{task} {property}: {rest}");
            }
            None => assert!(category.starts_with("correct "), "{task} {property}: {category} {rest}"),
        }
    }
    for (name, property, _) in UNDECIDED {
        assert!(rows.contains_key(&(format!("./{name}.yml"), (*property).to_owned())), "{name} {property}");
    }
}

#[test]
fn a_task_definition() {
    let done = run(&root(), &["race/plain_flag.yml"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let found: Vec<_> =
        rows(&done.out).into_iter().map(|((_, property), (category, _))| (property, category)).collect();
    let row = |property: &str, category: &str| (property.to_owned(), category.to_owned());
    assert_eq!(found, [row("no-data-race", "correct false"), row("unreach-call", "correct true")]);
    assert!(done.out.ends_with("score               3 of 3\n"), "{done:?}");
    assert_eq!(done.err.lines().count(), 2, "one line for each as it comes: {done:?}");
    let one = run(&root(), &["--property", "properties/no-data-race.prp", "race/plain_flag.yml"]);
    assert_eq!(rows(&one.out).len(), 1, "{one:?}");
}

const RACY: &str = "#include <pthread.h>\nint x;\nvoid *f(void *p) { x = 1; return p; }\n\
                    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); }\n";
const NO_DATA_RACE: &str = "CHECK( init(main()), LTL(G ! data-race) )\n";

fn definition(expected: &str) -> String {
    format!("format_version: '2.0'\ninput_files: a.c\nproperties: [{{property_file: p.prp{expected}}}]\n")
}

/// A wrong expectation shows what a wrong answer would look like.
#[test]
fn wrong_answers_are_counted_and_change_the_exit_code() {
    let (holds, unrated) = (definition(", expected_verdict: true"), definition(""));
    let other =
        "format_version: '2.0'\ninput_files: b.c\nproperties: [{property_file: p.prp, expected_verdict: false}]\n";
    let files = Files::new(&[
        ("a.c", RACY),
        ("b.c", "int main(void) { return 0; }\n"),
        ("p.prp", NO_DATA_RACE),
        ("holds.yml", &holds),
        ("fails.yml", other),
        ("unrated.yml", &unrated),
        ("other.yml", "something: else\n"),
    ]);
    let done = files.run("svcomp .");
    assert_eq!(done.code, Some(1), "{done:?}");
    let rows = rows(&done.out);
    let category = |task: &str| rows[&(format!("./{task}.yml"), "no-data-race".to_owned())].0.as_str();
    assert_eq!(category("holds"), "wrong false");
    assert_eq!(category("fails"), "wrong true");
    assert_eq!(category("unrated"), "not rated");
    assert!(done.out.ends_with("score             -48 of 3\n"), "{done:?}");
    assert!(done.err.contains("other.yml: is no task definition"), "{done:?}");
}

#[test]
fn a_second_run_goes_on_where_the_first_one_ended() {
    let right = definition(", expected_verdict: false");
    let files = Files::new(&[("a.c", RACY), ("p.prp", NO_DATA_RACE), ("a.yml", &right), ("b.yml", &right)]);
    let first = files.run("svcomp --results r.jsonl a.yml");
    assert_eq!((first.code, first.err.lines().count()), (Some(0), 1), "{first:?}");
    // What a run that was ended in the middle of a line leaves.
    let kept = std::fs::read_to_string(files.path("r.jsonl")).unwrap();
    std::fs::write(files.path("r.jsonl"), format!("{kept}{{\"task\": \"b.y")).unwrap();
    let second = files.run("svcomp --results r.jsonl a.yml b.yml");
    assert_eq!(rows(&second.out).len(), 2, "{second:?}");
    assert_eq!(second.err.lines().count(), 1, "only the one that is missing: {second:?}");
    let third = files.run("svcomp --results r.jsonl a.yml b.yml");
    assert_eq!((third.out, third.err.as_str()), (second.out, ""));
    std::fs::write(files.path("r.jsonl"), "nonsense\n").unwrap();
    let broken = files.run("svcomp --results r.jsonl a.yml");
    assert_eq!(broken.code, Some(2), "{broken:?}");
    assert!(broken.err.contains("r.jsonl:1"), "{broken:?}");
}

#[test]
fn witnesses_of_tasks_have_a_directory_each() {
    let right = definition(", expected_verdict: false");
    let files = Files::new(&[("a.c", RACY), ("p.prp", NO_DATA_RACE), ("a.yml", &right)]);
    files.run("svcomp a.yml");
    assert!(!files.path("witness.yml").exists());
    files.run("svcomp --witness-dir w a.yml");
    assert!(files.path("w/a.no-data-race/witness.yml").exists());
    assert!(files.path("w/a.no-data-race/witness.graphml").exists());
}
