//! Random programs and their shrinking.
use crate::toy::{Cell, Program, Statement};

/// A small, fast, seeded generator (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: u32) -> u32 {
        (self.next() % u64::from(n)) as u32
    }

    fn small(&mut self, n: u32) -> u8 {
        self.below(n) as u8
    }
}

/// What a program is made of, so that every family gets its share of small dense programs.
struct Palette {
    locks: u32,
    conditions: u32,
    cells: Vec<Cell>,
    choices: bool,
    ends: bool,
    loops: bool,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    generate(seed, false)
}

/// The program of a seed, with loops that may never end.
pub fn looping(seed: u64) -> Program {
    generate(seed, true)
}

fn generate(seed: u64, loops: bool) -> Program {
    let random = &mut Random::new(seed);
    let whole = |granule| Cell { granule, start: 0, len: 2 };
    let mut cells = vec![whole(0)];
    match random.below(4) {
        0 => cells.push(whole(1)),
        1 => cells.push(Cell { granule: 0, start: 1, len: 2 }),
        2 => cells.extend([Cell { granule: 0, start: 0, len: 1 }, Cell { granule: 0, start: 1, len: 1 }]),
        _ => {}
    }
    let palette = Palette {
        locks: random.below(3),
        conditions: random.below(3),
        cells,
        choices: random.below(5) == 0,
        ends: random.below(5) == 0,
        loops,
    };
    let workers = 1 + random.below(3);
    let budget = if workers == 3 { 2 } else { 4 };
    let mut threads: Vec<Vec<Statement>> = vec![Vec::new()];
    for _ in 0..workers {
        let n = 1 + random.below(budget);
        threads.push(body(random, &palette, n, 0));
    }
    let main_acts = random.below(3) == 0;
    for t in 1..=workers {
        threads[0].push(Statement::Create(t));
    }
    if main_acts {
        let own = body(random, &palette, 1, 0);
        threads[0].extend(own);
    }
    if random.below(3) > 0 {
        let joined = random.below(workers + 1);
        for t in 1..=joined {
            threads[0].push(Statement::Join(t));
        }
        if joined == workers && random.below(2) == 0 {
            threads[0].push(Statement::Load(palette.cells[0], 1));
            threads[0].push(Statement::Assert(1, random.small(3)));
        }
    }
    Program { threads }
}

fn body(random: &mut Random, palette: &Palette, n: u32, depth: u32) -> Vec<Statement> {
    (0..n).flat_map(|_| statement(random, palette, depth)).collect()
}

fn statement(random: &mut Random, palette: &Palette, depth: u32) -> Vec<Statement> {
    let cell = palette.cells[random.below(palette.cells.len() as u32) as usize];
    let register = random.small(4);
    loop {
        let kinds = if palette.loops && depth < 2 { 20 } else { 16 };
        return match random.below(kinds) {
            0 | 1 if palette.locks > 0 && depth < 2 => {
                let m = random.small(palette.locks);
                let n = random.below(2);
                let mut section = vec![Statement::Lock(m)];
                section.extend(body(random, palette, n, depth + 1));
                section.push(Statement::Unlock(m));
                section
            }
            2 if palette.locks > 0 && depth < 2 => {
                let n = random.below(2);
                let inner = body(random, palette, n, depth + 1);
                vec![Statement::TryLock(random.small(palette.locks), inner)]
            }
            3 | 4 if palette.locks > 0 && palette.conditions > 0 && depth < 2 => {
                let m = random.small(palette.locks);
                let wait = Statement::Wait(random.small(palette.conditions), m);
                let mut section = vec![Statement::Lock(m)];
                if random.below(2) == 0 {
                    section.push(Statement::Load(cell, register));
                    section.push(Statement::If(register, 0, vec![wait]));
                } else {
                    section.push(wait);
                }
                section.push(Statement::Unlock(m));
                section
            }
            5 if palette.conditions > 0 => {
                vec![Statement::Signal(random.small(palette.conditions))]
            }
            6 if palette.conditions > 0 => vec![match random.below(2) {
                0 => Statement::Signal(random.small(palette.conditions)),
                _ => Statement::Broadcast(random.small(palette.conditions)),
            }],
            7 | 8 => vec![Statement::Load(cell, register)],
            9 => vec![Statement::Store(cell, random.small(3))],
            10 => vec![Statement::StoreRegister(cell, register)],
            11 => vec![Statement::Add(cell, 1 + random.small(2))],
            12 => vec![Statement::CompareExchange(cell, random.small(3), random.small(3), register)],
            13 if depth < 2 => {
                let inner = body(random, palette, 1, depth + 1);
                vec![Statement::Load(cell, register), Statement::If(register, random.small(3), inner)]
            }
            14 if palette.choices => vec![Statement::Choose(2 + random.small(2), register)],
            15 if palette.ends => match random.below(4) {
                0 => vec![Statement::Exit],
                1 => vec![Statement::Assume(register, random.small(2))],
                _ => vec![Statement::Load(cell, register), Statement::Assert(register, random.small(3))],
            },
            16..=18 => {
                let n = random.below(2);
                let inner = body(random, palette, n, depth + 1);
                vec![Statement::While(cell, register, random.small(3), inner)]
            }
            19 => {
                let mut inner = body(random, palette, 2, depth + 1);
                // A loop without an operation would be a local one.
                inner.push(Statement::Load(cell, register));
                vec![Statement::Forever(inner)]
            }
            _ => continue,
        };
    }
}

/// The smallest program that still fails: statements are removed, or replaced by their bodies, one at a time.
pub fn shrink(mut program: Program, fails: impl Fn(&Program) -> bool) -> Program {
    'again: loop {
        for thread in 0..program.threads.len() {
            for smaller in smaller_bodies(&program.threads[thread]) {
                let mut candidate = program.clone();
                candidate.threads[thread] = smaller;
                if is_well_formed(&candidate) && fails(&candidate) {
                    program = candidate;
                    continue 'again;
                }
            }
        }
        return program;
    }
}

fn smaller_bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for i in 0..body.len() {
        let replaced = |with: &[Statement]| [&body[..i], with, &body[i + 1..]].concat();
        all.push(replaced(&[]));
        if let Statement::If(_, _, inner) | Statement::While(_, _, _, inner) | Statement::Forever(inner) = &body[i] {
            all.push(replaced(inner));
        }
        if let Statement::While(x, r, v, inner) = &body[i] {
            all.extend(smaller_bodies(inner).into_iter().map(|b| replaced(&[Statement::While(*x, *r, *v, b)])));
        }
        if let Statement::Forever(inner) = &body[i] {
            let inner =
                smaller_bodies(inner).into_iter().filter(|b| b.iter().any(|s| matches!(s, Statement::Load(..))));
            all.extend(inner.map(|b| replaced(&[Statement::Forever(b)])));
        }
        if let Statement::If(r, v, inner) = &body[i] {
            all.extend(smaller_bodies(inner).into_iter().map(|b| replaced(&[Statement::If(*r, *v, b)])));
        }
        if let Statement::TryLock(m, inner) = &body[i] {
            all.extend(smaller_bodies(inner).into_iter().map(|b| replaced(&[Statement::TryLock(*m, b)])));
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

/// Locks are released by their holders, waits hold their mutex, and only existing threads are joined.
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
