//! Random structures and unions.
use crate::expression::{Maker, Place};
use crate::program::{Node, block, line};
use crate::types::Type::{self, *};

/// A structure type.
#[derive(Clone, Debug)]
pub(crate) struct Structure {
    /// Its members as places, each to come behind the name of a variable.
    pub(crate) members: Vec<Place>,
    /// An initialiser can name these.
    named: Vec<(String, Type)>,
}

impl Maker {
    /// Declares structure number `number`; those before it may be members.
    pub(crate) fn structure_type(&mut self, number: usize, before: &[Structure]) -> (Node, Structure) {
        let packed = self.random.once_in(4);
        let mut structure = Structure { members: Vec::new(), named: Vec::new() };
        let mut body = Vec::new();
        for at in 0..2 + self.random.below(5) {
            let name = format!("m{at}");
            let member = |text: String, of| Place { addressable: !packed, ..Place::new(text, of) };
            match self.random.below(10) {
                0..=3 => {
                    let (bits, text, place) = self.bit_field(&name);
                    body.push(line(text));
                    if bits > 0 {
                        structure.members.push(place);
                    }
                }
                4 => {
                    let (of, length) = (self.arithmetic(), 1 + self.random.below(5));
                    body.push(line(format!("{} {name}[{length}];", of.name())));
                    structure.members.push(member(format!(".{name}[#{length}]"), of));
                }
                5 if !before.is_empty() && !packed => {
                    let inner = self.random.below(before.len() as u64) as usize;
                    body.push(line(format!("struct @S{inner} {name};")));
                    structure.members.extend(before[inner].members.iter().map(|place| {
                        let text = format!(".{name}{}", place.text);
                        Place { text, ..place.clone() }
                    }));
                }
                6 => body.push(self.union(&name, packed, &mut structure)),
                _ => {
                    let of = self.arithmetic();
                    let aligned = if self.random.once_in(12) { " __attribute__((aligned(16)))" } else { "" };
                    body.push(line(format!("{} {name}{aligned};", of.name())));
                    structure.members.push(member(format!(".{name}"), of));
                    structure.named.push((name, of));
                }
            }
        }
        // (A structure without a named member is none of C's.)
        body.push(line("char last;"));
        structure.members.push(Place::new(".last", Char));
        let attributes = if packed { " __attribute__((packed))" } else { "" };
        let head = format!("struct{attributes} @S{number}");
        let Node::Block { head, body, .. } = block(head, body) else { unreachable!("it is one") };
        (Node::Block { head, body, tail: "};".into() }, structure)
    }

    fn bit_field(&mut self, name: &str) -> (u64, String, Place) {
        let of = self.random.pick(&[Bool, SChar, UChar, Short, UShort, Int, Int, UInt, UInt, LLong, ULLong]);
        let bits = match self.random.below(12) {
            0 => 0,
            1 => of.bits(64).into(),
            _ => 1 + self.random.below(of.bits(64).into()),
        };
        let name = if bits == 0 { "" } else { name };
        let mut place = Place { field: Some(bits as u32), addressable: false, ..Place::new(format!(".{name}"), of) };
        if of == Bool && bits > 0 {
            place.field = Some(1);
        }
        (bits, format!("{} {name}:{bits};", of.name()), place)
    }

    /// A union of integers, the first member of which has all bytes, so that each is always some number.
    fn union(&mut self, name: &str, packed: bool, structure: &mut Structure) -> Node {
        let mut body = vec![line(format!("unsigned char {name}b[16];"))];
        let shared = Place { shared: true, addressable: !packed, ..Place::new("", Int) };
        structure.members.push(Place { text: format!(".{name}b[#16]"), of: UChar, ..shared.clone() });
        for at in 0..1 + self.random.below(3) {
            let of = self.integer();
            body.push(line(format!("{} {name}u{at};", of.name())));
            structure.members.push(Place { text: format!(".{name}u{at}"), of, ..shared.clone() });
        }
        body.push(line(format!("struct {{ unsigned {name}x:7, {name}y:13; signed {name}z:12; }};")));
        for (member, of, bits) in [("x", UInt, 7), ("y", UInt, 13), ("z", Int, 12)] {
            let text = format!(".{name}{member}");
            structure.members.push(Place { text, of, field: Some(bits), addressable: false, ..shared.clone() });
        }
        let Node::Block { head, body, .. } = block("union", body) else { unreachable!("it is one") };
        Node::Block { head, body, tail: "};".into() }
    }

    /// A variable of a structure type; its members are places of the scope.
    pub(crate) fn structure_variable(
        &mut self,
        structures: &[Structure],
        global: bool,
        scope: &mut crate::statement::Scope,
    ) -> Node {
        let number = self.random.below(structures.len() as u64) as usize;
        let structure = &structures[number];
        let name = self.name(if global { "@s" } else { "s" });
        let array = self.random.once_in(3).then(|| 1 + self.random.below(3));
        let mut values = Vec::new();
        for (member, of) in &structure.named {
            if self.random.once_in(2) {
                let value = match global {
                    true => self.constant(*of),
                    false => self.converted(*of, &scope.places, 1),
                };
                values.push(format!(".{member} = {value}"));
            }
        }
        let values = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
        let storage = if global { "static " } else { "" };
        let text = match array {
            Some(length) => format!("{storage}struct @S{number} {name}[{length}] = {{{{{values}}}}};"),
            None => format!("{storage}struct @S{number} {name} = {{{values}}};"),
        };
        scope.add_structure(structures, number, &name, array);
        line(text)
    }
}

impl crate::statement::Scope {
    /// Members of a variable, or of each of an array of them, become places.
    pub(crate) fn add_structure(&mut self, structures: &[Structure], number: usize, name: &str, array: Option<u64>) {
        let index = array.map_or(String::new(), |length| format!("[#{length}]"));
        self.places.extend(structures[number].members.iter().map(|place| {
            let text = format!("{name}{index}{}", place.text);
            Place { text, ..place.clone() }
        }));
        let one = if array.is_some() { format!("{name}[0]") } else { name.to_owned() };
        self.structures.push((one, number));
    }
}
