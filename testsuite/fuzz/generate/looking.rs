//! Programs whose threads look again and again, under locks, for what others do.
use super::lines::{GOES_ROUND, GONE_ROUND, POLLED, POLLS, UNORDERED};
use super::statement::LOADS;
use crate::around::NOTHING;
use crate::program::{Program, Statement};
use random::Random;

/// A random program whose threads poll under mutexes until others have changed something.
pub(crate) fn polling(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x1111_1111_1111_1111);
    let random = &mut random;
    let unordered = random.once_in(4);
    let racy = random.once_in(6);
    let threads = 2 + random.below(2);
    let statement = |random: &mut Random| {
        let (cell, value) = (random.below(2) as u8, random.below(3) as i32);
        match random.below(8) {
            0 | 1 => Statement::Line(random.pick(&POLLS)),
            2..=5 => Statement::Line(random.pick(&POLLED)),
            6 if racy => Statement::Line(random.pick(&["@g0 = 1;", "@g1 = 1;", "r = @g0;"])),
            6 if unordered => Statement::Line(random.pick(&UNORDERED)),
            6 => Statement::Store { cell, value, ordering: "seq_cst" },
            _ => Statement::Load { cell, ordering: if unordered { random.pick(&LOADS) } else { "seq_cst" } },
        }
    };
    let body = |random: &mut Random| (0..1 + random.below(6 - threads)).map(|_| statement(random)).collect();
    let mut threads: Vec<Vec<Statement>> = (0..threads).map(|_| body(random)).collect();
    threads[0].insert(0, Statement::Line(random.pick(&POLLS)));
    let last = Some((random.pick(&["@g0", "@g1", "@a0 + 3 * @g0"]), 1 + random.below(6) as i32));
    Program { threads, child: Vec::new(), joins: !random.once_in(6), last, large: false, around: &NOTHING, alike: None }
}

/// A random program whose threads go round loops with critical sections until a flag is set.
pub(crate) fn going_round(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x4444_4444_4444_4444);
    let random = &mut random;
    let unordered = random.once_in(5);
    let racy = random.once_in(6);
    let threads = 2 + random.below(2);
    let statement = |random: &mut Random| {
        let (cell, value) = (random.below(2) as u8, random.below(3) as i32);
        match random.below(10) {
            0 | 1 => Statement::Line(random.pick(&GOES_ROUND)),
            2 if random.once_in(2) => Statement::Line(random.pick(&POLLS)),
            2..=4 => Statement::Line(random.pick(&GONE_ROUND)),
            5..=7 => Statement::Line(random.pick(&POLLED)),
            8 if racy => Statement::Line(random.pick(&["@g0 = 1;", "@g1 = 1;", "r = @g0;"])),
            8 if unordered => Statement::Line(random.pick(&UNORDERED)),
            8 => Statement::Store { cell, value, ordering: "seq_cst" },
            _ => Statement::Load { cell, ordering: if unordered { random.pick(&LOADS) } else { "seq_cst" } },
        }
    };
    let body = |random: &mut Random| (0..1 + random.below(5 - threads)).map(|_| statement(random)).collect();
    let mut threads: Vec<Vec<Statement>> = (0..threads).map(|_| body(random)).collect();
    threads[0].insert(0, Statement::Line(random.pick(&GOES_ROUND)));
    let last = Some((random.pick(&["@g0", "@g1", "@a0 + 3 * @g0"]), 1 + random.below(6) as i32));
    Program { threads, child: Vec::new(), joins: !random.once_in(6), last, large: false, around: &NOTHING, alike: None }
}
