//! Makes failing programs smaller.
use crate::program::{Program, Statement};

/// The smallest program that still fails, as far as single steps lead, and how it does. `failing` finds the first of
/// many that fails.
pub(crate) fn shrink(
    program: Program,
    difference: &str,
    failing: impl Fn(Vec<Program>) -> Option<(Program, String)>,
) -> (Program, String) {
    let mut smallest = (program, difference.to_owned());
    while let Some(found) = failing(smaller(&smallest.0)) {
        smallest = found;
    }
    smallest
}

/// All programs with one statement or one nesting less.
fn smaller(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    if program.threads.len() > 1 {
        for thread in 0..program.threads.len() {
            let mut copy = program.clone();
            copy.threads.remove(thread);
            all.push(copy);
        }
    }
    all.extend(smaller_bodies(&program.child).into_iter().map(|child| Program { child, ..program.clone() }));
    if program.last.is_some() {
        all.push(Program { last: None, ..program.clone() });
    }
    if program.large {
        all.push(Program { large: false, ..program.clone() });
    }
    for thread in 0..program.threads.len() {
        for body in smaller_bodies(&program.threads[thread]) {
            let mut copy = program.clone();
            copy.threads[thread] = body;
            all.push(copy);
        }
    }
    all
}

fn smaller_bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    let mut put = |at: usize, by: Vec<Statement>| {
        let mut copy = body.to_vec();
        copy.splice(at..=at, by);
        all.push(copy);
    };
    for (at, statement) in body.iter().enumerate() {
        put(at, Vec::new());
        let rebuild: &dyn Fn(Vec<Statement>) -> Statement = match statement {
            Statement::Section { mutex, .. } => &|body| Statement::Section { mutex: *mutex, body },
            Statement::TrySection { mutex, .. } => &|body| Statement::TrySection { mutex: *mutex, body },
            Statement::Guarded { guard, .. } => &|body| Statement::Guarded { guard, body },
            Statement::Cleanup { .. } => &|body| Statement::Cleanup { body },
            Statement::Block { .. } => &|body| Statement::Block { body },
            Statement::Permuted { block, body } => {
                if *block {
                    put(at, vec![Statement::Permuted { body: body.clone(), block: false }]);
                }
                &|body| Statement::Permuted { body, block: *block }
            }
            Statement::Repeat { cell, until, ordering, .. } => {
                let (cell, until, ordering) = (*cell, *until, *ordering);
                &move |body| Statement::Repeat { body, cell, until, ordering }
            }
            Statement::Behind { cell, value, .. } => {
                let (cell, value) = (*cell, *value);
                &move |body| Statement::Behind { cell, value, body }
            }
            Statement::If { value, then, otherwise } => {
                put(at, otherwise.clone());
                put(at, [then.as_slice(), otherwise].concat());
                for otherwise in smaller_bodies(otherwise) {
                    put(at, vec![Statement::If { value: *value, then: then.clone(), otherwise }]);
                }
                let otherwise = otherwise.clone();
                let value = *value;
                &move |then| Statement::If { value, then, otherwise: otherwise.clone() }
            }
            _ => continue,
        };
        let (Statement::Section { body: inner, .. }
        | Statement::TrySection { body: inner, .. }
        | Statement::Guarded { body: inner, .. }
        | Statement::Cleanup { body: inner }
        | Statement::Block { body: inner }
        | Statement::Permuted { body: inner, .. }
        | Statement::Behind { body: inner, .. }
        | Statement::Repeat { body: inner, .. }
        | Statement::If { then: inner, .. }) = statement
        else {
            continue;
        };
        put(at, inner.clone());
        for inner in smaller_bodies(inner) {
            put(at, vec![rebuild(inner)]);
        }
    }
    all
}

#[test]
fn what_does_not_matter_is_removed() {
    // "Fails" if it signals somewhere and stores atomically elsewhere, perhaps in a loop.
    let fails = |program: &Program| {
        let signals = program.has(|s| matches!(s, Statement::Signal { .. }));
        signals && program.has(|s| matches!(s, Statement::Store { .. }))
    };
    let failing = |all: Vec<Program>| all.into_iter().find(fails).map(|program| (program, String::new()));
    let mut shrunken = 0;
    for program in (0..3_000).map(crate::generate::program).filter(fails) {
        let (small, _) = shrink(program, "", failing);
        let statements: Vec<&Statement> = small.threads.iter().chain([&small.child]).flatten().collect();
        let children = statements.iter().filter(|s| matches!(s, Statement::Children { .. })).count();
        assert_eq!(statements.len(), 2 + children, "{small:?}");
        assert!(statements.iter().any(|s| matches!(s, Statement::Signal { .. })), "{small:?}");
        assert!(statements.iter().any(|s| matches!(s, Statement::Store { .. })), "{small:?}");
        shrunken += 1;
    }
    assert!(shrunken > 20, "only {shrunken} programs to shrink");
}
