//! z3, as a library of the system.
//!
//! Its objects belong to one thread of ours and cannot move, while a machine can; and a question that it does not give
//! up in time could not be ended. So it has a thread to itself, which is sent terms and questions. If no answer comes
//! in twice the time that it has, the thread is left alone, and every further answer is "unknown".
//!
//! (What kind of term an object of z3's is must not be asked: with the library's versions before 5.3 the crate's
//! numbers of kinds are wrong, and it crashes. We walk our own terms.)
use super::{Answer, Solver};
use crate::term::{Input, Model, Node, Op, Term, Terms};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use z3::ast::{BV, Bool};
use z3::{Params, SatResult};

enum Request {
    Push,
    Pop,
    /// Terms that are new since the last one, and the constraint.
    Assert(Vec<(Node, u8)>, Term),
    Check(Vec<(Input, u8)>),
}

/// The door to z3's thread.
#[derive(Debug)]
pub struct Z3 {
    requests: Sender<Request>,
    answers: Receiver<Answer>,
    /// How many terms its thread has been told.
    known: usize,
    limit: Duration,
    /// Why there are no more answers.
    lost: Option<&'static str>,
}

impl Z3 {
    /// Starts one that may think for so long about one question.
    pub fn new(limit: Duration) -> Self {
        let (requests, todo) = channel();
        let (done, answers) = channel();
        let milliseconds = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX);
        let thread = std::thread::Builder::new().name("z3".to_owned()).stack_size(64 << 20);
        let started = thread.spawn(move || work(&todo, &done, milliseconds));
        let lost = started.is_err().then_some("no thread can be started for z3");
        Z3 { requests, answers, known: 0, limit, lost }
    }

    fn send(&mut self, request: Request) {
        if self.requests.send(request).is_err() {
            self.lost.get_or_insert("z3 has failed");
        }
    }
}

impl Solver for Z3 {
    fn push(&mut self) {
        self.send(Request::Push);
    }

    fn pop(&mut self) {
        self.send(Request::Pop);
    }

    fn assert(&mut self, terms: &Terms, constraint: Term) {
        let new = terms.since(self.known).collect();
        self.known = terms.len();
        self.send(Request::Assert(new, constraint));
    }

    fn check(&mut self, _: &Terms, inputs: &[(Input, u8)]) -> Answer {
        if self.lost.is_none() {
            self.send(Request::Check(inputs.to_vec()));
        }
        if let Some(lost) = self.lost {
            return Answer::Unknown(lost.to_owned());
        }
        match self.answers.recv_timeout(2 * self.limit + Duration::from_secs(1)) {
            Ok(answer) => answer,
            Err(_) => {
                self.lost = Some("z3 does not come back");
                Answer::Unknown("z3 does not come back".to_owned())
            }
        }
    }
}

/// What z3's thread does.
fn work(todo: &Receiver<Request>, done: &Sender<Answer>, milliseconds: u32) {
    let solver = z3::Solver::new();
    let mut params = Params::new();
    params.set_u32("timeout", milliseconds);
    solver.set_params(&params);
    let mut translation = Translation::default();
    while let Ok(request) = todo.recv() {
        match request {
            Request::Push => solver.push(),
            Request::Pop => solver.pop(1),
            Request::Assert(new, constraint) => {
                translation.terms.extend(new);
                translation.known.resize(translation.terms.len(), None);
                let bits = translation.bits(constraint);
                solver.assert(bits.eq(BV::from_u64(1, 1)));
            }
            Request::Check(inputs) => {
                let answer = match solver.check() {
                    SatResult::Sat => model(&solver, &inputs),
                    SatResult::Unsat => Answer::Unsat,
                    SatResult::Unknown => {
                        let reason = solver.get_reason_unknown().unwrap_or_default();
                        Answer::Unknown(format!("z3 gives up ({reason})"))
                    }
                };
                if done.send(answer).is_err() {
                    return;
                }
            }
        }
    }
}

fn name(input: Input) -> String {
    format!("i{}", input.0)
}

fn model(solver: &z3::Solver, inputs: &[(Input, u8)]) -> Answer {
    let Some(model) = solver.get_model() else { return Answer::Unknown("z3 has no model".to_owned()) };
    let word = |bits: &BV| model.eval(bits, true)?.as_u64();
    let value = |&(input, width): &(Input, u8)| {
        let bits = BV::new_const(name(input), u32::from(width));
        let value = match width {
            ..=64 => u128::from(word(&bits)?),
            _ => {
                let high = word(&bits.extract(u32::from(width) - 1, 64))?;
                u128::from(high) << 64 | u128::from(word(&bits.extract(63, 0))?)
            }
        };
        Some((input, value))
    };
    match inputs.iter().map(value).collect() {
        Some(values) => Answer::Sat(Model::new(values)),
        None => Answer::Unknown("z3's model has no values".to_owned()),
    }
}

/// Our terms as z3's.
#[derive(Default)]
struct Translation {
    terms: Vec<(Node, u8)>,
    known: Vec<Option<BV>>,
}

impl Translation {
    fn bits(&mut self, term: Term) -> BV {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            let index = next.0 as usize;
            if self.known[index].is_some() {
                open.pop();
                continue;
            }
            let (node, width) = self.terms[index];
            let before = open.len();
            open.extend(node.parts().filter(|part| self.known[part.0 as usize].is_none()));
            if open.len() == before {
                self.known[index] = Some(self.translate(node, width));
                open.pop();
            }
        }
        self.of(term)
    }

    fn of(&self, term: Term) -> BV {
        self.known[term.0 as usize].clone().expect("parts come first")
    }

    fn translate(&self, node: Node, width: u8) -> BV {
        let more = |part: Term| u32::from(width - self.terms[part.0 as usize].1);
        match node {
            Node::Constant(value) => constant(value, width),
            Node::Input(input) => BV::new_const(name(input), u32::from(width)),
            Node::Zext(a) => self.of(a).zero_ext(more(a)),
            Node::Sext(a) => self.of(a).sign_ext(more(a)),
            Node::Extract { low, of } => self.of(of).extract(u32::from(low + width) - 1, u32::from(low)),
            Node::Concat(a, b) => self.of(a).concat(self.of(b)),
            Node::Ite(c, a, b) => self.of(c).eq(BV::from_u64(1, 1)).ite(&self.of(a), &self.of(b)),
            Node::Binary(op, a, b) => binary(op, &self.of(a), &self.of(b)),
        }
    }
}

fn constant(value: u128, width: u8) -> BV {
    match width {
        ..=64 => BV::from_u64(value as u64, u32::from(width)),
        _ => BV::from_u64((value >> 64) as u64, u32::from(width) - 64).concat(BV::from_u64(value as u64, 64)),
    }
}

fn bit(truth: &Bool) -> BV {
    truth.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1))
}

fn binary(op: Op, a: &BV, b: &BV) -> BV {
    match op {
        Op::Add => a.bvadd(b),
        Op::Sub => a.bvsub(b),
        Op::Mul => a.bvmul(b),
        Op::UDiv => a.bvudiv(b),
        Op::SDiv => a.bvsdiv(b),
        Op::URem => a.bvurem(b),
        Op::SRem => a.bvsrem(b),
        Op::And => a.bvand(b),
        Op::Or => a.bvor(b),
        Op::Xor => a.bvxor(b),
        Op::Shl => a.bvshl(b),
        Op::LShr => a.bvlshr(b),
        Op::AShr => a.bvashr(b),
        Op::Eq => bit(&a.eq(b)),
        Op::Ult => bit(&a.bvult(b)),
        Op::Slt => bit(&a.bvslt(b)),
    }
}
