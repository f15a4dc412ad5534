//! The page of `--report html`, in a browser without a window: what is in it, what keys do, what it does with hostile
//! names.
use crate::run::{DEADLOCK, Files, LOCKED, RACE};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// What the browser is called, in the order in which it is looked for.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// It must work for root in a container too, and leave the network alone.
const OPTIONS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,900",
    "--virtual-time-budget=2000",
    "--enable-logging=stderr",
    "--dump-dom",
];

/// What the scripts of the tests use. `seen` is what the test compares.
const PROBE: &str = r##"
const seen = [];
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
const look = () => ({
  step: document.querySelector("#position")?.textContent,
  line: texts(".line.current > .number")[0] ?? null,
  holds: texts(".holds"),
  states: texts(".thread-state"),
});
"##;

/// Opens a page at an address in it, runs a script there, and returns what the script has `seen`.
fn browse(page: &Path, address: &str, script: &str) -> Value {
    let html = std::fs::read_to_string(page).expect("the page");
    let probe = format!(
        "<script>{PROBE}{script}\nconst result = document.createElement('pre'); result.id = 'seen';\n\
         result.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen)))); document.body.append(result);</script></body>"
    );
    let probed = page.with_extension("probed.html");
    std::fs::write(&probed, html.replace("</body>", &probe)).expect("a page with a script");
    let profile = tempfile::tempdir().expect("a directory for the browser");
    let output = BROWSERS.iter().find_map(|browser| {
        let mut command = Command::new(browser);
        command.args(OPTIONS).arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("file://{}{address}", probed.display())).output().ok()
    });
    let output = output.expect("a browser: `scripts/setup tests` installs chromium (Debian's package of that name)");
    let (page, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    assert!(!page.contains("id=\"fault\""), "{page}");
    let found = page.split_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (found, _) = found.unwrap_or_else(|| panic!("the script has not come to its end:\n{page}\n{log}"));
    serde_json::from_slice(&decoded(found)).expect("JSON")
}

/// Base64, so that nothing in the result is taken for markup.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text.bytes().filter(|c| *c != b'=').map(|c| u32::from(digit(c))).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let all = four.iter().enumerate().fold(0, |all, (i, digit)| all | digit << (18 - 6 * i));
        all.to_be_bytes()[1..four.len()].to_vec()
    });
    bytes.collect()
}

/// The page about a program in `files`.
fn page(files: &Files, arguments: &str) -> std::path::PathBuf {
    let done = files.run(&format!("--report html=page.html {arguments}"));
    assert!(matches!(done.code, Some(0 | 1 | 3)), "{done:?}");
    files.path("page.html")
}

#[test]
fn stepping_through_a_deadlock() {
    let files = Files::new(&[("a.c", DEADLOCK)]);
    let script = r#"
seen.push(look(), texts(".node").length, document.querySelectorAll("path.waits-for:not(.tip)").length);
for (const key of ["Home", "j", "ArrowDown", "p", "n", "End", "k"]) { press(key); seen.push({ key, ...look() }); }
seen.push(location.hash, document.title);
"#;
    let seen = browse(&page(&files, "a.c"), "", script);
    // Three steps, and two threads that wait for one another: it begins with what is wrong.
    assert_eq!((&seen[1], &seen[2]), (&json!(5), &json!(2)), "{seen:#}");
    assert_eq!(seen[0]["holds"], json!(["holds a", "holds b"]), "{seen:#}");
    assert_eq!(seen[0]["states"][0], "waits for mutex b, held by thread 1 (other)");
    let all = seen.as_array().unwrap();
    let steps: Vec<(&str, &str, &str)> = all[3..10]
        .iter()
        .map(|at| (at["key"].as_str().unwrap(), at["step"].as_str().unwrap(), at["line"].as_str().unwrap()))
        .collect();
    let expected = [
        ("Home", "1 of 5", "12"),
        ("j", "2 of 5", "13"),
        ("ArrowDown", "3 of 5", "4"),
        ("p", "3 of 5", "4"),
        ("n", "5 of 5", "5"),
        ("End", "5 of 5", "5"),
        ("k", "4 of 5", "14"),
    ];
    assert_eq!(steps, expected);
    let holds: Vec<&Value> = all[3..6].iter().map(|at| &at["holds"]).collect();
    assert_eq!(holds, [&json!([]), &json!(["holds a"]), &json!(["holds a", "holds b"])]);
    assert_eq!(all[3]["states"], json!(["alive", "has begun"]));
    // Whichever of those that wait is selected, all do.
    assert_eq!((&all[9]["states"], &all[9]["holds"]), (&seen[0]["states"], &seen[0]["holds"]));
    assert_eq!(seen[10], "#bug=1&step=4");
    assert!(seen[11].as_str().unwrap().starts_with("a.c: deadlock: thread 0"));
}

#[test]
fn the_ends_of_a_race_and_an_address_of_a_step() {
    let files = Files::new(&[("race.c", RACE)]);
    let script = r#"
seen.push(look(), texts(".row.wrong .what").length, texts("path.races").length, texts(".line.bad").length);
press("End"); seen.push(look(), texts(".line.bad").map((line) => line.trim()));
"#;
    let seen = browse(&page(&files, "race.c"), "#bug=1&step=1", script);
    assert_eq!(seen[0]["step"], "1 of 3");
    assert_eq!(seen[0]["line"], "9", "the creation");
    assert_eq!((&seen[1], &seen[2], &seen[3]), (&json!(2), &json!(1), &json!(0)), "{seen:#}");
    assert_eq!(seen[4]["line"], "4");
    assert!(seen[5][0].as_str().unwrap().ends_with("c++;"), "{seen:#}");
}

#[test]
fn what_a_proof_has_explored() {
    let files = Files::new(&[("a.c", LOCKED)]);
    let script = r#"
seen.push(texts("h2")[0], texts(".tile")[0]);
press("v");
seen.push(texts("g.event").length, texts("path.conflict").length, texts("path.cause").length > 10);
press("j"); seen.push(texts(".about h3")[0], location.hash);
const before = document.querySelector(".graph > g").getAttribute("transform");
press("+"); press("ArrowLeft"); seen.push(before !== document.querySelector(".graph > g").getAttribute("transform"));
"#;
    let seen = browse(&page(&files, "a.c"), "", script);
    // (A picture has all ends and joins.)
    let json = files.run("--format json --merge-ends off a.c").out;
    let stats = &serde_json::from_str::<Value>(&json).unwrap()["stats"];
    assert_eq!(seen[0], "safe: all 2 executions were explored");
    assert_eq!(seen[1], "2 executions");
    assert_eq!(seen[2], stats["events"], "{seen:#}");
    // Whose lock comes first.
    assert_eq!(seen[3], 1);
    assert_eq!(seen[4], true);
    assert_eq!(seen[5], format!("Event 2 of {}", stats["events"]));
    assert_eq!(seen[6], "#unfolding&step=2");
    assert_eq!(seen[7], true);
}

#[test]
fn markup_in_names_and_messages_is_shown_as_it_is() {
    let source = "#include <assert.h>\nint main(void) {\n  // </script><img src=x onerror=\"boom()\">\n  assert(!\"<img src=x>&amp;\");\n}\n";
    let name = "<b id=bold>&lt;.c";
    let files = Files::new(&[(name, source)]);
    let mut command = files.command("--report html=page.html");
    assert_eq!(command.arg(name).output().expect("verify starts").status.code(), Some(1));
    let script = r##"
seen.push(document.querySelectorAll("img, #bold").length, texts("h2")[0], texts(".pane-head b")[0]);
seen.push(texts(".line.current .text")[0], texts(".line .comment")[0]);
"##;
    let seen = browse(&files.path("page.html"), "", script);
    assert_eq!(seen[0], 0);
    assert!(seen[1].as_str().unwrap().contains("<img src=x>&amp;"), "{seen:#}");
    assert_eq!(seen[2], name);
    assert_eq!(seen[3], "  assert(!\"<img src=x>&amp;\");");
    assert_eq!(seen[4], "// </script><img src=x onerror=\"boom()\">");
}

#[test]
fn only_what_can_be_seen_of_a_long_execution_is_in_the_page() {
    let source = "#include <assert.h>\n#include <stdatomic.h>\natomic_int x;\nint main(void) {\n  for (int i = 0; i < 3000; i++) x = i;\n  assert(x == 7);\n}\n";
    let files = Files::new(&[("long.c", source)]);
    let script = r##"
seen.push(texts(".row").length < 300, document.querySelector(".row.selected").id, texts(".value")[0]);
press("Home"); seen.push(texts(".row").length < 300, document.querySelector(".row.selected").id, look().step, texts(".value")[0]);
"##;
    let seen = browse(&page(&files, "long.c"), "", script);
    assert_eq!((&seen[0], &seen[1], &seen[2]), (&json!(true), &json!("step-3002"), &json!("2999")), "{seen:#}");
    let first = (&seen[3], &seen[4], &seen[5], &seen[6]);
    assert_eq!(first, (&json!(true), &json!("step-1"), &json!("1 of 3002"), &json!("0")), "{seen:#}");
}
