//! Questions about the markings of a net.
use super::make;
use crate::machines::{closed_schema, conforms};
use crate::run::{Done, Files, command, done};
use serde_json::{Value, json};
use std::path::Path;

/// In the directory of examples.
fn example(arguments: &[&str]) -> Done {
    let mut command = command(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/nets"));
    done(command.arg("unfold").args(arguments).output().expect("verify starts"))
}

/// The lines about questions, and the exit code.
fn answers(arguments: &[&str]) -> (Vec<String>, Option<i32>) {
    let done = example(arguments);
    assert_eq!(done.err, "", "{done:?}");
    let counts = ["complete", "net", "prefix", "0.", "reached", "run", "stopped", "hint"];
    let lines = done.out.lines().filter(|line| !counts.iter().any(|start| line.starts_with(start)));
    (lines.map(str::to_owned).collect(), done.code)
}

/// By hand: the philosophers of the example take both forks with two transitions, the left one first, so all may have
/// their left one. No two neighbours eat, and of three each two are neighbours.
#[test]
fn philosophers() {
    let (lines, code) = answers(&["philosophers.ll_net", "--deadlock"]);
    assert_eq!(code, Some(1));
    let [line] = &lines[..] else { panic!("{lines:?}") };
    let mut run: Vec<&str> = line.strip_prefix("deadlock: yes, after ").expect("a run").split(' ').collect();
    run.sort_unstable();
    assert_eq!(run, ["left1", "left2", "left3"]);
    let none = answers(&["philosophers.ll_net", "--cover", "eats1,eats2", "--reach", "eats1"]);
    assert_eq!(none, (vec!["cover eats1, eats2: no".to_owned(), "reach eats1: no".to_owned()], Some(0)));
    let initial = "fork1,fork2,fork3, thinks1,thinks2,thinks3";
    let (lines, code) = answers(&["philosophers.ll_net", "--cover", "eats2", "--reach", initial, "--reach", ""]);
    let cover = "cover eats2: yes, after left2 right2";
    let reach = "reach fork1, fork2, fork3, thinks1, thinks2, thinks3: yes, at the beginning";
    assert_eq!((lines, code), (vec![cover.to_owned(), reach.to_owned(), "reach: no".to_owned()], Some(1)));
    assert_eq!(answers(&["philosophers.ll_net", "-q", "--deadlock"]).0, ["deadlock: yes"]);
}

/// A place that has copies is meant as a whole.
#[test]
fn encodings_answer_alike() {
    for encoding in ["contextual", "loops", "replication"] {
        let (lines, code) = answers(&["readers.ll_net", "--encoding", encoding, "-q", "--deadlock", "--cover", "new"]);
        assert_eq!(
            (lines, code),
            (vec!["deadlock: yes".to_owned(), "cover new: yes".to_owned()], Some(1)),
            "{encoding}"
        );
        let (lines, code) = answers(&["readers.ll_net", "--encoding", encoding, "-q", "--cover", "old,new"]);
        assert_eq!((lines, code), (vec!["cover old, new: no".to_owned()], Some(0)), "{encoding}");
    }
}

#[test]
fn as_json() {
    let schema = closed_schema(include_str!("../../../docs/schema/unfold-1.schema.json"));
    let done = example(&["philosophers.ll_net", "--format", "json", "--cover", "eats1", "--reach", "eats1"]);
    assert_eq!(done.code, Some(1));
    let object: Value = serde_json::from_str(&done.out).expect("JSON");
    conforms(&schema, &object);
    let expected = json!([
        {"question": "cover", "places": ["eats1"], "answer": "yes", "run": ["left1", "right1"]},
        {"question": "reach", "places": ["eats1"], "answer": "no", "run": null},
    ]);
    assert_eq!(object["answers"], expected);
    let words = example(&["philosophers.ll_net", "--format", "json", "--order", "erv-words"]);
    conforms(&schema, &serde_json::from_str(&words.out).expect("JSON"));
}

/// A place's first token has a short run, and a limit that no net reaches is none.
#[test]
fn short_runs() {
    let arguments = ["philosophers.ll_net", "-q", "--max-events", "18446744073709551615", "--cover", "waits3"];
    assert_eq!(answers(&arguments), (vec!["cover waits3: yes".to_owned()], Some(1)));
    let (lines, _) = answers(&["philosophers.ll_net", "--cover", "fork1", "--cover", "waits3"]);
    assert_eq!(lines, ["cover fork1: yes, at the beginning", "cover waits3: yes, after left3"]);
}

/// A prefix that is not complete knows what there is, not what there is not.
#[test]
fn a_limit_leaves_questions_open() {
    let (lines, code) =
        answers(&["philosophers.ll_net", "--max-events", "3", "--cover", "eats1,eats2", "--deadlock", "-q"]);
    assert_eq!(lines, ["deadlock: yes", "cover eats1, eats2: unknown"]);
    assert_eq!(code, Some(1));
    let (lines, code) = answers(&["philosophers.ll_net", "--max-events", "3", "--cover", "eats1,eats2", "-q"]);
    assert_eq!((lines, code), (vec!["cover eats1, eats2: unknown".to_owned()], Some(3)));
}

#[test]
fn places_that_do_not_exist() {
    let net = make::ll_net("p", &["t: p () q"]).replace("\"q\"", "\"q,r\"");
    let files = Files::new(&[("a.ll_net", &net)]);
    let run = |places: &str| done(files.command("unfold a.ll_net -q --cover").arg(places).output().expect("it starts"));
    assert!(run("q,r").out.ends_with("cover \"q,r\": yes\n"), "a name may have a comma: {:?}", run("q,r"));
    for (places, message) in [("x", "error: there is no place x\n"), ("p,", "error: there is no place \"\"\n")] {
        let done = run(places);
        assert!(done.code == Some(2) && done.err.starts_with(message), "{done:?}");
    }
    let words = files.run("unfold a.ll_net --order erv-words --deadlock");
    assert!(words.code == Some(2) && words.err.contains("ask with another --order"), "{words:?}");
    let words = files.run("unfold a.ll_net --order erv-words");
    assert!(words.code == Some(0) && words.out.contains("is not shown"), "{words:?}");
}
