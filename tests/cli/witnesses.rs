//! Witnesses are read again, and keep the rules of their formats.
use crate::run::{Files, LOCKED, command, done};
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Two threads that are created in lines 8 and 9; the one of line 9 may see what the other one wrote in line 4.
const PROGRAM: &str = r#"# 1 "/elsewhere/header.h" 1 3
typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
void reach_error() {} int pthread_join(pthread_t, void **);
int x; _Atomic int flag; void *set(void *p) { x = 1; flag = 1; return p; }
void *look(void *p) { if (flag == 1)
    reach_error(); return p; }
#line 70 "other.c"
int main() { pthread_t a, b; pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0,
    look, 0); pthread_join(a, 0);
  x = 2;
  return x; }
"#;

/// Like `PROGRAM`, with a race between lines 4 and 11.
fn racy() -> String {
    PROGRAM.replace("pthread_join(a, 0);\n", "\n")
}

struct Witness {
    graph: Graph,
    yaml: Value,
    code: Option<i32>,
}

fn witness(name: &str, program: &str, property: &str) -> Witness {
    let property = format!("\nCHECK( init(main()), LTL(G ! {property}) )\n\n");
    let files = Files::new(&[(name, program), ("p.prp", &property)]);
    let done = files.run(&format!("svcomp --property p.prp --data-model ILP32 --witness-dir deep/er {name}"));
    assert_eq!(done.err, "", "{done:?}");
    let read = |name: &str| std::fs::read_to_string(files.path("deep/er").join(name)).expect("a witness");
    let graph = Graph::parse(&read("witness.graphml"));
    let yaml: Value = serde_saphyr::from_str(&read("witness.yml")).expect("it is YAML");
    let hash: String = Sha256::digest(program.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    graph.check(name, &hash);
    metadata(&yaml, name, &hash);
    Witness { graph, yaml, code: done.code }
}

/// A graph as it is read.
#[derive(Debug, Default)]
struct Graph {
    /// The identifiers of facts that are declared, and what they are about.
    keys: BTreeMap<String, String>,
    facts: BTreeMap<String, String>,
    nodes: Vec<(String, BTreeMap<String, String>)>,
    edges: Vec<Edge>,
}

#[derive(Debug, Default, Clone)]
struct Edge {
    source: String,
    target: String,
    facts: BTreeMap<String, String>,
}

impl Edge {
    fn fact(&self, key: &str) -> Option<&str> {
        self.facts.get(key).map(String::as_str)
    }
}

impl Graph {
    fn parse(text: &str) -> Graph {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        let mut graph = Graph::default();
        let (mut inside, mut key) = (Vec::new(), None);
        loop {
            match reader.read_event().expect("it is XML") {
                Event::Start(element) => {
                    let name = element.name().as_ref().to_owned();
                    let attribute = |name: &str| {
                        let found =
                            element.try_get_attribute(name).unwrap().map(|attribute| attribute.value.into_owned());
                        found.unwrap_or_default()
                    };
                    match name.as_str() {
                        "key" => drop(graph.keys.insert(attribute("id"), attribute("for"))),
                        "node" => graph.nodes.push((attribute("id"), BTreeMap::new())),
                        "edge" => {
                            let (source, target) = (attribute("source"), attribute("target"));
                            graph.edges.push(Edge { source, target, facts: BTreeMap::new() });
                        }
                        "data" => {
                            let of = inside.last().cloned().unwrap_or_default();
                            assert_eq!(graph.keys.get(&attribute("key")), Some(&of), "{}", attribute("key"));
                            key = Some(attribute("key"));
                        }
                        _ => {}
                    }
                    inside.push(name);
                }
                Event::Text(value) => {
                    if let Some(key) = key.take() {
                        let facts = match inside.iter().rev().nth(1).map(String::as_str) {
                            Some("node") => &mut graph.nodes.last_mut().unwrap().1,
                            Some("edge") => &mut graph.edges.last_mut().unwrap().facts,
                            _ => &mut graph.facts,
                        };
                        facts.insert(key, value.to_string());
                    }
                }
                Event::End(_) => drop(inside.pop()),
                Event::Eof => return graph,
                _ => {}
            }
        }
    }

    /// The rules of the format.
    fn check(&self, file: &str, hash: &str) {
        let fact = |key: &str| self.facts.get(key).map_or("", String::as_str);
        for key in ["producer", "specification", "creationtime"] {
            assert!(!fact(key).is_empty(), "{key}: {self:?}");
        }
        assert_eq!((fact("sourcecodelang"), fact("architecture")), ("C", "32bit"));
        assert_eq!((fact("programfile"), fact("programhash")), (file, hash));
        assert!(fact("specification").starts_with("CHECK("));
        assert!(fact("creationtime").ends_with('Z') && fact("creationtime").len() == 20, "{}", fact("creationtime"));
        let marked = |key: &str| self.nodes.iter().filter(|(_, facts)| facts.contains_key(key)).count();
        assert_eq!(marked("entry"), 1);
        assert_eq!(marked("violation"), usize::from(fact("witness-type") == "violation_witness"));
        let names: BTreeSet<&String> = self.nodes.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), self.nodes.len(), "names of nodes are distinct");
        // A chain from the entry to the end, on which each thread is created once, before it moves, and first of all
        // enters its function.
        let mut threads = BTreeSet::new();
        let mut entered = BTreeSet::new();
        for (number, edge) in self.edges.iter().enumerate() {
            assert_eq!((&edge.source, &edge.target), (&self.nodes[number].0, &self.nodes[number + 1].0));
            if let Some(thread) = edge.fact("threadId") {
                assert!(threads.contains(thread), "{thread} was not created: {self:?}");
                if entered.insert(thread.to_owned()) && thread != "0" {
                    assert!(edge.fact("enterFunction").is_some(), "{edge:?}");
                }
            }
            if let Some(thread) = edge.fact("createThread") {
                assert!(threads.insert(thread.to_owned()), "{thread} is created twice");
            }
            assert_eq!(edge.fact("startline"), edge.fact("endline"));
        }
        assert_eq!(self.edges.len() + 1, self.nodes.len());
        let last = &self.nodes.last().unwrap().1;
        assert_eq!(last.contains_key("violation"), fact("witness-type") == "violation_witness");
    }

    /// The lines that a thread passes.
    fn lines_of(&self, thread: &str) -> Vec<&str> {
        let own = self.edges.iter().filter(|edge| edge.fact("threadId") == Some(thread));
        own.filter_map(|edge| edge.fact("startline")).collect()
    }
}

/// The rules of the head.
fn metadata(yaml: &Value, file: &str, hash: &str) {
    let metadata = &yaml[0]["metadata"];
    assert_eq!(metadata["format_version"], "2.2");
    assert_eq!(metadata["uuid"].as_str().unwrap().len(), 36);
    assert_eq!(metadata["producer"]["name"], "verify");
    let task = &metadata["task"];
    assert_eq!(task["input_files"], serde_json::json!([file]));
    assert_eq!(task["input_file_hashes"][file], hash);
    assert_eq!(task["data_model"], "ILP32");
    assert_eq!(task["language"], "C");
    assert!(task["specification"].as_str().unwrap().starts_with("CHECK("));
}

/// The waypoints of each segment of a violation; all are followed, and only the last segment has targets.
fn segments(yaml: &Value) -> Vec<Vec<&Value>> {
    assert_eq!(yaml[0]["entry_type"], "violation_sequence");
    let segments = yaml[0]["content"].as_array().unwrap();
    let waypoints = |segment: &'static str, of: &'_ Value| -> usize { of[segment].as_array().unwrap().len() };
    let last = segments.len() - 1;
    let mut found = Vec::new();
    for (number, segment) in segments.iter().enumerate() {
        assert!(waypoints("segment", segment) > 0);
        let of: Vec<&Value> =
            segment["segment"].as_array().unwrap().iter().map(|wrapped| &wrapped["waypoint"]).collect();
        for waypoint in &of {
            assert_eq!(waypoint["action"], "follow");
            assert_eq!(waypoint["type"] == "target", number == last, "{waypoint}");
            assert!(waypoint["location"]["line"].as_u64().unwrap() > 0);
        }
        found.push(of);
    }
    found
}

/// Line, column and thread of a waypoint.
fn at(waypoint: &Value) -> (u64, Option<u64>, u64) {
    let location = &waypoint["location"];
    (location["line"].as_u64().unwrap(), location["column"].as_u64(), waypoint["thread_id"].as_u64().unwrap())
}

#[test]
fn a_call_that_is_reached() {
    let witness = witness("a.i", PROGRAM, "call(reach_error())");
    assert_eq!(witness.code, Some(1));
    let (graph, segments) = (&witness.graph, segments(&witness.yaml));
    // Lines are those of the file itself.
    let created: Vec<_> =
        graph.edges.iter().filter_map(|edge| Some((edge.fact("createThread")?, edge.fact("startline")))).collect();
    assert_eq!(created, [("0", None), ("1", Some("8")), ("2", Some("9"))]);
    assert_eq!(graph.edges.last().unwrap().fact("startline"), Some("6"));
    assert_eq!(graph.edges.last().unwrap().fact("threadId"), Some("2"));
    assert!(graph.lines_of("1").contains(&"4"), "{graph:?}");
    // The calls that create threads end at these parentheses.
    let creations: Vec<_> =
        segments.iter().map(|segment| segment[0]).filter(|w| w["type"] == "function_enter").collect();
    assert_eq!(at(creations[0]), (8, Some(58), 0));
    assert_eq!(at(creations[1]), (10, Some(12), 0));
    let target = segments.last().unwrap();
    assert_eq!((target.len(), at(target[0])), (1, (6, Some(5), 2)));
}

#[test]
fn a_race_ends_in_two_targets() {
    let witness = witness("a.i", &racy(), "data-race");
    assert_eq!(witness.code, Some(1));
    let segments = segments(&witness.yaml);
    let mut targets: Vec<_> = segments.last().unwrap().iter().map(|target| at(target)).collect();
    targets.sort_unstable();
    let places: Vec<_> = targets.iter().map(|(line, _, thread)| (*line, *thread)).collect();
    assert_eq!(places, [(4, 1), (11, 0)]);
    // The first statement of its line, and one behind a brace.
    assert!(targets.iter().all(|(line, column, _)| *line != 11 || *column == Some(3)), "{targets:?}");
    assert!(targets.iter().all(|(line, column, _)| *line != 4 || *column == Some(47)), "{targets:?}");
    let ends: BTreeSet<_> = witness.graph.edges.iter().rev().take(2).map(|edge| edge.fact("startline")).collect();
    assert_eq!(ends, BTreeSet::from([Some("11"), Some("4")]));
}

#[test]
fn values_that_were_chosen() {
    let program = "void reach_error() {}\nint __VERIFIER_nondet_int();\n\
                   int main() {\n  if (__VERIFIER_nondet_int() == 2)\n    reach_error();\n}\n";
    let witness = witness("a.i", program, "call(reach_error())");
    let segments = segments(&witness.yaml);
    let value = segments[0][0];
    assert_eq!((value["type"].as_str(), at(value)), (Some("function_return"), (4, Some(29), 0)));
    assert_eq!(value["constraint"], serde_json::json!({"value": "\\result == 2", "format": "acsl_expression"}));
    let edge = witness.graph.edges.iter().find(|edge| edge.fact("assumption").is_some()).unwrap();
    assert_eq!(edge.fact("assumption"), Some("\\result == 2;"));
    assert_eq!(edge.fact("assumption.resultfunction"), Some("__VERIFIER_nondet_int"));
    assert_eq!(edge.fact("startline"), Some("4"));
}

/// The thread of line 7 reads a signed number, the main thread before and after that two that are none. The last one
/// does not matter.
#[test]
fn values_of_inputs_are_those_of_their_types_and_threads() {
    let program = "typedef unsigned long pthread_t;\n\
                   int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
                   int pthread_join(pthread_t, void **); void reach_error() {}\n\
                   unsigned long long __VERIFIER_nondet_ulonglong(); short __VERIFIER_nondet_short();\n\
                   short s;\n\
                   void *f(void *p) {\n  s = __VERIFIER_nondet_short(); return p; }\n\
                   int main() {\n  pthread_t t;\n  unsigned long long a = __VERIFIER_nondet_ulonglong();\n\
                   \x20 pthread_create(&t, 0, f, 0);\n  pthread_join(t, 0);\n\
                   \x20 unsigned long long b = __VERIFIER_nondet_ulonglong();\n\
                   \x20 if (a > 18446744073709551613ull && s < -7) reach_error();\n  return b == 1; }\n";
    let witness = witness("a.i", program, "call(reach_error())");
    assert_eq!(witness.code, Some(1));
    let segments = segments(&witness.yaml);
    let returns = segments.iter().map(|segment| segment[0]).filter(|waypoint| waypoint["type"] == "function_return");
    let values: Vec<_> = returns.map(|waypoint| (at(waypoint), waypoint["constraint"]["value"].as_str())).collect();
    // The values are those nearest to 0, where -1 is near as an unsigned number, too.
    let expected = [
        ((10, Some(54), 0), Some("\\result == 18446744073709551615")),
        ((7, Some(31), 1), Some("\\result == -8")),
        ((13, Some(54), 0), Some("\\result == 0")),
    ];
    assert_eq!(values, expected);
    let assumptions =
        witness.graph.edges.iter().filter_map(|edge| Some((edge.fact("threadId")?, edge.fact("assumption")?)));
    let expected = [("0", "\\result == 18446744073709551615u;"), ("1", "\\result == -8;"), ("0", "\\result == 0;")];
    assert_eq!(assumptions.collect::<Vec<_>>(), expected);
}

#[test]
fn a_proof() {
    let program = LOCKED.replace("#include <pthread.h>\n", "#include <pthread.h>\n#line 3 \"x.h\"\n");
    let witness = witness("a.c", &program, "data-race");
    assert_eq!(witness.code, Some(0));
    assert_eq!(witness.graph.facts["witness-type"], "correctness_witness");
    assert_eq!(witness.yaml[0]["entry_type"], "invariant_set");
    assert_eq!(witness.yaml[0]["content"], serde_json::json!([]));
}

/// The tasks of the test suite are witnessed too: whatever their schedules look like, the rules hold.
#[test]
fn every_witness_of_a_task_keeps_the_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testsuite/svcomp");
    let directory = tempfile::tempdir().unwrap();
    let mut command = command(&root.join("race"));
    command.args(["svcomp", "--jobs", "2", "--data-model", "ILP32", ".", "--witness-dir"]).arg(directory.path());
    let done = done(command.output().unwrap());
    assert_eq!(done.code, Some(0), "{done:?}");
    let mut count = 0;
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let path = entry.unwrap().path();
        let graph = Graph::parse(&std::fs::read_to_string(path.join("witness.graphml")).unwrap());
        let mut facts = graph.facts.clone();
        facts.insert("architecture".to_owned(), "32bit".to_owned());
        let graph = Graph { facts, ..graph };
        graph.check(&graph.facts["programfile"], &graph.facts["programhash"]);
        let yaml: Value = serde_saphyr::from_str(&std::fs::read_to_string(path.join("witness.yml")).unwrap()).unwrap();
        if yaml[0]["entry_type"] == "violation_sequence" {
            segments(&yaml);
        }
        count += 1;
    }
    assert!(count >= 25, "{count} witnesses");
}

#[test]
fn no_answer_no_witness() {
    let files = Files::new(&[("a.c", LOCKED), ("p.prp", "CHECK( init(main()), LTL(F end) )\n")]);
    assert_eq!(files.run("svcomp --property p.prp a.c").code, Some(3));
    assert!(!files.path("witness.yml").exists() && !files.path("witness.graphml").exists());
}
