//! Makes failing programs smaller.
use crate::program::{Program, Statement};

/// The smallest program that still fails, as far as single steps lead: threads and statements are removed, statements
/// replaced by their bodies, numbers by 0.
pub fn shrink(mut program: Program, fails: impl Fn(&Program) -> bool) -> Program {
    while let Some(smaller) = smaller(&program).into_iter().find(|p| is_well_formed(p) && fails(p)) {
        program = smaller;
    }
    program
}

/// All programs that one step makes of this one.
fn smaller(program: &Program) -> Vec<Program> {
    let mut all: Vec<Program> = (1..program.threads.len()).map(|t| without_thread(program, t as u32)).collect();
    for (thread, body) in program.threads.iter().enumerate() {
        let with = |smaller: Vec<Statement>| {
            let mut copy = program.clone();
            copy.threads[thread] = smaller;
            copy
        };
        all.extend(smaller_bodies(body).into_iter().map(with));
    }
    all
}

/// The program without a thread. Later ones get the numbers before theirs.
fn without_thread(program: &Program, gone: u32) -> Program {
    let mut threads = program.threads.clone();
    threads.remove(gone as usize);
    threads[0].retain(|s| !matches!(s, Statement::Create(t) | Statement::Join(t) if *t == gone));
    for statement in &mut threads[0] {
        if let Statement::Create(t) | Statement::Join(t) = statement
            && *t > gone
        {
            *t -= 1;
        }
    }
    Program { threads }
}

fn smaller_bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for i in 0..body.len() {
        let replaced = |with: &[Statement]| [&body[..i], with, &body[i + 1..]].concat();
        all.push(replaced(&[]));
        let mut copy = body[i].clone();
        if let Some(inner) = inner(&mut copy) {
            let inner = std::mem::take(inner);
            all.push(replaced(&inner));
            for smaller in smaller_bodies(&inner) {
                let mut copy = body[i].clone();
                *self::inner(&mut copy).expect("it has a body") = smaller;
                all.push(replaced(&[copy]));
            }
        }
        for number in 0..numbers(&mut body[i].clone()).len() {
            let mut copy = body[i].clone();
            if std::mem::take(numbers(&mut copy)[number]) != 0 {
                all.push(replaced(&[copy]));
            }
        }
        // A lock goes together with its unlock.
        if let Statement::Lock(m) = &body[i]
            && let Some(j) = (i + 1..body.len()).find(|&j| body[j] == Statement::Unlock(*m))
        {
            all.push([&body[..i], &body[i + 1..j], &body[j + 1..]].concat());
        }
    }
    all
}

fn inner(statement: &mut Statement) -> Option<&mut Vec<Statement>> {
    match statement {
        Statement::TryLock(_, inner)
        | Statement::If(_, _, inner)
        | Statement::While(.., inner)
        | Statement::Forever(inner) => Some(inner),
        _ => None,
    }
}

/// The registers and values in a statement.
fn numbers(statement: &mut Statement) -> Vec<&mut u8> {
    match statement {
        Statement::Await(_, r, value) => vec![r, value],
        Statement::Take(_, expected, new) => vec![expected, new],
        Statement::Load(_, r) | Statement::StoreRegister(_, r) | Statement::Choose(_, r) => vec![r],
        Statement::Decide(set, r) => vec![set, r],
        Statement::Store(_, v) | Statement::Xor(_, v) => vec![v],
        Statement::CompareExchange(_, expected, new, r) => vec![expected, new, r],
        Statement::If(r, v, _) | Statement::While(_, r, v, _) | Statement::Assert(r, v) | Statement::Assume(r, v) => {
            vec![r, v]
        }
        _ => Vec::new(),
    }
}

/// Locks are released by their holders, waits hold their mutex, only existing threads are joined, and what is repeated
/// for ever has an operation.
fn is_well_formed(program: &Program) -> bool {
    fn holds(body: &[Statement], held: &mut Vec<u8>) -> bool {
        body.iter().all(|s| match s {
            Statement::Lock(m) => {
                held.push(*m);
                true
            }
            Statement::Unlock(m) => match held.iter().position(|h| h == m) {
                Some(i) => {
                    held.remove(i);
                    true
                }
                None => false,
            },
            Statement::TryLock(m, inner) => {
                let mut inside = held.clone();
                inside.push(*m);
                let before = inside.clone();
                holds(inner, &mut inside) && inside == before
            }
            Statement::Forever(inner) if !inner.iter().any(|s| matches!(s, Statement::Load(..))) => false,
            Statement::If(_, _, inner) | Statement::While(_, _, _, inner) | Statement::Forever(inner) => {
                let before = held.clone();
                holds(inner, held) && *held == before
            }
            Statement::Wait(_, m) => held.contains(m),
            _ => true,
        })
    }
    let joined_exist = program.threads[0].iter().all(|s| match s {
        Statement::Join(t) => program.threads[0].contains(&Statement::Create(*t)),
        _ => true,
    });
    joined_exist && program.threads.iter().all(|t| holds(t, &mut Vec::new()))
}

#[test]
fn what_does_not_matter_is_removed() {
    use Statement as S;
    // "Fails" if a thread may store to granule 1 while it holds mutex 1.
    fn fails(program: &Program) -> bool {
        program.threads.iter().any(|body| {
            let lock = body.iter().position(|s| *s == S::Lock(1));
            let store = body.iter().position(|s| matches!(s, S::Store(x, _) if x.granule == 1));
            lock.is_some() && lock < store
        })
    }
    let mut shrunken = 0;
    for program in (0..25_000).map(crate::generate::program).filter(fails) {
        let small = shrink(program, fails);
        let threads: Vec<_> = small.threads.iter().filter(|t| !t.is_empty()).collect();
        assert_eq!(threads.len(), 1, "{small:?}");
        assert!(matches!(threads[0][..], [S::Lock(1), S::Store(_, 0)]), "{small:?}");
        assert!(small.threads.len() <= 2, "{small:?}");
        shrunken += 1;
    }
    assert!(shrunken > 20, "only {shrunken} programs to shrink");
}
