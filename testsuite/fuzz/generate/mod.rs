//! Makes random programs: one function for each kind of them, which says what statements are drawn from.
mod lines;
pub(crate) mod looking;
mod resources;
mod statement;

pub(crate) use resources::{descriptors, mappings, signals};

use crate::around::NOTHING;
use crate::program::{Alike, Program, Statement};
use lines::{
    AT_ONCE, BLOCKS, FIRST_COMES, HARMLESS_SECTIONS, MEANWHILE, OVERWRITTEN, PARTS, PARTS_BEFORE, PARTS_BESIDE,
    PARTS_BETWEEN, QUIET_SECTIONS, SECTIONED, SECTIONS,
};
use random::Random;
use statement::{ALL, CALLS, FUTEXES, LOADS, MESSAGES, Place, STORES, body, spin};

/// Which families of statements a program draws from. A program with everything shows little of anything.
struct Flavour {
    locks: bool,
    conditions: bool,
    atomics: bool,
    /// The first atomic variable is a flag that is only ever set, with `atomics`.
    flags: bool,
    blocks: bool,
    /// Loops that end when another thread writes something.
    loops: bool,
    /// Threads create threads.
    children: bool,
    /// Blocks are handed over by an atomic pointer.
    pointers: bool,
    /// Locks of other kinds than mutexes, semaphores, barriers, once, and waiting for a time.
    others: bool,
    /// All threads meet at the barrier.
    rounds: bool,
    /// Threads are asked to end, and what comes with that: cleanup handlers and thread-specific values.
    ends: bool,
    heap: bool,
    faulty: bool,
    /// Plain accesses without a lock.
    unprotected: bool,
    /// Most statements are such accesses, of some kind.
    racy: bool,
    /// Addresses of variables are handed out.
    lending: bool,
    /// Most statements are of these lines.
    lines: &'static [&'static str],
    /// Most statements store to the atomic variables, or read plainly what was stored there.
    stores: bool,
}

/// A random program. Atomic blocks change how all operations of a file are ordered, so only one file in four, of a
/// batch, has some.
pub(crate) fn program(seed: u64) -> Program {
    let blocks = (seed / 50).is_multiple_of(4);
    let mut random = Random(seed);
    let random = &mut random;
    let flavour = Flavour {
        locks: !random.once_in(4),
        conditions: random.once_in(3),
        atomics: !random.once_in(3),
        flags: random.once_in(4),
        blocks: blocks && random.once_in(2),
        loops: random.once_in(3),
        children: random.once_in(8),
        pointers: random.once_in(5),
        others: random.once_in(3),
        rounds: false,
        ends: false,
        heap: random.once_in(5),
        faulty: random.once_in(4),
        unprotected: random.once_in(10),
        racy: false,
        lending: false,
        lines: &[],
        stores: false,
    };
    of_flavour(random, &flavour)
}

/// A random program in which threads are asked to end, or meet at a barrier. A file with such a request has more
/// actions than others, so these programs have files of their own.
pub(crate) fn ending(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x5555_5555_5555_5555);
    let random = &mut random;
    let flavour = Flavour {
        locks: random.once_in(2),
        conditions: random.once_in(2),
        atomics: random.once_in(3),
        flags: random.once_in(4),
        blocks: false,
        loops: random.once_in(8),
        children: random.once_in(8),
        pointers: false,
        others: random.once_in(2),
        rounds: random.once_in(3),
        ends: !random.once_in(6),
        heap: false,
        faulty: random.once_in(6),
        unprotected: random.once_in(6),
        racy: false,
        lending: false,
        lines: &[],
        stores: false,
    };
    of_flavour(random, &flavour)
}

/// A random program in which threads send messages to one another.
pub(crate) fn messages(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x3333_3333_3333_3333);
    let random = &mut random;
    let lines: &[&str] =
        random.pick(&[&MESSAGES[..5], &MESSAGES[3..7], &MESSAGES[..11], &MESSAGES[11..17], &MESSAGES[17..]]);
    let flavour = Flavour {
        locks: random.once_in(4),
        conditions: false,
        atomics: random.once_in(4),
        flags: random.once_in(4),
        blocks: false,
        loops: random.once_in(10),
        children: false,
        pointers: false,
        others: false,
        rounds: false,
        ends: random.once_in(8),
        heap: false,
        faulty: random.once_in(8),
        unprotected: random.once_in(4),
        racy: false,
        lending: false,
        lines,
        stores: false,
    };
    of_flavour(random, &flavour)
}

/// A random program in which threads wait on futexes.
pub(crate) fn futexes(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x1111_1111_1111_1111);
    let random = &mut random;
    let flavour = Flavour {
        locks: random.once_in(4),
        conditions: false,
        atomics: random.once_in(2),
        flags: random.once_in(4),
        blocks: false,
        loops: random.once_in(10),
        children: random.once_in(10),
        pointers: false,
        others: random.once_in(10),
        rounds: false,
        ends: false,
        heap: false,
        faulty: random.once_in(8),
        unprotected: random.once_in(4),
        racy: false,
        lending: false,
        lines: random.pick(&[&FUTEXES[..11], &FUTEXES[..16], &FUTEXES[6..]]),
        stores: false,
    };
    of_flavour(random, &flavour)
}

/// A random program with operations of which the value of a word decides what they touch, and with what changes words
/// without being an action on them: atomic blocks, and plain stores at the beginning and in the end.
pub(crate) fn blocks(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x2222_2222_2222_2222);
    let random = &mut random;
    let flavour = Flavour {
        locks: random.once_in(4),
        conditions: random.once_in(10),
        atomics: random.once_in(2),
        flags: false,
        blocks: random.once_in(2),
        loops: false,
        children: false,
        pointers: false,
        others: random.once_in(10),
        rounds: false,
        ends: false,
        heap: false,
        faulty: random.once_in(8),
        unprotected: random.once_in(8),
        racy: false,
        lending: false,
        lines: random.pick(&[&BLOCKS[..6], &BLOCKS[6..18], &BLOCKS[..18], &BLOCKS[..]]),
        stores: false,
    };
    let mut program = of_flavour(random, &flavour);
    // What the words were before is in no memory any more.
    program.last = match random.below(4) {
        0 => Some(("(*(int *)&@a0 = 0, *(int *)&@a1 = 2)", 0)),
        1 => Some(("(*(int *)&@a0 = 7, atomic_compare_exchange_strong(&@a0, &(int){7}, 9))", 0)),
        _ => program.last,
    };
    if random.once_in(2) {
        program.around = &OVERWRITTEN;
    }
    program
}

/// A random program that races in most cases.
pub(crate) fn racy(seed: u64) -> Program {
    let blocks = (seed / 50).is_multiple_of(4);
    let mut random = Random(!seed);
    let random = &mut random;
    let flavour = Flavour {
        locks: random.once_in(3),
        conditions: random.once_in(10),
        atomics: random.once_in(3),
        flags: random.once_in(4),
        blocks: blocks && random.once_in(2),
        loops: random.once_in(6),
        children: false,
        pointers: random.once_in(6),
        others: random.once_in(6),
        rounds: false,
        ends: false,
        heap: random.once_in(3),
        faulty: random.once_in(4),
        unprotected: true,
        racy: true,
        lending: random.once_in(8),
        lines: &[],
        stores: false,
    };
    of_flavour(random, &flavour)
}

/// A random program that stores to atomic variables and reads them plainly, mostly where nobody writes any more.
pub(crate) fn stores(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x7777_7777_7777_7777);
    let random = &mut random;
    let flavour = Flavour {
        locks: random.once_in(3),
        conditions: false,
        atomics: random.once_in(2),
        flags: random.once_in(6),
        blocks: false,
        loops: random.once_in(10),
        children: random.once_in(3),
        pointers: false,
        others: false,
        rounds: false,
        ends: false,
        heap: false,
        faulty: false,
        unprotected: false,
        racy: false,
        lending: false,
        lines: &[],
        stores: true,
    };
    let mut program = of_flavour(random, &flavour);
    let last = ["*(int *)&@a0", "*(int *)&@a1", "((char *)&@a0)[0]", "*(int *)&@a0 + 3 * *(int *)&@a1", "@a1"];
    program.joins = true;
    program.last = Some((random.pick(&last), 1 + random.below(8) as i32));
    program
}

/// A random program whose threads spin until others have stored something.
pub(crate) fn spinning(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x2222_2222_2222_2222);
    let random = &mut random;
    let threads = 2 + random.below(2);
    let statement = |random: &mut Random| {
        let (cell, value) = (random.below(2) as u8, random.below(3) as i32);
        match random.below(6) {
            0 | 1 => spin(random),
            // (What loops read besides.)
            2 if random.once_in(4) => Statement::Line("@g0 = 1;"),
            2 | 3 => Statement::Store { cell, value, ordering: random.pick(&STORES) },
            4 => Statement::Modify { cell, operation: "fetch_add", value: 1, ordering: random.pick(&ALL) },
            _ => Statement::Load { cell, ordering: random.pick(&LOADS) },
        }
    };
    let body = |random: &mut Random| (0..1 + random.below(6 - threads)).map(|_| statement(random)).collect();
    let mut threads: Vec<Vec<Statement>> = (0..threads).map(|_| body(random)).collect();
    threads[0].push(spin(random));
    let last = Some((random.pick(&["@a0", "@a1", "@a0 + 3 * @a1"]), 1 + random.below(6) as i32));
    Program { threads, child: Vec::new(), joins: !random.once_in(6), last, large: false, around: &NOTHING, alike: None }
}

/// A random program whose threads create threads, and join them or one another.
pub(crate) fn joining(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x6666_6666_6666_6666);
    let random = &mut random;
    let simple = |random: &mut Random| {
        let (cell, value) = (random.below(2) as u8, random.below(3) as i32);
        match random.below(9) {
            0 | 1 => Statement::Store { cell, value, ordering: random.pick(&STORES) },
            2 => Statement::Modify { cell, operation: "fetch_add", value: 1, ordering: random.pick(&ALL) },
            3 | 4 => Statement::Load { cell, ordering: random.pick(&LOADS) },
            5 => Statement::Section { mutex: cell, body: vec![Statement::Write { variable: cell, plus: 1 }] },
            6 => Statement::Section { mutex: cell, body: vec![Statement::Read { variable: cell }] },
            7 => Statement::Write { variable: cell, plus: value },
            _ => Statement::Assert { not: value },
        }
    };
    let threads = 2 + random.below(2);
    let join = |random: &mut Random, thread: u64| match random.below(4) {
        0 | 1 if thread > 0 => Statement::Adopt,
        2 => Statement::Children { times: 1 + random.below(2) as u8 },
        _ => Statement::Relay,
    };
    let body = |random: &mut Random, thread: u64| {
        let mut body: Vec<Statement> = (0..random.below(3)).map(|_| simple(random)).collect();
        if random.once_in(2) {
            let mut statement = join(random, thread);
            let (value, cell) = (random.below(2) as i32, random.below(2) as u8);
            statement = match random.below(8) {
                0 => Statement::If { value, then: vec![statement], otherwise: vec![simple(random)] },
                1 | 2 => Statement::Repeat { body: vec![statement], cell, until: value, ordering: random.pick(&LOADS) },
                _ => statement,
            };
            body.insert(random.below(body.len() as u64 + 1) as usize, statement);
        }
        body
    };
    let threads = (0..threads).map(|thread| body(random, thread)).collect();
    let mut child: Vec<Statement> = (0..random.below(3)).map(|_| simple(random)).collect();
    if random.once_in(3) {
        child.push(Statement::Leaves { all: !random.once_in(4) });
    }
    let last = random.once_in(2).then(|| (random.pick(&["@a0", "@a1", "@a0 + 3 * @a1"]), 1 + random.below(6) as i32));
    Program { threads, child, joins: !random.once_in(8), last, large: false, around: &NOTHING, alike: None }
}

/// A random program of some kind, the same for a batch.
pub(crate) fn any(seed: u64) -> Program {
    let kinds = [
        mappings,
        program,
        signals,
        stores,
        descriptors,
        ending,
        mappings,
        futexes,
        racy,
        messages,
        signals,
        spinning,
        joining,
        blocks,
    ];
    kinds[(seed / 50 % kinds.len() as u64) as usize](seed)
}

/// A random program with critical sections, most of which have nothing to do with one another. Most programs are small
/// enough for every interleaving.
pub(crate) fn sections(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x3333_3333_3333_3333);
    let random = &mut random;
    let threads = 2 + random.below(2);
    let faulty = random.once_in(3);
    let statement = |random: &mut Random| {
        let kinds = if faulty { SECTIONS.len() } else { HARMLESS_SECTIONS };
        let kinds = if random.once_in(2) { QUIET_SECTIONS } else { kinds };
        Statement::Line(SECTIONS[random.below(kinds as u64) as usize])
    };
    let longest = if random.once_in(4) { 6 - threads } else { 4 - threads };
    let body = |random: &mut Random| (0..1 + random.below(longest)).map(|_| statement(random)).collect();
    let threads = (0..threads).map(|_| body(random)).collect();
    let last = Some((
        random.pick(&["@z[0]", "@z[1]", "@d[0]", "@z[0] + 3 * @z[1]", "@f[0] + 2 * @d[2]"]),
        1 + random.below(4) as i32,
    ));
    Program {
        threads,
        child: Vec::new(),
        joins: !random.once_in(6),
        last,
        large: false,
        around: &SECTIONED,
        alike: None,
    }
}

/// A random program with threads that run the same function. Most have fewer statements than other programs.
pub(crate) fn alike(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x7777_7777_7777_7777);
    let random = &mut random;
    let flavour = Flavour {
        locks: random.once_in(2),
        conditions: random.once_in(4),
        atomics: random.once_in(2),
        flags: random.once_in(4),
        blocks: false,
        loops: random.once_in(6),
        children: random.once_in(12),
        pointers: random.once_in(12),
        others: random.once_in(3),
        rounds: random.once_in(12),
        ends: false,
        heap: random.once_in(8),
        faulty: random.once_in(4),
        unprotected: random.once_in(6),
        racy: false,
        lending: false,
        lines: if random.once_in(2) { &FIRST_COMES } else { &[] },
        stores: false,
    };
    let program = of_flavour(random, &flavour);
    let [mut one, mut other] = [program.threads[1].clone(), program.threads[0].clone()];
    one.truncate(3);
    if random.once_in(3) {
        one.truncate(random.below(2) as usize);
        one.insert(0, Statement::Line(FIRST_COMES[random.below(AT_ONCE as u64) as usize]));
    }
    other.truncate(2);
    let threads = match random.below(6) {
        0..=2 => vec![one.clone(), one],
        3 => vec![one.clone(), one, other],
        4 => vec![other, one.clone(), one],
        _ => {
            one.truncate(2);
            vec![one.clone(), one.clone(), one]
        }
    };
    let at = |random: &mut Random| if random.once_in(3) { random.pick(&MEANWHILE) } else { "" };
    let arguments = ["0", "(void *)#l", "&@g0 + #"][seed as usize % 3];
    let mut alike = Alike { at_creations: at(random), at_joins: at(random), arguments };
    let mut threads = threads;
    if (seed / 3).is_multiple_of(4) {
        let one = vec![Statement::Line(random.pick(&PARTS))];
        threads = vec![one.clone(), one];
        if random.once_in(2) {
            threads.insert(2 * random.below(2) as usize, vec![Statement::Line(random.pick(&PARTS_BESIDE))]);
        }
        (alike.at_creations, alike.at_joins) = (random.pick(&PARTS_BEFORE), random.pick(&PARTS_BETWEEN));
    }
    let last = Some((random.pick(&["@g0", "@a0", "@a1", "@g1 + 2 * @g0"]), 1 + random.below(3) as i32));
    Program { threads, large: false, joins: !random.once_in(10), last, alike: Some(alike), ..program }
}

fn of_flavour(random: &mut Random, flavour: &Flavour) -> Program {
    let threads = 2 + random.below(2);
    let longest = if threads == 2 { 4 } else { 2 };
    let threads = (0..threads).map(|thread| {
        let length = 1 + random.below(longest);
        let mut body = body(random, flavour, length, Place { first: thread == 0, ..Place::default() });
        for _ in 0..if flavour.rounds { 1 + random.below(2) } else { 0 } {
            body.insert(random.below(body.len() as u64 + 1) as usize, Statement::Line(random.pick(&CALLS[5..7])));
        }
        body
    });
    let threads = threads.collect();
    let child =
        if flavour.children { body(random, flavour, 1, Place { child: true, ..Place::default() }) } else { Vec::new() };
    let last = random.once_in(2).then(|| (random.pick(&["@g0", "@g1", "@a0", "@a1"]), 1 + random.below(3) as i32));
    Program { threads, child, joins: !random.once_in(6), last, large: random.once_in(4), around: &NOTHING, alike: None }
}
