use super::*;
use crate::report::samples;
use serde_json::Value;

fn written(cases: &[Case]) -> Value {
    serde_json::from_str(&write(cases)).unwrap()
}

#[test]
fn a_race() {
    let log = written(&[samples::case(samples::race())]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&log["runs"][0]["results"]).unwrap());
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.iter().map(|rule| &rule["id"]).collect::<Vec<_>>(), Kind::ALL.map(Kind::name));
    let index = log["runs"][0]["results"][0]["ruleIndex"].as_u64().unwrap();
    assert_eq!(rules[index as usize]["id"], "data-race");
}

#[test]
fn no_answer_is_a_notification() {
    let log = written(&[samples::case(samples::unknown())]);
    let notifications = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notifications[0]["message"]["text"], "race.c: unknown: interrupted");
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn long_schedules_are_shortened() {
    let mut report = samples::race();
    let violation = &mut report.violations[0];
    violation.trace = violation.trace.iter().cloned().cycle().take(3000).collect();
    violation.trace[2999].thread = violation.thread.clone();
    let log = written(&[samples::case(report)]);
    let result = &log["runs"][0]["results"][0];
    let text = result["message"]["text"].as_str().unwrap();
    assert!(text.contains("3000 steps") && text.contains("last 997"), "{text}");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    let places = |flow: &Value| flow["locations"].as_array().unwrap().len();
    assert_eq!(flows.iter().map(places).collect::<Vec<_>>(), [996, 1]);
    assert_eq!(flows[0]["locations"][0]["executionOrder"], 2004);
    assert_eq!(flows[1]["locations"][0]["executionOrder"], 3000);
    let related = result["relatedLocations"].as_array().unwrap().len();
    assert_eq!(996 + 1 + related + 1, MOST_PLACES);
}

#[test]
fn fingerprints() {
    let bug = samples::race().violations.remove(0);
    let before = fingerprint(&bug);
    let mut moved = bug.clone();
    moved.place.as_mut().unwrap().line += 7;
    moved.message = moved.message.replace("thread 1", "thread 3").replace("thread 2", "thread 1");
    assert_eq!(fingerprint(&moved), before, "lines and numbers of threads do not count");
    let mut turned = bug.clone();
    turned.message = "data race on `c`: write by thread 1 and read by thread 2, which nothing orders".to_owned();
    std::mem::swap(&mut turned.place, &mut turned.related[0].place);
    assert_eq!(fingerprint(&turned), before, "the ends of a race do not count");
    let mut other = bug.clone();
    other.message = other.message.replace("`c`", "`d`");
    assert_ne!(fingerprint(&other), before);
    let mut elsewhere = bug.clone();
    elsewhere.place.as_mut().unwrap().function = "other".to_owned();
    assert_ne!(fingerprint(&elsewhere), before);
    // Two results never have the same one.
    let log = written(&vec![samples::case(samples::race()); 2]);
    let print = |at: usize| log["runs"][0]["results"][at]["partialFingerprints"][FINGERPRINT].clone();
    assert_eq!([print(0), print(1)], [format!("{before}:1"), format!("{before}:2")]);
}

#[test]
fn addresses_and_numbers() {
    for (word, number) in [("0x7f3a", true), ("12", true), ("3rd", true), ("x0", false), ("count", false)] {
        assert_eq!(is_number(word), number, "{word}");
    }
}

#[test]
fn uris() {
    assert_eq!(uri("src/a b%.c"), "src/a%20b%25.c");
    assert_eq!(uri("./a.c"), "a.c");
    assert_eq!(uri("/elsewhere/ä.c"), "file:///elsewhere/%C3%A4.c");
    let here = std::env::current_dir().unwrap().join("x/a.c");
    assert_eq!(uri(here.to_str().unwrap()), "x/a.c");
}
