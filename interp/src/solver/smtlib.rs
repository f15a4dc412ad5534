//! Any solver that speaks SMT-LIB, as a program of its own.
//!
//! It is told one command after the other and answers on its standard output. Terms are defined by name on the level on
//! which they are first needed, and forgotten with it. If it does not answer in time, ends, or says something else than
//! it should, it is killed, and a new one is told all constraints when the next question comes; after a few of these
//! there are no more answers.
use super::{Answer, Solver};
use crate::term::{Input, Model, Node, Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// How often it may fail.
const FAILURES: u32 = 3;

/// How many bytes an answer may have.
const LONGEST: usize = 1 << 20;

/// How many lines are read before they are wanted.
const LINES: usize = 64;

/// A solver behind a pipe.
#[derive(Debug)]
pub struct Pipe {
    command: Vec<String>,
    limit: Duration,
    process: Option<Process>,
    /// The constraints of each level, and how many terms were defined before it.
    levels: Vec<Vec<Term>>,
    failures: u32,
    last_failure: String,
}

#[derive(Debug)]
struct Process {
    child: Child,
    /// To the thread that writes.
    input: Sender<String>,
    lines: Receiver<String>,
    /// How many levels it was told.
    levels: usize,
    /// The level on which each term is defined.
    defined: FxHashMap<Term, usize>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Pipe {
    /// A solver that is started by that command line.
    pub fn new(command: Vec<String>, limit: Duration) -> Self {
        Pipe { command, limit, process: None, levels: Vec::new(), failures: 0, last_failure: String::new() }
    }

    fn start(&mut self) -> Result<Process, String> {
        let name = self.command.first().ok_or("the solver's command is empty")?;
        let command = Command::new(name)
            .args(&self.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = command.map_err(|error| format!("`{name}` cannot be started: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("`{name}` has no pipes"));
        };
        // A reader that does not read would hold back the writer, and a writer that writes without end would fill the
        // memory.
        let ((said, saying), (sender, lines)) = (channel(), sync_channel(LINES));
        std::thread::spawn(move || write(input, &saying));
        std::thread::spawn(move || read(output, &sender));
        let mut process = Process { child, input: said, lines, levels: 0, defined: FxHashMap::default() };
        process.say("(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic QF_BV)\n")?;
        Ok(process)
    }

    fn ask(&mut self, terms: &Terms, inputs: &[(Input, u8)]) -> Result<Answer, String> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        for level in process.levels..self.levels.len() {
            process.say("(push 1)\n")?;
            process.levels += 1;
            for &constraint in &self.levels[level] {
                let mut text = String::new();
                define(terms, constraint, level, &mut process.defined, &mut text);
                let _ = writeln!(text, "(assert (= {} #b1))", name(terms, constraint));
                process.say(&text)?;
            }
        }
        let end = Instant::now() + self.limit;
        process.say("(check-sat)\n")?;
        let answer = match process.line(end)?.trim() {
            "unsat" => Answer::Unsat,
            // An honest answer: it can go on.
            "unknown" => Answer::Unknown(format!("`{}` does not know", self.command[0])),
            "sat" if inputs.is_empty() => Answer::Sat(Model::default()),
            "sat" => {
                // (What is not declared any constraint leaves open.)
                let names: Vec<String> = inputs.iter().map(|(input, _)| format!("i{}", input.0)).collect();
                process.say(&format!("(get-value ({}))\n", names.join(" ")))?;
                let values = process.expression(end)?;
                let values = parse_values(&values, inputs).ok_or_else(|| format!("nonsense: `{}`", shown(&values)))?;
                Answer::Sat(Model::new(values))
            }
            other => return Err(format!("`{}` is no answer", shown(other))),
        };
        self.process = Some(process);
        Ok(answer)
    }
}

/// What it is told.
fn write(mut input: ChildStdin, saying: &Receiver<String>) {
    for text in saying {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// What it says, line by line. Of a line that is too long each piece is one: nonsense, whatever it is.
fn read(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while let Ok(1..) = output.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned();
        if lines.send(text).is_err() {
            return;
        }
    }
}

/// The beginning of what it said, for a message.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl Process {
    fn say(&mut self, text: &str) -> Result<(), String> {
        self.input.send(text.to_owned()).map_err(|_| "it does not listen".to_owned())
    }

    fn line(&mut self, end: Instant) -> Result<String, String> {
        let left = end.saturating_duration_since(Instant::now());
        // (A solver that speaks without a pause has always said a line more, also when no time is left.)
        if left.is_zero() {
            return Err("its time is over".to_owned());
        }
        self.lines.recv_timeout(left).map_err(|error| match error {
            std::sync::mpsc::RecvTimeoutError::Timeout => "its time is over".to_owned(),
            std::sync::mpsc::RecvTimeoutError::Disconnected => "it has ended".to_owned(),
        })
    }

    /// Lines up to the end of an expression in parentheses.
    fn expression(&mut self, end: Instant) -> Result<String, String> {
        let (mut text, mut open, mut closed) = (String::new(), 0, 0);
        loop {
            let line = self.line(end)?;
            open += line.matches('(').count();
            closed += line.matches(')').count();
            text += line.trim();
            if open > 0 && open == closed {
                return Ok(text);
            }
            if open == 0 || text.len() > LONGEST {
                return Err("what should be values is not".to_owned());
            }
            text.push(' ');
        }
    }
}

impl Solver for Pipe {
    fn push(&mut self) {
        self.levels.push(Vec::new());
    }

    fn pop(&mut self) {
        self.levels.pop().expect("every pop has its push");
        let levels = self.levels.len();
        let Some(process) = &mut self.process else { return };
        if process.levels > levels {
            process.levels = levels;
            process.defined.retain(|_, level| *level < levels);
            if process.say("(pop 1)\n").is_err() {
                self.process = None;
            }
        }
    }

    fn assert(&mut self, _: &Terms, constraint: Term) {
        // It is told when it is asked.
        self.levels.last_mut().expect("constraints stand on levels").push(constraint);
    }

    fn check(&mut self, terms: &Terms, inputs: &[(Input, u8)]) -> Answer {
        if self.failures >= FAILURES {
            return Answer::Unknown(self.last_failure.clone());
        }
        self.ask(terms, inputs).unwrap_or_else(|reason| {
            self.failures += 1;
            let name = self.command.first().map_or("", String::as_str);
            self.last_failure = format!("the solver `{name}` fails: {reason}");
            Answer::Unknown(self.last_failure.clone())
        })
    }
}

/// How a term is written where it is used.
fn name(terms: &Terms, term: Term) -> String {
    match terms.node(term) {
        Node::Constant(value) => format!("#b{value:0width$b}", width = usize::from(terms.width(term))),
        Node::Input(input) => format!("i{}", input.0),
        _ => format!("t{}", term.0),
    }
}

/// Defines a term, and what it is made of, on that level, unless it is.
fn define(terms: &Terms, term: Term, level: usize, defined: &mut FxHashMap<Term, usize>, text: &mut String) {
    let mut open = vec![term];
    while let Some(&next) = open.last() {
        if defined.contains_key(&next) {
            open.pop();
            continue;
        }
        let before = open.len();
        open.extend(terms.node(next).parts().filter(|part| !defined.contains_key(part)));
        if open.len() > before {
            continue;
        }
        open.pop();
        defined.insert(next, level);
        let width = terms.width(next);
        let _ = match terms.node(next) {
            Node::Constant(_) => Ok(()),
            Node::Input(_) => writeln!(text, "(declare-const {} (_ BitVec {width}))", name(terms, next)),
            node => {
                let body = body(terms, node, width);
                writeln!(text, "(define-fun {} () (_ BitVec {width}) {body})", name(terms, next))
            }
        };
    }
}

fn body(terms: &Terms, node: Node, width: u8) -> String {
    let of = |term: Term| name(terms, term);
    let more = |term: Term| width - terms.width(term);
    match node {
        Node::Constant(_) | Node::Input(_) => unreachable!("they are written as they are"),
        Node::Zext(a) => format!("((_ zero_extend {}) {})", more(a), of(a)),
        Node::Sext(a) => format!("((_ sign_extend {}) {})", more(a), of(a)),
        Node::Extract { low, of: a } => format!("((_ extract {} {low}) {})", low + width - 1, of(a)),
        Node::Concat(a, b) => format!("(concat {} {})", of(a), of(b)),
        Node::Ite(c, a, b) => format!("(ite (= {} #b1) {} {})", of(c), of(a), of(b)),
        Node::Binary(op, a, b) => {
            let (a, b) = (of(a), of(b));
            match operator(op) {
                (operator, false) => format!("({operator} {a} {b})"),
                (operator, true) => format!("(ite ({operator} {a} {b}) #b1 #b0)"),
            }
        }
    }
}

/// The operation's name, and whether its result is a truth value.
fn operator(op: Op) -> (&'static str, bool) {
    match op {
        Op::Add => ("bvadd", false),
        Op::Sub => ("bvsub", false),
        Op::Mul => ("bvmul", false),
        Op::UDiv => ("bvudiv", false),
        Op::SDiv => ("bvsdiv", false),
        Op::URem => ("bvurem", false),
        Op::SRem => ("bvsrem", false),
        Op::And => ("bvand", false),
        Op::Or => ("bvor", false),
        Op::Xor => ("bvxor", false),
        Op::Shl => ("bvshl", false),
        Op::LShr => ("bvlshr", false),
        Op::AShr => ("bvashr", false),
        Op::Eq => ("=", true),
        Op::Ult => ("bvult", true),
        Op::Slt => ("bvslt", true),
    }
}

/// Reads `((i0 #x00) (i1 #b1) (i2 (_ bv5 32)))`: a value for each of these inputs, in this order.
fn parse_values(text: &str, inputs: &[(Input, u8)]) -> Option<BTreeMap<Input, u128>> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace();
    let mut values = BTreeMap::new();
    expect(&mut words, "(")?;
    for &(input, width) in inputs {
        expect(&mut words, "(")?;
        expect(&mut words, &format!("i{}", input.0))?;
        let value = value(&mut words)?;
        expect(&mut words, ")")?;
        if value != crate::value::mask(width, value) {
            return None;
        }
        values.insert(input, value);
    }
    expect(&mut words, ")")?;
    Some(values)
}

fn expect<'a>(words: &mut impl Iterator<Item = &'a str>, wanted: &str) -> Option<()> {
    (words.next()? == wanted).then_some(())
}

fn value<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<u128> {
    let word = words.next()?;
    if let Some(digits) = word.strip_prefix("#x") {
        return u128::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = word.strip_prefix("#b") {
        return u128::from_str_radix(digits, 2).ok();
    }
    if word != "(" || words.next()? != "_" {
        return None;
    }
    let value = words.next()?.strip_prefix("bv")?.parse().ok()?;
    let (_, end) = (words.next()?, words.next()?);
    (end == ")").then_some(value)
}
