//! Random programs.
use crate::program::{Cell, Program, Statement};

/// Random numbers as these programs are made of.
pub struct Random(random::Random);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(random::Random::new(seed))
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0.below(n.into()) as u32
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
    /// Hardly anything but waiting and waking.
    waits: bool,
    /// Threads wait for what is in cells.
    spins: bool,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    generate(seed, false, 0)
}

/// The program of a seed, with loops that may never end.
pub fn looping(seed: u64) -> Program {
    generate(seed, true, 0)
}

/// A state comes again with fewer asleep, and four others are found only if more is taken from it then. (There are
/// circles among all of them: without, what sleeps was always taken elsewhere.)
pub fn woken_again() -> Program {
    let byte = |start| Cell { granule: 0, start, len: 1 };
    let main = (1..=3).map(Statement::Create).collect();
    let first = vec![
        Statement::Load(byte(1), 1),
        Statement::Forever(vec![Statement::Load(byte(0), 0), Statement::Store(byte(0), 0)]),
    ];
    let second = vec![Statement::Forever(vec![Statement::Xor(byte(2), 0), Statement::Load(byte(0), 0)])];
    let third = vec![Statement::Forever(vec![Statement::Store(byte(1), 1), Statement::Load(byte(0), 0)])];
    Program { threads: vec![main, first, second, third] }
}

/// The program of a seed, with threads that go round for ever: states come again on many ways.
pub fn circling(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let cells = [0, 1, 2].map(|start| Cell { granule: 0, start, len: 1 });
    let workers = 2 + random.below(3);
    let mut threads = vec![(1..=workers).map(Statement::Create).collect()];
    for _ in 0..workers {
        let statement = |random: &mut Random, depth: u32| {
            let cell = cells[random.below(3) as usize];
            match random.below(if depth > 0 { 8 } else { 10 }) {
                0..=2 => vec![Statement::Store(cell, random.small(2))],
                3 => vec![Statement::Xor(cell, 1)],
                4 | 5 => vec![Statement::Load(cell, random.small(2))],
                6 => vec![Statement::Lock(0), Statement::Unlock(0)],
                7 => vec![Statement::CompareExchange(cell, random.small(2), random.small(2), random.small(2))],
                8 => vec![Statement::Take(cell, random.small(2), random.small(2))],
                _ => vec![Statement::Await(cell, random.small(2), random.small(2))],
            }
        };
        let mut body: Vec<Statement> = (0..random.below(3)).flat_map(|_| statement(random, 0)).collect();
        let mut turn: Vec<Statement> = (0..1 + random.below(2)).flat_map(|_| statement(random, 1)).collect();
        match random.below(3) {
            0 => turn.push(Statement::Load(cells[random.below(3) as usize], 0)),
            1 => turn.push(Statement::Store(cells[random.below(3) as usize], random.small(2))),
            _ => {}
        }
        match random.below(4) {
            0 => body.push(Statement::While(cells[random.below(3) as usize], random.small(2), random.small(2), turn)),
            _ => body.push(Statement::Forever(turn)),
        }
        threads.push(body);
    }
    Program { threads }
}

/// The program of a seed, with threads that go round for ever and look at something under mutexes: in any nesting, some
/// with a mutex in their hands where a turn begins. Few of them ever change anything.
pub fn locking(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let cell = |number: u32| Cell { granule: 0, start: number as u8, len: 1 };
    let workers = 1 + random.below(3);
    let mut threads = vec![(1..=workers).map(Statement::Create).collect::<Vec<_>>()];
    if random.below(4) == 0 {
        threads[0].push(Statement::Lock(0));
    }
    if random.below(3) == 0 {
        threads[0].push(Statement::Store(cell(random.below(2)), 1));
    }
    if random.below(3) == 0 {
        threads[0].push(Statement::Join(1));
    }
    for _ in 0..workers {
        let look = |random: &mut Random| match random.below(16) {
            0 => vec![Statement::Store(cell(random.below(2)), random.small(2))],
            1 => vec![Statement::Choose(2, 0), Statement::If(0, 1, vec![Statement::Load(cell(0), 1)])],
            2 => vec![Statement::TryLock(random.small(2), vec![])],
            3 => vec![Statement::Load(cell(0), 0), Statement::If(0, 1, vec![Statement::Store(cell(1), 1)])],
            4 => vec![Statement::CompareExchange(cell(random.below(2)), 1, 0, 0)],
            5..=7 => vec![],
            _ => vec![Statement::Load(cell(random.below(2)), random.small(2))],
        };
        let first = random.small(2);
        let other = 1 - first;
        let (take, give) = (Statement::Lock, Statement::Unlock);
        let (mut body, mut turn) = (look(random), look(random));
        match random.below(6) {
            0 => {
                turn.push(take(first));
                turn.extend(look(random));
                turn.push(give(first));
            }
            // What is held where a turn begins is given back in between.
            1 => {
                body.push(take(first));
                turn.push(give(first));
                turn.extend(look(random));
                turn.push(take(first));
            }
            2 => {
                turn.extend([take(first), take(other)]);
                turn.extend(look(random));
                turn.extend(if random.below(2) == 0 { [give(first), give(other)] } else { [give(other), give(first)] });
            }
            // From hand to hand.
            3 => {
                body.push(take(first));
                turn.extend([take(other), give(first)]);
                turn.extend(look(random));
                turn.extend([take(first), give(other)]);
            }
            // One of them for ever.
            4 => {
                body.push(take(first));
                turn.push(take(other));
                turn.extend(look(random));
                turn.push(give(other));
            }
            _ => turn.extend(look(random)),
        }
        match random.below(4) {
            0 => body.push(Statement::While(cell(random.below(2)), 0, random.small(2), turn)),
            _ => body.push(Statement::Forever(turn)),
        }
        threads.push(body);
    }
    Program { threads }
}

/// The program of a seed, in most cases with too many interleavings for brute force.
pub fn larger(seed: u64) -> Program {
    generate(seed, false, 2)
}

/// The program of a seed, with decisions about the input in it, and perhaps with loops that may never end.
pub fn deciding(seed: u64, loops: bool) -> Program {
    let mut program = generate(seed, loops, 0);
    let random = &mut Random::new(seed ^ 0xdec1de);
    let cell = Cell { granule: 0, start: 0, len: 2 };
    for statements in &mut program.threads {
        for _ in 0..random.below(3) {
            let (set, register) = (random.below(256) as u8, random.small(2));
            let mut new = vec![Statement::Decide(set, register)];
            let then = match random.below(6) {
                0 => vec![Statement::Store(cell, 1 + random.small(2))],
                1 => vec![Statement::Load(cell, 2)],
                2 => vec![Statement::Lock(0), Statement::Unlock(0)],
                3 => vec![Statement::Load(cell, 2), Statement::Assert(2, 1)],
                4 => vec![Statement::Decide(random.below(256) as u8, 3), Statement::Xor(cell, 1)],
                _ => Vec::new(),
            };
            if !then.is_empty() {
                new.push(Statement::If(register, random.small(2), then));
            }
            let at = random.below(statements.len() as u32 + 1) as usize;
            statements.splice(at..at, new);
        }
    }
    program
}

/// `more`: so many more statements a thread has at most.
fn generate(seed: u64, loops: bool, more: u32) -> Program {
    let random = &mut Random::new(seed);
    match random.below(8) {
        0 | 1 => return partial(random, more),
        2 | 3 if !loops => return flags(random, [4, 3, 2].map(|most| most + more)),
        _ => {}
    }
    let whole = |granule| Cell { granule, start: 0, len: 2 };
    let mut cells = vec![whole(0)];
    match random.below(4) {
        0 => cells.push(whole(1)),
        1 => cells.push(Cell { granule: 0, start: 1, len: 2 }),
        2 => cells.extend([Cell { granule: 0, start: 0, len: 1 }, Cell { granule: 0, start: 1, len: 1 }]),
        _ => {}
    }
    // Whom a signal wakes only matters where several threads wait, which takes most of what they do.
    let waits = random.below(8) == 0;
    let palette = Palette {
        locks: if waits { 1 } else { random.below(3) },
        conditions: if waits { 1 } else { random.below(3) },
        cells,
        choices: random.below(5) == 0,
        ends: random.below(5) == 0,
        loops,
        waits,
        spins: !loops && random.below(4) == 0,
    };
    let workers = 1 + random.below(3);
    let budget = more + if workers == 3 { 2 } else { 4 };
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

/// An exchange that fails behind a write could succeed without it, and then comes behind a read that is concurrent.
pub fn failed_exchange() -> Program {
    use Statement::{CompareExchange, Create, Load, Xor};
    let [first, second, both] = [(0, 1), (1, 1), (0, 2)].map(|(start, len)| Cell { granule: 0, start, len });
    let workers = [
        vec![Xor(first, 2), Load(both, 0)],
        vec![CompareExchange(both, 0, 1, 0)],
        vec![CompareExchange(second, 1, 0, 0)],
    ];
    Program { threads: [vec![vec![Create(1), Create(2), Create(3)]], workers.to_vec()].concat() }
}

/// A signal that wakes the second thread sleeps where another one wakes the fourth: that it could have woken that one
/// as well is seen in no race of what is executed there.
pub fn sleeping_signal() -> Program {
    use Statement::{Create, Lock, Signal, Unlock, Wait};
    let waits = [Lock(0), Wait(0, 0), Unlock(0)];
    let workers = [vec![Signal(0)], waits.to_vec(), vec![Signal(0)], [&waits[..], &[Signal(0)]].concat()];
    Program { threads: [vec![vec![Create(1), Create(2), Create(3), Create(4)]], workers.to_vec()].concat() }
}

/// Whoever comes last of two writes decides whether an exchange that sees them is concurrent with a read.
pub fn observer_decides() -> Program {
    use Statement::{CompareExchange, Create, Load, Store};
    let [first, second, both] = [(0, 1), (1, 1), (0, 2)].map(|(start, len)| Cell { granule: 0, start, len });
    let exchange = CompareExchange(both, 0, 0, 0);
    let workers = [vec![Store(second, 1), Load(first, 0)], vec![exchange.clone(), Store(second, 0), exchange]];
    Program { threads: [vec![vec![Create(1), Create(2)]], workers.to_vec()].concat() }
}

/// A program of threads that write few places, mostly without looking, and of others whose operations do different
/// things depending on who came last. How many statements a thread has at most goes by the number of threads.
pub fn blind_writes(random: &mut Random, most: [u32; 3]) -> Program {
    let cells = [(0, 1), (1, 1), (0, 2)].map(|(start, len)| Cell { granule: 0, start, len });
    let workers = 2 + random.below(3);
    let most = most[workers as usize - 2];
    let writes = 1 + random.below(6);
    let mut threads = meeting(random, workers, most, |random| {
        let cell = cells[random.below(3) as usize];
        let (value, new, register) = (random.small(2), random.small(2), random.small(2));
        match random.below(6 + writes) {
            0 => vec![Statement::TryLock(0, vec![Statement::Store(cell, value)])],
            1 | 2 => vec![Statement::CompareExchange(cell, value, new, register)],
            3 => vec![Statement::Xor(cell, 1 + value)],
            4 => vec![Statement::Load(cell, register)],
            5 => vec![
                Statement::Load(cell, register),
                Statement::If(register, value, vec![Statement::Store(cells[new as usize], 1)]),
            ],
            _ => vec![Statement::Store(cell, value)],
        }
    });
    if random.below(4) == 0 {
        threads[0].extend((1..=workers).map(Statement::Join));
        threads[0].push(Statement::Load(cells[2], 0));
    }
    Program { threads }
}

/// A program that is dense with operations that may touch less than they could: exchanges that fail, trylocks that
/// fail, signals that wake nobody or somebody. Threads meet in few places and do little.
fn partial(random: &mut Random, more: u32) -> Program {
    let cells = [(0, 1), (1, 1), (0, 2)].map(|(start, len)| Cell { granule: 0, start, len });
    let workers = 2 + random.below(3);
    let most = more + [0, 0, 4, 3, 1][workers as usize];
    let waits = random.below(4) == 0;
    let threads = meeting(random, workers, most, |random| {
        let cell = cells[random.below(3) as usize];
        let (value, new, register) = (random.small(2), random.small(2), random.small(3));
        match random.below(8) {
            0 if waits => vec![Statement::Lock(0), Statement::Wait(0, 0), Statement::Unlock(0)],
            1 if waits => vec![if random.below(4) == 0 { Statement::Broadcast(0) } else { Statement::Signal(0) }],
            0 | 1 => vec![Statement::TryLock(0, Vec::new())],
            2..=4 => vec![Statement::CompareExchange(cell, value, new, register)],
            5 => vec![Statement::Xor(cell, 1 + value)],
            6 => vec![Statement::Store(cell, value)],
            _ => vec![Statement::Load(cell, register)],
        }
    });
    Program { threads }
}

/// Threads that the first one creates, each of which does a few things.
fn meeting(
    random: &mut Random,
    workers: u32,
    most: u32,
    mut one: impl FnMut(&mut Random) -> Vec<Statement>,
) -> Vec<Vec<Statement>> {
    let mut threads: Vec<Vec<Statement>> = vec![(1..=workers).map(Statement::Create).collect()];
    for _ in 0..workers {
        let n = 1 + random.below(most);
        threads.push((0..n).flat_map(|_| one(random)).collect());
    }
    threads
}

/// A program in which several threads set what few cells hold, always to the same, and others read it. How many
/// statements a thread has at most goes by the number of threads.
pub fn flags(random: &mut Random, most: [u32; 3]) -> Program {
    let flag = |start, len| Cell { granule: 0, start, len };
    let flags = if random.below(3) == 0 { vec![flag(0, 1), flag(1, 1)] } else { vec![flag(0, 1)] };
    let (wide, other) = (flag(0, 2), Cell { granule: 1, start: 0, len: 1 });
    let workers = 1 + random.below(3);
    let most = most[workers as usize - 1];
    let mut one_in = |n| random.below(n) == 0;
    let (locks, waits, choices, ends, awaits) = (one_in(4), one_in(10), one_in(8), one_in(8), one_in(4));
    let mut threads = vec![Vec::new(); 1 + workers as usize];
    threads[0].extend((1..=workers).map(Statement::Create));
    for thread in 0..=workers {
        let n = if thread == 0 { random.below(1 + most) } else { 1 + random.below(most) };
        let mut statements = Vec::new();
        for _ in 0..n {
            let cell = flags[random.below(flags.len() as u32) as usize];
            let read = if random.below(4) == 0 { wide } else { cell };
            let (value, register) = (random.small(2), random.small(2));
            let set = Statement::Store(cell, 1);
            statements.extend(match random.below(20) {
                0..=4 => vec![set],
                5..=8 => vec![Statement::Load(read, register)],
                9 => {
                    let then = [set, Statement::Store(other, 2), Statement::Load(other, 1)];
                    let then = then[random.below(3) as usize].clone();
                    vec![Statement::Load(read, register), Statement::If(register, value, vec![then])]
                }
                10 => vec![Statement::Store(other, 1 + value)],
                11 => vec![Statement::Load(other, register)],
                12 => vec![Statement::Xor(other, 1)],
                13 => vec![Statement::CompareExchange(other, value, 1, register)],
                14 | 15 if locks => vec![Statement::Lock(0), set, Statement::Unlock(0)],
                16 if locks => {
                    vec![Statement::TryLock(0, vec![[set, Statement::Load(read, 1)][usize::from(value)].clone()])]
                }
                14 if waits => vec![Statement::Lock(0), Statement::Wait(0, 0), Statement::Unlock(0)],
                15 if waits => vec![Statement::Signal(0)],
                17 if choices => vec![Statement::Choose(2, register), Statement::If(register, value, vec![set])],
                16 if awaits => vec![Statement::Await(cell, register, 0)],
                18 if ends && value == 0 => vec![Statement::Load(read, register), Statement::Assert(register, 1)],
                18 if ends => vec![Statement::Load(read, register), Statement::Assume(register, 1)],
                19 if ends => vec![Statement::Load(read, register), Statement::If(register, 1, vec![Statement::Exit])],
                18 if awaits => vec![Statement::Await(read, register, value)],
                19 if awaits => vec![Statement::Await(read, register, value), set],
                _ => vec![[set, Statement::Load(read, register)][random.below(2) as usize].clone()],
            });
        }
        threads[thread as usize].extend(statements);
    }
    if random.below(4) == 0 {
        threads[0].extend((1..=workers).map(Statement::Join));
        threads[0].push(Statement::Load(wide, 0));
    }
    Program { threads }
}

fn body(random: &mut Random, palette: &Palette, n: u32, depth: u32) -> Vec<Statement> {
    (0..n).flat_map(|_| statement(random, palette, depth)).collect()
}

fn statement(random: &mut Random, palette: &Palette, depth: u32) -> Vec<Statement> {
    let cell = palette.cells[random.below(palette.cells.len() as u32) as usize];
    let register = random.small(4);
    if palette.spins && random.below(4) == 0 {
        return vec![match random.below(3) {
            0 => Statement::Take(cell, random.small(2), random.small(3)),
            _ => Statement::Await(cell, register, random.small(2)),
        }];
    }
    loop {
        let kinds = match palette {
            Palette { waits: true, .. } => 7,
            Palette { loops: true, .. } if depth < 2 => 20,
            _ => 16,
        };
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
                // A condition variable goes with one mutex, as POSIX wants it.
                let condition = random.small(palette.conditions);
                let m = condition % palette.locks as u8;
                let wait = Statement::Wait(condition, m);
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
            11 => vec![Statement::Xor(cell, 1 + random.small(3))],
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
