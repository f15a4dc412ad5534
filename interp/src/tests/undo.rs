//! Going back leaves no trace.
use super::concurrent::{blocks, counter, one_signal, undefined_beside_locks};
use super::{Builder, machine};
use crate::Machine;
use crate::digest::fingerprint;
use por::{System, ThreadId};

/// Everything that must be as it was.
fn snapshot(machine: &Machine) -> (u128, u128, Vec<String>, String) {
    let threads = machine.state.threads[..machine.state.process.threads as usize].iter().map(fingerprint).collect();
    let sync: Vec<_> = machine.state.sync.iter().enumerate().filter(|(_, s)| **s != Default::default()).collect();
    (
        machine.digest(),
        machine.state.memory.digest(),
        threads,
        format!("{:?} {sync:?} {:?}", machine.state.process, machine.state.partial.known()),
    )
}

/// Walks over all interleavings up to a depth, comparing after every undo.
fn walk(machine: &mut Machine, depth: u32, visited: &mut u32) {
    if depth == 0 {
        return;
    }
    for thread in (0..machine.threads()).map(ThreadId) {
        let mut variants = Vec::new();
        por::current_variants(machine, thread, &mut variants);
        for variant in variants {
            let before = snapshot(machine);
            machine.mark();
            machine.execute(thread, variant.label);
            *visited += 1;
            walk(machine, depth - 1, visited);
            machine.undo();
            assert_eq!(snapshot(machine), before);
        }
    }
}

fn check(builder: Builder, depth: u32) {
    let mut machine = machine(builder);
    machine.start();
    let mut visited = 0;
    walk(&mut machine, depth, &mut visited);
    assert!(visited > 10, "only {visited} actions were tried");
}

#[test]
fn locks_go_back() {
    check(counter(2, true), 14);
}

#[test]
fn races_go_back() {
    check(counter(3, false), 8);
}

#[test]
fn condition_variables_go_back() {
    check(one_signal(), 9);
}

#[test]
fn atomic_blocks_go_back() {
    check(blocks(true), 9);
}

#[test]
fn undefined_values_and_frames_go_back() {
    check(undefined_beside_locks(), 12);
}
