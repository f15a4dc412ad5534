//! The operands of inline assembly, from its constraints, and what their names in the text stand for.
use crate::lower::llvm::Value;

/// A register: one of the processor's, by the name that it has with all its bits, or the one that the compiler chooses
/// for an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Register {
    Named(&'static str),
    Chosen(usize),
}

/// A condition on the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Condition {
    pub(super) flag: Flag,
    /// Whether it is that the flag is not set.
    pub(super) negated: bool,
}

/// A flag of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flag {
    Zero,
    Carry,
    Sign,
}

/// An operand by its number.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) is_output: bool,
    /// Whether the argument is the address of the operand.
    pub(super) in_memory: bool,
    /// The argument that is the input, or the address.
    pub(super) argument: Option<Value>,
    /// The output whose register this input is in.
    tied_to: Option<usize>,
    /// The register that it must be in.
    fixed: Option<&'static str>,
    /// The flag after the last instruction that it gets.
    pub(super) condition: Option<Condition>,
}

/// All operands.
pub(super) struct Operands(pub(super) Vec<Item>);

/// What a word in the text stands for.
pub(super) enum Word {
    /// A place in memory whose address is this argument.
    Memory(Value),
    /// A place in memory, at that distance from the address in a register.
    Based { base: Register, offset: i64 },
    /// A place at that distance from the beginning of what belongs to the thread.
    OfThread(i64),
    /// The same, where the distance is the address that this argument is.
    OfThreadBy(Value),
    /// A register, with the bits that its name says.
    Register(Register, Option<u32>),
    /// A literal.
    Number(i64),
}

impl Operands {
    /// Reads a constraint string such as `=*m,=r,0,*m,~{memory}`.
    pub(super) fn parse(constraints: &str, arguments: &[Value]) -> Option<Operands> {
        let mut items = Vec::new();
        let mut arguments = arguments.iter().copied();
        for constraint in split(constraints) {
            // What is overwritten besides, and labels of asm goto: control never goes there in what we know.
            if constraint.starts_with(['~', '!']) {
                continue;
            }
            let is_output = constraint.starts_with('=');
            let body = constraint.trim_start_matches(['=', '&', '%']);
            let in_memory = body.starts_with('*');
            let body = body.trim_start_matches(['*', '&']);
            let takes_argument = !is_output || in_memory;
            // Two registers side by side.
            if body == "A" {
                return None;
            }
            let named = body.strip_prefix('{').and_then(|body| body.strip_suffix('}'));
            items.push(Item {
                is_output,
                in_memory,
                argument: if takes_argument { Some(arguments.next()?) } else { None },
                tied_to: if is_output { None } else { body.parse().ok() },
                fixed: named.or(letter(body)).and_then(register_named).map(|(name, _)| name),
                condition: named.and_then(|name| condition(name.strip_prefix("@cc")?)),
            });
        }
        arguments.next().is_none().then_some(Operands(items))
    }

    /// What `$0`, `${1:w}`, `8($2)`, `$$5`, `%eax`, `%fs:0` … stands for.
    pub(super) fn word(&self, text: &str) -> Option<Word> {
        if let Some(literal) = text.strip_prefix("$$") {
            return number(literal).map(Word::Number);
        }
        if let Some(place) = text.strip_prefix("%fs:").or_else(|| text.strip_prefix("%gs:")) {
            return match number(place) {
                Some(offset) => Some(Word::OfThread(offset)),
                None => match self.word(place)? {
                    Word::Memory(distance) => Some(Word::OfThreadBy(distance)),
                    _ => None,
                },
            };
        }
        if let Some((offset, inside)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            let offset = if offset.is_empty() { 0 } else { number(offset)? };
            return match self.word(inside)? {
                Word::Register(base, _) => Some(Word::Based { base, offset }),
                _ => None,
            };
        }
        if let Some((name, bits)) = text.strip_prefix('%').and_then(|name| register_named(name.trim_start_matches('%')))
        {
            return Some(Word::Register(Register::Named(name), Some(bits)));
        }
        let (index, bits) = reference(text)?;
        let item = self.0.get(index)?;
        match item.in_memory {
            true => item.argument.map(Word::Memory),
            false => Some(Word::Register(self.register(index), bits)),
        }
    }

    /// The register of an operand.
    pub(super) fn register(&self, index: usize) -> Register {
        match &self.0[index] {
            Item { fixed: Some(name), .. } => Register::Named(name),
            Item { tied_to: Some(output), .. } if *output < self.0.len() => self.register(*output),
            _ => Register::Chosen(index),
        }
    }
}

/// Constraints of one letter that name a register.
fn letter(body: &str) -> Option<&str> {
    Some(match body {
        "a" => "ax",
        "b" => "bx",
        "c" => "cx",
        "d" => "dx",
        "S" => "si",
        "D" => "di",
        _ => return None,
    })
}

/// A register with all its bits, and how many of them the name says.
fn register_named(name: &str) -> Option<(&'static str, u32)> {
    const OLD: [(&str, &str); 8] = [
        ("rax", "ax"),
        ("rbx", "bx"),
        ("rcx", "cx"),
        ("rdx", "dx"),
        ("rsi", "si"),
        ("rdi", "di"),
        ("rbp", "bp"),
        ("rsp", "sp"),
    ];
    const NEW: [&str; 8] = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];
    for (whole, short) in OLD {
        let low = format!("{}l", short.trim_end_matches('x'));
        let bits = match name.strip_suffix(short) {
            Some("r") => 64,
            Some("e") => 32,
            Some("") => 16,
            _ if name == low => 8,
            _ => continue,
        };
        return Some((whole, bits));
    }
    let new = NEW.iter().rev().find(|whole| name.starts_with(**whole))?;
    let bits = match &name[new.len()..] {
        "" => 64,
        "d" => 32,
        "w" => 16,
        "b" => 8,
        _ => return None,
    };
    Some((new, bits))
}

/// What `z`, `ne`, `c` … say of the flags.
pub(super) fn condition(name: &str) -> Option<Condition> {
    let (flag, negated) = match name {
        "z" | "e" => (Flag::Zero, false),
        "nz" | "ne" => (Flag::Zero, true),
        "c" | "b" | "nae" => (Flag::Carry, false),
        "nc" | "nb" | "ae" => (Flag::Carry, true),
        "s" => (Flag::Sign, false),
        "ns" => (Flag::Sign, true),
        _ => return None,
    };
    Some(Condition { flag, negated })
}

/// The number in `$3` or `${3:w}`, and the bits that the letter says.
fn reference(text: &str) -> Option<(usize, Option<u32>)> {
    let text = text.strip_prefix('$')?;
    let Some(braced) = text.strip_prefix('{') else { return Some((text.parse().ok()?, None)) };
    let (number, letter) = braced.strip_suffix('}')?.split_once(':')?;
    let bits = match letter {
        "b" => 8,
        "w" => 16,
        "k" => 32,
        "q" => 64,
        // A number without its `$`, an address.
        "c" | "P" | "p" | "a" => return Some((number.parse().ok()?, None)),
        _ => return None,
    };
    Some((number.parse().ok()?, Some(bits)))
}

fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// Splits at commas outside of braces.
fn split(constraints: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in constraints.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&constraints[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < constraints.len() {
        parts.push(&constraints[start..]);
    }
    parts
}
