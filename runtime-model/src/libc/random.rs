//! Pseudo-random numbers: the very sequence of glibc.
//!
//! The hidden state is a seed and a count of the numbers drawn. Drawing one is an atomic addition to that count, so
//! that the order in which threads draw is explored, and a number is computed from seed and count.
use crate::args::{Done, return_int, void, word};
use crate::table::Family;
use interp::Assumption;
use interp::hooks::{Call, LibraryContent, LibraryGlobal, ModelError, ModelResult, Outcome, Registered};
use interp::operation::{Operation, Ordering, RmwOp};

const FAMILY: Family = Family::of("random numbers");
const SEQUENCE: &str = "the sequence of glibc (assumption fixed-random); a visible action";

/// `rand` and its relatives.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("rand", SEQUENCE, draw),
    FAMILY.noted("random", SEQUENCE, draw),
    FAMILY.noted("srand", SEQUENCE, seed),
    FAMILY.noted("srandom", SEQUENCE, seed),
    // (For library code.)
    FAMILY.plain("__verify_random", relies_on_sequence).idling(),
];

/// Seed in the low, count in the high half.
const STATE: &str = "state of rand";

/// The hidden state.
pub(crate) fn globals() -> Vec<LibraryGlobal> {
    let content = LibraryContent::Bytes(1_u64.to_le_bytes().to_vec());
    vec![LibraryGlobal { name: STATE, content, constant: false }]
}

fn state(call: &dyn Call) -> u64 {
    call.global(STATE).expect("the machine defines the library's variables")
}

fn seed(call: &mut dyn Call) -> Done {
    let value = word(call, 0)? & 0xffff_ffff;
    let address = state(call);
    let ordering = Ordering::Relaxed;
    Ok(ModelResult::Operate(Operation::AtomicStore {
        address,
        size: 8,
        ordering,
        value: [value, 0],
        undefined: [0; 2],
    }))
}

fn draw(call: &mut dyn Call) -> Done {
    call.assume(Assumption::FixedRandom);
    let operation = Operation::AtomicRmw {
        op: RmwOp::Add,
        address: state(call),
        size: 8,
        ordering: Ordering::Relaxed,
        unused: false,
        value: [1 << 32, 0],
        undefined: [0; 2],
    };
    let finish = |_: &mut dyn Call, outcome: Outcome| {
        let [state, _] = outcome.value;
        number(state as u32, (state >> 32) as u32)
    };
    Ok(ModelResult::Then { operation, finish })
}

fn relies_on_sequence(call: &mut dyn Call) -> Done {
    call.assume(Assumption::FixedRandom);
    void()
}

/// Computing a number takes time in proportion to its index.
const MOST: u32 = 1_000_000;

fn number(seed: u32, index: u32) -> Done {
    if index >= MOST {
        return Err(ModelError::Unknown(format!("more than {MOST} calls of rand")));
    }
    return_int(additive(seed, index))
}

/// Number `index` of the additive feedback generator with 31 words of state.
fn additive(seed: u32, index: u32) -> i32 {
    let mut ring = [0_u32; 31];
    ring[0] = seed.max(1);
    for i in 1..31 {
        let product = i64::from(ring[i - 1] as i32) * 16807;
        ring[i] = product.rem_euclid(2_147_483_647) as u32;
    }
    // The generator throws the first 310 numbers away.
    let mut last = 0;
    for step in 0..=310 + index as usize {
        // Each number replaces the oldest and is the sum of it and of the third-latest.
        let (oldest, third) = ((step + 3) % 31, step % 31);
        ring[oldest] = ring[oldest].wrapping_add(ring[third]);
        last = ring[oldest];
    }
    (last >> 1) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed by a program linked with glibc.
    #[test]
    fn numbers_of_glibc() {
        let table = [
            (0, [1804289383, 846930886, 1131176229]),
            (1, [1804289383, 846930886, 1131176229]),
            (42, [71876166, 708592740, 1961870665]),
            (2147483649, [1081815585, 5219348, 79017319]),
            (4294967295, [254925627, 1205188300, 86498762]),
        ];
        for (seed, numbers) in table {
            assert_eq!([0, 1, 40].map(|i| additive(seed, i)), numbers, "seed {seed}");
        }
    }
}
