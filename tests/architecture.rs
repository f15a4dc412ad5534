//! What ARCHITECTURE.md and docs/papers.md say of the sources holds.
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Node, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Edges = BTreeMap<String, BTreeSet<String>>;

fn metadata() -> Metadata {
    let mut command = MetadataCommand::new();
    command.manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    command.other_options(["--locked", "--filter-platform", "x86_64-unknown-linux-gnu"].map(str::to_owned));
    command.exec().expect("cargo metadata works")
}

/// The edges between our crates, without those of tests.
fn actual(metadata: &Metadata) -> Edges {
    let members: BTreeSet<&str> = metadata.workspace_packages().iter().map(|package| package.name.as_str()).collect();
    let edges = metadata.workspace_packages().into_iter().map(|package| {
        let ours = package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development);
        let ours = ours.map(|dependency| dependency.name.clone()).filter(|name| members.contains(name.as_str()));
        (package.name.to_string(), ours.collect())
    });
    edges.collect()
}

/// The edges that the table allows: rows of ``| `crate` | … | `dependency`, `dependency` |``.
fn allowed(text: &str) -> Edges {
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mut edges = Edges::new();
    for line in text.lines().skip_while(|line| !line.starts_with("| crate |")).take_while(|line| line.starts_with('|'))
    {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        if let (Some(name), Some(last)) = (names(cells[0]).first(), cells.last()) {
            edges.insert(name.clone(), names(last).into_iter().collect());
        }
    }
    edges
}

/// Every package that a package is built from, itself included.
fn tree(metadata: &Metadata, root: &str) -> BTreeSet<String> {
    let nodes: BTreeMap<&PackageId, &Node> =
        metadata.resolve.as_ref().expect("resolved").nodes.iter().map(|node| (&node.id, node)).collect();
    let name = |id: &PackageId| metadata[id].name.to_string();
    let mut open = vec![&metadata.workspace_packages().into_iter().find(|p| p.name == root).expect(root).id];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let built =
                |kinds: &[cargo_metadata::DepKindInfo]| kinds.iter().any(|k| k.kind != DependencyKind::Development);
            open.extend(nodes[id].deps.iter().filter(|dep| built(&dep.dep_kinds)).map(|dep| &dep.pkg));
        }
    }
    seen.into_iter().map(name).collect()
}

#[test]
fn no_edge_but_those_of_the_table() {
    let table = include_str!("../ARCHITECTURE.md");
    assert_eq!(actual(&metadata()), allowed(table), "left: Cargo.toml, right: ARCHITECTURE.md");
}

#[test]
fn the_explorer_builds_without_llvm() {
    let metadata = metadata();
    let llvm = ["inkwell", "llvm-sys", "frontend"];
    let por = tree(&metadata, "por");
    for name in llvm {
        assert!(!por.contains(name), "por is built from {name}");
    }
    // The same walk does find LLVM where it is used.
    assert!(llvm.iter().all(|name| tree(&metadata, "verify").contains(*name)));
}

#[test]
fn llvm_is_known_to_the_frontend_alone() {
    let metadata = metadata();
    for package in metadata.workspace_packages().into_iter().filter(|package| package.name != "frontend") {
        let names: Vec<&str> = package.dependencies.iter().map(|dependency| dependency.name.as_str()).collect();
        assert!(!names.contains(&"inkwell") && !names.contains(&"llvm-sys"), "{} names LLVM", package.name);
    }
}

/// All files of the project with one of these endings, with their texts.
fn files(endings: &[&str]) -> Vec<(PathBuf, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![top.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            if path.is_dir() {
                folders.extend((!name.starts_with('.') && name != "target").then_some(path));
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                let text = std::fs::read_to_string(&path).expect("it is text");
                files.push((path, text));
            }
        }
    }
    files
}

#[test]
fn papers_have_keys() {
    let list = include_str!("../docs/papers.md");
    let keys: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()).collect();
    let keys: Vec<&str> = keys.into_iter().filter(|key| key.ends_with(|c: char| c.is_ascii_digit())).collect();
    assert!(keys.len() >= 9, "{keys:?}");
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for (path, text) in files(&[".rs", ".md"]) {
        if path.ends_with("docs/papers.md") || path.ends_with("tests/architecture.rs") {
            continue;
        }
        named.extend(keys.iter().copied().filter(|key| text.contains(key)));
        for (number, line) in (1..).zip(text.lines()) {
            let year = |word: &str| word.len() == 4 && word.starts_with("20") && word.parse::<u32>().is_ok();
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
            let nameless = words
                .windows(2)
                .any(|pair| matches!(pair[1], "paper" | "papers") && (pair[0] == "the" || year(pair[0])));
            assert!(!nameless, "{}:{number}: which paper? docs/papers.md has keys", path.display());
        }
    }
    assert_eq!(named.len(), keys.len(), "papers that nothing refers to; referred to are {named:?}");
}

#[test]
fn driver_and_reports_know_no_command_line() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let below = ["driver", "report", "children.rs", "console.rs", "request.rs", "units.rs"].map(|name| top.join(name));
    assert!(below.iter().all(|path| path.exists()), "{below:?}");
    for (path, text) in files(&[".rs"]) {
        if below.iter().any(|room| path.starts_with(room)) {
            assert!(!text.contains("crate::cli::"), "{} imports from cli", path.display());
        }
    }
}

#[test]
fn the_map_has_all_rooms() {
    let map = include_str!("../ARCHITECTURE.md");
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "por/src", "frontend/src", "interp/src", "runtime-model/src"] {
        for entry in std::fs::read_dir(top.join(folder)).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            let name = if path.is_dir() { format!("`{name}/") } else { format!("`{name}") };
            let is_entry = ["`lib.rs", "`main.rs"].contains(&name.as_str());
            assert!(is_entry || map.contains(&name), "{folder} has {name}`, which ARCHITECTURE.md does not name");
        }
    }
}

/// The tests of random programs and the table of both runs in docs/trust.md name the same numbers.
#[test]
fn the_numbers_of_both_runs_are_those_of_the_tests() {
    let mut tests: Vec<[String; 3]> = Vec::new();
    for (_, text) in files(&[".rs"]) {
        for call in text.split("programs(\"").skip(1) {
            let Some((name, rest)) = call.split_once("\", [") else { continue };
            let numbers = rest.split_once(']').map(|(numbers, _)| numbers.replace('_', ""));
            if let Some([one, two]) =
                numbers.map(|both| both.split(", ").map(str::to_owned).collect::<Vec<_>>()).as_deref()
            {
                tests.push([name.to_owned(), one.clone(), two.clone()]);
            }
        }
    }
    let table = include_str!("../docs/trust.md").lines().skip_while(|line| !line.ends_with("| setting |"));
    let mut rows: Vec<[String; 3]> = Vec::new();
    for line in table.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [_, one, two, name] = cells[..] else { panic!("four cells: {line}") };
        // Those with one number for both runs have no second one in the test.
        if name.starts_with('`') && one != two {
            rows.push([name.trim_matches('`').to_owned(), one.replace(',', ""), two.replace(',', "")]);
        }
    }
    tests.sort();
    rows.sort();
    assert!(tests.len() > 20, "{tests:?}");
    assert_eq!(tests, rows, "left: programs(…) in the tests, right: docs/trust.md");
}

#[test]
fn long_files_say_why() {
    for (path, text) in files(&[".rs"]) {
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let says_why = head.iter().any(|line| line.starts_with("//! One file: "));
        assert!(text.lines().count() <= 500 || says_why, "{} is long: cut it, or say why in its head", path.display());
    }
}
