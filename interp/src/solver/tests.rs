use super::{Answer, Backend, Chain, Counters, Settings};
use crate::term::{Input, Model, Op, Term, Terms};
use random::Random;
use std::collections::BTreeMap;
use std::time::Duration;

const WIDTH: u8 = 4;
const INPUTS: u32 = 4;

/// A random comparison of small terms over some of the inputs.
fn constraint(terms: &mut Terms, random: &mut Random) -> Term {
    let mut value = |terms: &mut Terms| {
        let input = Input(random.below(INPUTS.into()) as u32);
        let (a, other) = (terms.input(input, WIDTH), Input(random.below(INPUTS.into()) as u32));
        let b = match random.below(3) {
            0 => terms.input(other, WIDTH),
            _ => terms.constant(random.below(1 << WIDTH).into(), WIDTH),
        };
        let op = random.pick(&[Op::Add, Op::Mul, Op::And, Op::Xor, Op::URem, Op::SDiv, Op::LShr]);
        terms.binary(op, a, b)
    };
    let (mut a, b) = (value(terms), value(terms));
    if random.below(3) == 0 {
        let condition = terms.binary(Op::Slt, b, a);
        let wide = [terms.zext(a, 7), terms.sext(b, 7), terms.zext(condition, 7)];
        let (one, two) = (random.pick(&wide), random.pick(&wide));
        let chosen = terms.ite(condition, one, two);
        let (pair, other) = (terms.concat(chosen, b), terms.concat(b, one));
        let sum = terms.binary(random.pick(&[Op::Add, Op::Sub, Op::Or, Op::Xor]), pair, other);
        a = terms.extract(if random.below(2) == 0 { sum } else { pair }, random.below(7) as u8, WIDTH);
    }
    let op = random.pick(&[Op::Eq, Op::Ult, Op::Slt]);
    let result = terms.binary(op, a, b);
    if random.below(2) == 0 { terms.not(result) } else { result }
}

fn holds(terms: &Terms, constraints: &[Term], model: &mut Model) -> bool {
    constraints.iter().all(|constraint| terms.value(*constraint, model) != 0)
}

/// Whether any values satisfy all constraints.
fn by_trying(terms: &Terms, constraints: &[Term]) -> bool {
    (0..1u128 << (u32::from(WIDTH) * INPUTS)).any(|all| {
        let value = |i: u32| (Input(i), all >> (u32::from(WIDTH) * i) & 0xf);
        holds(terms, constraints, &mut Model::new((0..INPUTS).map(value).collect::<BTreeMap<_, _>>()))
    })
}

/// Walks through random paths, with going back, and compares every answer with trying all values.
fn compare(backend: Backend, rounds: u32) -> Counters {
    let mut random = Random(7);
    let mut terms = Terms::default();
    let mut chain = Chain::new(Settings { backend, ..Settings::default() });
    let mut path: Vec<Term> = Vec::new();
    for _ in 0..rounds {
        let question = constraint(&mut terms, &mut random);
        let mut all = path.clone();
        all.push(question);
        let wanted = by_trying(&terms, &all);
        match chain.check(&terms, &path, question) {
            Answer::Sat(_) => assert!(wanted),
            Answer::Unsat => assert!(!wanted),
            Answer::Unknown(reason) => panic!("{reason}"),
        }
        if wanted {
            match chain.model(&terms, &all) {
                Answer::Sat(mut model) => assert!(holds(&terms, &all, &mut model)),
                other => panic!("there is a model: {other:?}"),
            }
            path = all;
        }
        let keep = path.len().saturating_sub(random.below(4) as usize).min(5);
        path.truncate(keep);
    }
    chain.counters()
}

#[cfg(feature = "z3")]
#[test]
fn the_chain_agrees_with_trying_all_values() {
    let counters = compare(Backend::Default, 120);
    assert!(counters.by_solver > 0 && counters.by_models > 0 && counters.by_trying > 0, "{counters:?}");
    assert!(counters.by_facts > 0 && counters.by_changes > 0, "{counters:?}");
    assert_eq!(counters.unknown, 0);
}

#[test]
fn small_inputs_need_no_solver() {
    let counters = compare(Backend::None, 60);
    assert!(counters.by_solver > 0 && counters.by_trying > 0, "{counters:?}");
    assert_eq!(counters.unknown, 0);
}

#[test]
fn without_a_solver_wide_inputs_are_unknown() {
    assert!(matches!(ask(Backend::None), Answer::Unknown(_)));
}

/// x·x = 49 with x < 128, of 32 bits.
fn square(terms: &mut Terms) -> Vec<Term> {
    let x = terms.input(Input(0), 32);
    let (most, wanted) = (terms.constant(128, 32), terms.constant(49, 32));
    let product = terms.binary(Op::Mul, x, x);
    vec![terms.binary(Op::Ult, x, most), terms.binary(Op::Eq, product, wanted)]
}

/// Runs the shell's text as a solver.
fn fake(text: &str) -> Backend {
    Backend::Command(vec!["sh".to_owned(), "-c".to_owned(), text.to_owned()])
}

fn ask(backend: Backend) -> Answer {
    let mut terms = Terms::default();
    let constraints = square(&mut terms);
    let mut chain = Chain::new(Settings { backend, limit: Duration::from_millis(300), second: None });
    chain.check(&terms, &constraints[..1], constraints[1])
}

#[test]
fn a_solver_behind_a_pipe_is_understood() {
    let honest =
        "while read l; do case $l in '(check-sat)') echo sat;; *get-value*) echo '((i0 #x00000007))';; esac; done";
    assert!(matches!(ask(fake(honest)), Answer::Sat(model) if model.input(Input(0)) == 7));
    let decimal = honest.replace("#x00000007", "(_ bv7 32)");
    assert!(matches!(ask(fake(&decimal)), Answer::Sat(model) if model.input(Input(0)) == 7));
    let unsat = "while read l; do case $l in '(check-sat)') echo unsat;; esac; done";
    assert!(matches!(ask(fake(unsat)), Answer::Unsat));
}

#[test]
fn a_solver_that_fails_is_no_answer() {
    let nonsense = "while read l; do case $l in '(check-sat)') echo maybe;; esac; done";
    let wrong_model =
        "while read l; do case $l in '(check-sat)') echo sat;; *get-value*) echo '((i0 #x00000008))';; esac; done";
    let no_model = "while read l; do case $l in '(check-sat)') echo sat;; *get-value*) echo '(error)';; esac; done";
    let cut_model = "while read l; do case $l in '(check-sat)') echo sat;; *get-value*) echo '((i0'; exit;; esac; done";
    // Neither lines nor parentheses that never end fill the memory.
    let line = "exec tr '\\0' x </dev/zero";
    let parentheses = "while read l; do case $l in '(check-sat)') echo sat;; *get-value*) exec yes '(';; esac; done";
    let dead = ["exit 3", "kill -SEGV $$", "exec sleep 60", "exec yes"];
    for text in [nonsense, wrong_model, no_model, cut_model, "cat", line, parentheses].into_iter().chain(dead) {
        assert!(matches!(ask(fake(text)), Answer::Unknown(_)), "{text}");
    }
    assert!(matches!(ask(Backend::Command(vec!["/no/such/solver".to_owned()])), Answer::Unknown(_)));
    assert!(matches!(ask(Backend::Command(Vec::new())), Answer::Unknown(_)));
}

/// That nothing satisfies the constraints, which a first solver says, is believed only if the second one says so, too.
#[test]
fn a_second_solver_has_to_agree() {
    let always = |answer: &str| {
        fake(&format!(
            "while read l; do case $l in '(check-sat)') echo {answer};; *get-value*) echo '((i0 #x00000007))';; esac; done"
        ))
    };
    let both = |second| {
        let mut terms = Terms::default();
        let constraints = square(&mut terms);
        let limit = Duration::from_millis(300);
        let mut chain = Chain::new(Settings { backend: always("unsat"), limit, second: Some(second) });
        (chain.check(&terms, &constraints[..1], constraints[1]), chain.counters().confirmed)
    };
    assert!(matches!(both(always("unsat")), (Answer::Unsat, 1)));
    let (Answer::Unknown(reason), 0) = both(always("sat")) else { panic!("the wrong one is believed") };
    assert_eq!(reason, "the second solver finds values where the first one says that there are none");
    let (Answer::Unknown(reason), 0) = both(always("unknown")) else { panic!("one is enough") };
    assert!(reason.starts_with("the second solver: "), "{reason}");
}

/// More is said than a pipe holds, to a solver that never reads.
#[test]
fn a_solver_that_does_not_listen_is_given_up() {
    let mut terms = Terms::default();
    let mut sum = terms.input(Input(0), 64);
    for i in 1..3000 {
        let (factor, next) = (terms.constant(2 * i + 1, 64), terms.input(Input(i as u32), 64));
        let product = terms.binary(Op::Mul, factor, next);
        sum = terms.binary(Op::Xor, sum, product);
    }
    let wanted = terms.constant(12345, 64);
    let question = terms.binary(Op::Eq, sum, wanted);
    let backend = fake("exec sleep 60");
    let mut chain = Chain::new(Settings { backend, limit: Duration::from_millis(300), second: None });
    let Answer::Unknown(reason) = chain.check(&terms, &[], question) else { panic!("nobody has answered") };
    assert_eq!(reason, "the solver `sh` fails: its time is over");
}

#[cfg(feature = "z3")]
#[test]
fn models_are_small_if_that_is_wanted() {
    let mut terms = Terms::default();
    let (x, y) = (terms.input(Input(0), 32), terms.input(Input(1), 32));
    let sum = terms.binary(Op::Add, x, y);
    let wanted = terms.constant(1_000_000, 32);
    let mut path = vec![terms.binary(Op::Eq, sum, wanted)];
    let least = terms.constant(7, 32);
    path.push(terms.binary(Op::Ult, least, x));
    let mut chain = Chain::new(Settings::default());
    let Answer::Sat(model) = chain.small_model(&mut terms, &path, &[(Input(0), 32), (Input(1), 32)]) else { panic!() };
    assert_eq!((model.input(Input(0)), model.input(Input(1))), (8, 999_992));
    let minus = terms.constant(0xffff_fff0, 32);
    let negative = terms.binary(Op::Ult, minus, y);
    let Answer::Sat(model) = chain.small_model(&mut terms, &[negative], &[(Input(1), 32)]) else { panic!() };
    assert_eq!(model.input(Input(1)), 0xffff_ffff);
}
