//! The operands of inline assembly, from its constraints.
use crate::lower::llvm::Value;

/// An operand by its number.
#[derive(Clone, Debug)]
struct Item {
    is_output: bool,
    /// Whether the argument is the address of the operand.
    in_memory: bool,
    /// The argument that is the input, or the address.
    argument: Option<Value>,
    /// The output whose register this input is in.
    tied_to: Option<usize>,
    /// The accumulator.
    in_accumulator: bool,
    /// The zero flag after the last instruction.
    is_zero_flag: bool,
}

/// All operands.
pub(super) struct Operands(Vec<Item>);

/// What an operand in the text stands for.
pub(super) enum Place {
    /// A place in memory whose address is this value.
    Memory(Value),
    /// A register: the value that it comes with, and the output that gets it afterwards.
    Register { input: Option<Value>, output: Option<usize> },
    /// A literal.
    Number(i64),
}

impl Operands {
    /// Reads a constraint string such as `=*m,=r,0,*m,~{memory}`.
    pub(super) fn parse(constraints: &str, arguments: &[Value]) -> Option<Operands> {
        let mut items = Vec::new();
        let mut arguments = arguments.iter().copied();
        for constraint in split(constraints) {
            if constraint.starts_with('~') {
                continue;
            }
            if constraint.starts_with('!') {
                // A label of asm goto; control never goes there in what we know.
                continue;
            }
            let is_output = constraint.starts_with('=');
            let body = constraint.trim_start_matches(['=', '&', '%']);
            let in_memory = body.starts_with('*');
            let body = body.trim_start_matches(['*', '&']);
            let takes_argument = !is_output || in_memory;
            items.push(Item {
                is_output,
                in_memory,
                argument: if takes_argument { Some(arguments.next()?) } else { None },
                tied_to: if is_output { None } else { body.parse().ok() },
                in_accumulator: matches!(body, "{ax}" | "{eax}" | "{rax}" | "{al}" | "a"),
                is_zero_flag: matches!(body, "{@ccz}" | "{@cce}"),
            });
        }
        arguments.next().is_none().then_some(Operands(items))
    }

    /// What `$0`, `${1:w}`, `($2)`, `$$5` … stands for.
    pub(super) fn place(&self, text: &str) -> Option<Place> {
        if let Some(literal) = text.strip_prefix("$$") {
            return number(literal).map(Place::Number);
        }
        let inside = text.strip_prefix("0(").or_else(|| text.strip_prefix('(')).and_then(|t| t.strip_suffix(')'));
        if let Some(inside) = inside {
            let index = reference(inside)?;
            return match self.register(index)? {
                Place::Register { input: Some(address), .. } => Some(Place::Memory(address)),
                _ => None,
            };
        }
        let index = reference(text)?;
        let item = self.0.get(index)?;
        if item.in_memory {
            return item.argument.map(Place::Memory);
        }
        self.register(index)
    }

    fn register(&self, index: usize) -> Option<Place> {
        let item = self.0.get(index)?;
        if item.in_memory {
            return None;
        }
        Some(if item.is_output {
            Place::Register { input: self.input_of(index), output: Some(index) }
        } else {
            Place::Register { input: item.argument, output: item.tied_to }
        })
    }

    /// The value that an output's register comes with.
    fn input_of(&self, output: usize) -> Option<Value> {
        self.0.iter().find(|item| item.tied_to == Some(output)).and_then(|item| item.argument)
    }

    /// The output in the accumulator, if any, and the value that the accumulator comes with.
    pub(super) fn accumulator(&self) -> Option<(Option<usize>, Value)> {
        let output = self.0.iter().position(|item| item.in_accumulator && item.is_output);
        let input = self.0.iter().find(|item| item.in_accumulator && !item.is_output).and_then(|item| item.argument);
        let input = input.or_else(|| self.input_of(output?))?;
        Some((output, input))
    }

    /// The output that gets the zero flag.
    pub(super) fn zero_flag(&self) -> Option<usize> {
        self.0.iter().position(|item| item.is_zero_flag)
    }

    /// The outputs that are places in memory: number and address.
    pub(super) fn memory_outputs(&self) -> impl Iterator<Item = (usize, Value)> {
        let outputs = self.0.iter().enumerate().filter(|(_, item)| item.is_output && item.in_memory);
        outputs.filter_map(|(index, item)| Some((index, item.argument?)))
    }

    /// The outputs that are results of the call, each with the value that it comes with.
    pub(super) fn outputs(&self) -> impl Iterator<Item = (usize, Option<Value>)> {
        self.0
            .iter()
            .enumerate()
            .filter(|(_, item)| item.is_output && !item.in_memory)
            .map(|(index, _)| (index, self.input_of(index)))
    }
}

/// The number in `$3` or `${3:w}`.
pub(super) fn reference(text: &str) -> Option<usize> {
    let text = text.strip_prefix('$')?;
    let text = match text.strip_prefix('{') {
        Some(braced) => braced.strip_suffix('}')?.split(':').next()?,
        None => text,
    };
    text.parse().ok()
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
