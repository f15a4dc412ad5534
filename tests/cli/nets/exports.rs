//! The prefix for others to read: for Graphviz, and in JSON.
use super::make;
use crate::machines::{closed_schema, conforms};
use crate::run::Files;
use serde_json::{Value, json};

#[test]
fn dot() {
    let files = Files::new(&[("round.ll_net", &make::round())]);
    let done = files.run("unfold round.ll_net --format dot --report dot=copy");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    assert_eq!(std::fs::read_to_string(files.path("copy")).unwrap(), done.out);
    insta::assert_snapshot!(done.out);
}

/// Whatever is in a name, it stays inside its quotes.
#[test]
fn names_in_dot() {
    let net = make::ll_net("a\\ b\u{1b}", &["t\\: a\\ () c"]);
    let done = Files::new(&[("a.ll_net", &net)]).run("unfold a.ll_net --format dot");
    assert!(done.out.contains(r#"label="a\\"]"#) && done.out.contains(r#"label="b\\x1b"]"#), "{done:?}");
    assert!(done.out.contains(r#"[shape=box, label="t\\"]"#), "{done:?}");
}

#[test]
fn json_of_a_prefix() {
    let schema = closed_schema(include_str!("../../../docs/schema/prefix-1.schema.json"));
    let files = Files::new(&[("round.ll_net", &make::round())]);
    let done = files.run("unfold round.ll_net --format prefix-json");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    let prefix: Value = serde_json::from_str(&done.out).unwrap();
    conforms(&schema, &prefix);
    assert_eq!((&prefix["end"], &prefix["order"]), (&json!("complete"), &json!("erv")));
    let list = |key: &str| prefix[key].as_array().unwrap().clone();
    let net = &prefix["net"];
    assert_eq!(net["transitions"][1], json!({"name": "t2", "preset": [0], "context": [2], "postset": [3]}));
    assert_eq!(net["places"][1], json!({"name": "p2", "marked": true}));

    // ⊥ generates the first two conditions; t1 takes that of p2, and t2 reads what t1 generates.
    let (conditions, events) = (list("conditions"), list("events"));
    assert_eq!(
        conditions[..3],
        [json!({"place": 0, "event": 0}), json!({"place": 1, "event": 0}), json!({"place": 2, "event": 1})]
    );
    assert_eq!(events[0], json!({"transition": null, "preset": [], "context": []}));
    assert_eq!(events[1], json!({"transition": 0, "preset": [1], "context": []}));
    assert_eq!((conditions.len(), events.len()), (7, 6));
    let reader = events.iter().find(|event| event["transition"] == 1).unwrap();
    assert_eq!(*reader, json!({"transition": 1, "preset": [0], "context": [2]}));

    // The cutoffs lead to the markings of ⊥, t1, and t1 t2, of 0, 1 and 2 events.
    let histories = list("histories");
    let cutoffs: Vec<(Value, Value)> = histories
        .iter()
        .filter(|history| history["cutoff"] == true)
        .map(|history| {
            let corresponding = history["corresponding"].as_u64().unwrap() as usize;
            (history["size"].clone(), histories[corresponding]["size"].clone())
        })
        .collect();
    assert_eq!(cutoffs, [(json!(2), json!(0)), (json!(3), json!(1)), (json!(4), json!(2))]);
    assert_eq!(histories[0], json!({"event": 0, "size": 0, "family": [], "cutoff": false, "corresponding": null}));
    assert_eq!(histories[1], json!({"event": 1, "size": 1, "family": [0], "cutoff": false, "corresponding": null}));

    let broken = |change: fn(&mut Value)| {
        let mut prefix = prefix.clone();
        change(&mut prefix);
        !schema.is_valid(&prefix)
    };
    assert!(broken(|prefix| prefix["histories"][1]["corresponding"] = 0.into()), "of what is no cutoff");
    assert!(broken(|prefix| drop(prefix["events"][1].as_object_mut().unwrap().remove("context"))));
    assert!(broken(|prefix| prefix["conditions"][0]["place"] = "p".into()));
}
