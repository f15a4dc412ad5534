//! The code of a thread: statements without structure, with jumps instead.
use crate::program::{Cell, Statement};

/// What a thread stands before: a flattened statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Op {
    Lock(u8),
    Unlock(u8),
    TryLock(u8, u8),
    Wait1(u8, u8),
    Wait2(u8, u8),
    Signal(u8),
    Broadcast(u8),
    Load(Cell, u8),
    Store(Cell, u8),
    Xor(Cell, u8),
    CompareExchange(Cell, u8, u8, u8),
    Await(Cell, u8, u8),
    Take(Cell, u8, u8),
    Choose(u8, u8),
    Decide(u8, u8),
    Create(u32),
    Join(u32),
    End,
    Exit,
    AssumeFailed,
}

/// An instruction.
#[derive(Clone, Debug)]
pub enum Code {
    Op(Op),
    StoreRegister(Cell, u8),
    /// Jumps unless the register has the value.
    Unless(u8, u8, usize),
    Assert(u8, u8),
    Assume(u8, u8),
    Goto(usize),
}

/// Appends the code of statements.
pub fn flatten(statements: &[Statement], out: &mut Vec<Code>) {
    for statement in statements {
        let op = match statement {
            Statement::Lock(m) => Op::Lock(*m),
            Statement::Unlock(m) => Op::Unlock(*m),
            Statement::TryLock(m, body) => {
                out.push(Code::Op(Op::TryLock(*m, 0)));
                let mut guarded = body.clone();
                guarded.push(Statement::Unlock(*m));
                flatten(&[Statement::If(0, 1, guarded)], out);
                continue;
            }
            Statement::Wait(c, m) => {
                out.push(Code::Op(Op::Wait1(*c, *m)));
                Op::Wait2(*c, *m)
            }
            Statement::Signal(c) => Op::Signal(*c),
            Statement::Broadcast(c) => Op::Broadcast(*c),
            Statement::Load(x, r) => Op::Load(*x, *r),
            Statement::Store(x, v) => Op::Store(*x, *v),
            Statement::StoreRegister(x, r) => {
                out.push(Code::StoreRegister(*x, *r));
                continue;
            }
            Statement::Xor(x, k) => Op::Xor(*x, *k),
            Statement::CompareExchange(x, expected, new, r) => Op::CompareExchange(*x, *expected, *new, *r),
            Statement::Await(x, r, value) => Op::Await(*x, *r, *value),
            Statement::Take(x, expected, new) => Op::Take(*x, *expected, *new),
            Statement::Choose(n, r) => Op::Choose(*n, *r),
            Statement::Decide(set, r) => Op::Decide(*set, *r),
            Statement::If(r, value, body) => {
                let at = out.len();
                out.push(Code::Unless(*r, *value, 0));
                flatten(body, out);
                let end = out.len();
                out[at] = Code::Unless(*r, *value, end);
                continue;
            }
            Statement::While(x, r, value, body) => {
                let start = out.len();
                out.push(Code::Op(Op::Load(*x, *r)));
                let at = out.len();
                out.push(Code::Unless(*r, *value, 0));
                flatten(body, out);
                out.push(Code::Goto(start));
                let end = out.len();
                out[at] = Code::Unless(*r, *value, end);
                continue;
            }
            Statement::Forever(body) => {
                let start = out.len();
                flatten(body, out);
                out.push(Code::Goto(start));
                continue;
            }
            Statement::Assert(r, v) => {
                out.push(Code::Assert(*r, *v));
                continue;
            }
            Statement::Assume(r, v) => {
                out.push(Code::Assume(*r, *v));
                continue;
            }
            Statement::Create(t) => Op::Create(*t),
            Statement::Join(t) => Op::Join(*t),
            Statement::Exit => Op::Exit,
        };
        out.push(Code::Op(op));
    }
}

/// Cells whose bytes are written by plain stores of one value to the cell only.
pub fn set_cells(code: &[Vec<Code>]) -> Vec<Cell> {
    // What is written, and the value if it is always the same.
    let writes = code.iter().flatten().filter_map(|code| match code {
        Code::Op(Op::Store(x, value)) => Some((*x, Some(*value))),
        Code::Op(Op::Xor(x, _) | Op::CompareExchange(x, ..) | Op::Take(x, ..)) | Code::StoreRegister(x, _) => {
            Some((*x, None))
        }
        _ => None,
    });
    let writes: Vec<(Cell, Option<u8>)> = writes.collect();
    let alike = |x: Cell, value| writes.iter().all(|write| !write.0.meets(x) || *write == (x, value));
    writes.iter().filter(|(x, value)| value.is_some() && alike(*x, *value)).map(|write| write.0).collect()
}
