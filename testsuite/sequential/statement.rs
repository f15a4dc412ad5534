//! Random statements.
use crate::expression::{Maker, Place};
use crate::program::{Node, block, line};
use crate::snippets;
use crate::types::Type::{self, *};

/// What a piece of code can make use of.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    pub(crate) places: Vec<Place>,
    /// Structures: a text of one, and the number of its type.
    pub(crate) structures: Vec<(String, usize)>,
    pub(crate) functions: Vec<Function>,
    /// Loops around.
    pub(crate) loops: u32,
    /// Levels that are left.
    pub(crate) levels: u32,
}

/// A function of the program.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) result: Sort,
    pub(crate) parameters: Vec<Sort>,
}

/// What is handed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Value(Type),
    Structure(usize),
    Pointer(Type),
    StructurePointer(usize),
}

impl Maker {
    /// Several statements.
    pub(crate) fn statements(&mut self, count: u64, scope: &Scope) -> Vec<Node> {
        let mut scope = scope.clone();
        let mut nodes = Vec::new();
        for _ in 0..count {
            if self.random.once_in(4) {
                let declared = self.variable(&mut scope, false);
                nodes.extend(declared);
            }
            let made = self.statement(&scope);
            nodes.extend(made);
        }
        nodes
    }

    /// A variable of an arithmetic type, or an array of it, or a pointer to what there is.
    pub(crate) fn variable(&mut self, scope: &mut Scope, global: bool) -> Vec<Node> {
        let of = self.arithmetic();
        let name = self.name(if global { "@g" } else { "v" });
        let storage = match self.random.below(12) {
            0 => "static ",
            1 => "volatile ",
            2 => "static _Thread_local ",
            3 => "static volatile ",
            _ if global => "static ",
            _ => "",
        };
        let constant = global || storage.contains("static");
        let storage = if global && !storage.contains("static") { format!("static {storage}") } else { storage.into() };
        let plain = !storage.contains("volatile");
        let initial = |maker: &mut Self, of| match constant {
            true => maker.constant(of),
            false => maker.converted(of, &scope.places, 2),
        };
        match self.random.below(6) {
            0 => {
                let length = 1 + self.random.below(7);
                let values: Vec<String> = (0..length).map(|_| initial(self, of)).collect();
                let text = format!("{storage}{} {name}[{length}] = {{{}}};", of.name(), values.join(", "));
                scope.places.push(Place { addressable: plain, ..Place::new(format!("{name}[#{length}]"), of) });
                vec![line(text)]
            }
            1 => {
                let (rows, columns) = (1 + self.random.below(3), 1 + self.random.below(4));
                let (at, value) = (self.random.below(columns), initial(self, of));
                let text = format!("{storage}{} {name}[{rows}][{columns}] = {{{{[{at}] = {value}}}}};", of.name());
                let place = Place::new(format!("{name}[#{rows}][#{columns}]"), of);
                scope.places.push(Place { addressable: plain, ..place });
                vec![line(text)]
            }
            2 if !global => {
                let found: Vec<Place> = scope.places.iter().filter(|place| place.addressable).cloned().collect();
                let Some(place) = (!found.is_empty()).then(|| self.random.of(&found).clone()) else {
                    return Vec::new();
                };
                let text = self.indexed(&place, &scope.places, 1);
                let node = line(format!("{} *{name} = &{text};", place.of.name()));
                scope.places.push(Place { text: format!("(*{name})"), ..place });
                vec![node]
            }
            _ => {
                let text = format!("{storage}{} {name} = {};", of.name(), initial(self, of));
                scope.places.push(Place { addressable: plain, ..Place::new(name, of) });
                vec![line(text)]
            }
        }
    }

    /// One that can be written.
    fn target(&mut self, scope: &Scope) -> Option<Place> {
        let found: Vec<&Place> = scope.places.iter().filter(|place| place.writable).collect();
        (!found.is_empty()).then(|| (*self.random.of(&found)).clone())
    }

    fn statement(&mut self, scope: &Scope) -> Vec<Node> {
        let places = &scope.places;
        let inner = Scope { levels: scope.levels.saturating_sub(1), ..scope.clone() };
        match self.random.below(if scope.levels == 0 { 12 } else { 24 }) {
            0..=4 => self.assignment(scope).into_iter().collect(),
            5 => self.update(scope).into_iter().collect(),
            6 | 7 => vec![self.shown(places)],
            8 | 9 => match scope.loops < 2 {
                true => self.call(scope).into_iter().collect(),
                false => self.assignment(scope).into_iter().collect(),
            },
            10 | 11 => match &scope.structures[..] {
                [] => self.assignment(scope).into_iter().collect(),
                some => {
                    let (to, of) = self.random.of(some).clone();
                    let same: Vec<_> = some.iter().filter(|(_, other)| *other == of).collect();
                    let (from, _) = (*self.random.of(&same)).clone();
                    vec![line(format!("{to} = {from};"))]
                }
            },
            12..=14 => {
                let condition = self.int(places);
                let count = 1 + self.random.below(3);
                let mut nodes = vec![block(format!("if ({condition})"), self.statements(count, &inner))];
                if self.random.once_in(2) {
                    nodes.push(block("else", self.statements(1, &inner)));
                }
                nodes
            }
            15 | 16 => self.repetition(&inner),
            17 => self.switch(&inner),
            18 => {
                // Forwards, over statements.
                let label = self.name("forward");
                let condition = self.int(places);
                let mut body = vec![line(format!("if ({condition}) goto {label};"))];
                body.extend(self.statements(2, &inner));
                vec![block("", body), line(format!("{label}:;"))]
            }
            19 => {
                let (label, counter) = (self.name("again"), self.name("n"));
                let mut body = vec![line(format!("int {counter} = 0;")), line(format!("{label}:;"))];
                let deeper = Scope { loops: scope.loops + 1, ..inner };
                body.extend(self.statements(2, &deeper));
                let condition = self.int(places);
                body.push(line(format!("if (++{counter} < 4 && {condition}) goto {label};")));
                vec![block("", body)]
            }
            _ => snippets::snippet(self, places),
        }
    }

    fn assignment(&mut self, scope: &Scope) -> Option<Node> {
        let place = self.target(scope)?;
        let text = self.indexed(&place, &scope.places, 1);
        let value = match place.shared && place.of.is_float() {
            true => self.constant(place.of),
            false => self.converted(place.of, &scope.places, 3),
        };
        Some(line(format!("{text} = {value};")))
    }

    /// An assignment with an operator, where no value is undefined.
    fn update(&mut self, scope: &Scope) -> Option<Node> {
        let place = self.target(scope)?;
        let text = self.indexed(&place, &scope.places, 1);
        let small = place.field.map_or(place.of.bits(self.long_bits()), |bits| bits) <= 16;
        let (of, scope) = (place.of, &scope.places);
        let unsigned = !of.is_float() && !of.is_signed() && of != Bool && place.field.is_none();
        let operand = match self.random.below(4) {
            0 if small && of != UShort => {
                let value = self.converted(SChar, scope, 2);
                format!("{} {value}", self.random.pick(&["+=", "-=", "*="]))
            }
            0 if unsigned => {
                let value = self.converted(of, scope, 2);
                format!("{} {value}", self.random.pick(&["+=", "-="]))
            }
            0 | 1 if small && of != Bool && !of.is_float() => self.random.pick(&["++", "--"]).to_owned(),
            1 if of.is_float() && !place.shared => {
                let value = self.converted(Double, scope, 2);
                format!("{} {value}", self.random.pick(&["+=", "-=", "*=", "/="]))
            }
            _ if of.is_float() => format!("= {}", self.constant(of)),
            2 => format!("{} {}", self.random.pick(&["/=", "%="]), self.random.pick(&["3", "11", "100"])),
            3 if of != Bool => format!(">>= {}", self.random.below(if small { 8 } else { 31 })),
            _ => {
                let value = self.converted(of, scope, 2);
                format!("{} {value}", self.random.pick(&["&=", "|=", "^="]))
            }
        };
        Some(line(format!("{text} {operand};")))
    }

    /// Prints an expression.
    pub(crate) fn shown(&mut self, places: &[Place]) -> Node {
        let (text, of) = self.expression(places, 2);
        line(show(&text, of))
    }

    fn repetition(&mut self, inner: &Scope) -> Vec<Node> {
        let counter = self.name("i");
        let most = 1 + self.random.below(5);
        let mut scope = Scope { loops: inner.loops + 1, ..inner.clone() };
        let of = self.random.pick(&[Int, UInt, UChar, Short, Long, ULLong]);
        let readable = Place { writable: false, addressable: false, ..Place::new(counter.clone(), of) };
        scope.places.push(readable);
        let count = 1 + self.random.below(3);
        let mut body = self.statements(count, &scope);
        if self.random.once_in(3) {
            let condition = self.int(&scope.places);
            let what = self.random.pick(&["break", "continue"]);
            let at = self.random.below(body.len() as u64 + 1) as usize;
            body.insert(at, line(format!("if ({condition}) {what};")));
        }
        let of = of.name();
        match self.random.below(4) {
            0 => {
                let condition = self.int(&inner.places);
                let head = format!("while ({counter}++ < {most} && {condition})");
                vec![block("", vec![line(format!("{of} {counter} = 0;")), block(head, body)])]
            }
            1 => {
                let declared = line(format!("{of} {counter} = 0;"));
                let tail = format!("}} while (++{counter} < {most});");
                vec![block("", vec![declared, Node::Block { head: "do {".into(), body, tail }])]
            }
            _ => vec![block(format!("for ({of} {counter} = 0; {counter} < {most}; {counter}++)"), body)],
        }
    }

    fn switch(&mut self, inner: &Scope) -> Vec<Node> {
        let of = self.random.pick(&[Char, UChar, Int, UInt, LLong, UShort]);
        let value = self.converted(of, &inner.places, 2);
        let mut body = Vec::new();
        let mut at = 0;
        for _ in 0..1 + self.random.below(5) {
            let next = at + self.random.below(40);
            match next > at && self.random.once_in(2) {
                true => body.push(line(format!("case {at} ... {next}:;"))),
                false => body.push(line(format!("case {at}:;"))),
            }
            at = next + 1 + self.random.below(20);
            // (Jumping over a declaration leaves the variable without a value.)
            body.push(block("", self.statements(1, inner)));
            if !self.random.once_in(3) {
                body.push(line("break;"));
            }
        }
        if self.random.once_in(2) {
            body.push(line("default:;"));
            body.push(block("", self.statements(1, inner)));
        }
        vec![block(format!("switch ({value})"), body)]
    }

    /// Calls a function; what it returns is put somewhere once it has returned.
    fn call(&mut self, scope: &Scope) -> Option<Node> {
        let (function, places) = (self.random.some_of(&scope.functions)?.clone(), &scope.places);
        let mut arguments = Vec::new();
        for parameter in &function.parameters {
            arguments.push(match *parameter {
                Sort::Value(of) => self.converted(of, places, 2),
                Sort::Structure(of) => self.structure(scope, of)?,
                Sort::StructurePointer(of) => format!("&{}", self.structure(scope, of)?),
                Sort::Pointer(of) => {
                    let found: Vec<&Place> = places.iter().filter(|p| p.addressable && p.of == of).collect();
                    let place = (*self.random.some_of(&found)?).clone();
                    format!("&{}", self.indexed(&place, places, 1))
                }
            });
        }
        let call = format!("{}({})", function.name, arguments.join(", "));
        let name = self.name("r");
        let found: Vec<&Place> = places.iter().filter(|place| place.writable && !place.shared).collect();
        Some(match function.result {
            Sort::Structure(of) => {
                let to = self.structure(scope, of)?;
                block("", vec![line(format!("struct @S{of} {name} = {call};")), line(format!("{to} = {name};"))])
            }
            Sort::Value(of) => {
                let declared = line(format!("{} {name} = {call};", of.name()));
                let mut then = line(show(&name, of));
                let place = (!found.is_empty()).then(|| (*self.random.of(&found)).clone());
                if let Some(place) = place.filter(|place| place.of == of) {
                    then = line(format!("{} = {name};", self.indexed(&place, places, 0)));
                }
                block("", vec![declared, then])
            }
            Sort::Pointer(_) | Sort::StructurePointer(_) => unreachable!("no function returns one"),
        })
    }

    /// A structure of this type.
    fn structure(&mut self, scope: &Scope, of: usize) -> Option<String> {
        let found: Vec<&(String, usize)> = scope.structures.iter().filter(|(_, other)| *other == of).collect();
        Some(self.random.some_of(&found)?.0.clone())
    }
}

/// A statement that prints a value of this type.
pub(crate) fn show(text: &str, of: Type) -> String {
    match of {
        Float | Double | LDouble => format!("out_f({text});"),
        I128 | U128 => format!("out_w({text});"),
        _ if of.is_signed() => format!("out_i({text});"),
        _ => format!("out_u({text});"),
    }
}
