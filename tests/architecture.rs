//! The table of dependencies in ARCHITECTURE.md holds.
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Node, PackageId};
use std::collections::{BTreeMap, BTreeSet};

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
