//! Random programs.
use crate::aggregate::Structure;
use crate::expression::{Maker, Place};
use crate::plants;
use crate::program::{Node, Program, block, line};
use crate::statement::{Function, Scope, Sort};
use crate::types::Type::*;
use random::Random;

/// Of so many programs one has an error on purpose.
const PLANTED: u64 = 5;

/// The program of a seed, for 64 or 32 bits.
pub(crate) fn program(seed: u64, wide: bool) -> Program {
    let mut maker = Maker { random: Random(seed ^ 0x2222_2222_2222_2222), wide, names: 0 };
    let mut nodes = Vec::new();
    let mut structures = Vec::new();
    for number in 0..maker.random.below(4) as usize {
        let (node, structure) = maker.structure_type(number, &structures);
        nodes.push(node);
        structures.push(structure);
    }
    let mut scope = Scope { levels: 3, ..Scope::default() };
    for _ in 0..1 + maker.random.below(4) {
        nodes.extend(maker.variable(&mut scope, true));
    }
    for _ in 0..if structures.is_empty() { 0 } else { maker.random.below(3) } {
        nodes.push(maker.structure_variable(&structures, true, &mut scope));
    }
    for _ in 0..maker.random.below(4) {
        let (node, function) = maker.function(&structures, &scope);
        nodes.push(node);
        scope.functions.push(function);
    }
    let (main, planted) = maker.main(&structures, &scope);
    nodes.push(main);
    let planted = planted.map(|(before, planted)| {
        let at = nodes.len() - 1;
        nodes.splice(at..at, before);
        planted
    });
    Program { nodes, planted }
}

impl Maker {
    fn main(
        &mut self,
        structures: &[Structure],
        globals: &Scope,
    ) -> (Node, Option<(Vec<Node>, crate::program::Planted)>) {
        let mut scope = globals.clone();
        let mut body = Vec::new();
        for _ in 0..2 + self.random.below(4) {
            body.extend(self.variable(&mut scope, false));
        }
        for _ in 0..if structures.is_empty() { 0 } else { self.random.below(3) } {
            body.push(self.structure_variable(structures, false, &mut scope));
        }
        let count = 3 + self.random.below(8);
        body.extend(self.statements(count, &scope));
        let planted = self.random.once_in(PLANTED).then(|| {
            let (before, node, planted) = plants::plant(self);
            body.push(node);
            let count = self.random.below(3);
            body.extend(self.statements(count, &scope));
            (before, planted)
        });
        // What there is in the end.
        for place in scope.places.iter().step_by(1 + scope.places.len() / 24) {
            let text = self.indexed(place, &scope.places, 0);
            body.push(line(crate::statement::show(&text, place.of)));
        }
        let status = self.converted(UChar, &scope.places, 1);
        body.push(line(format!("return {status} % 90;")));
        (block("static int @main(void)", body), planted)
    }

    /// A function that the later ones can call.
    fn function(&mut self, structures: &[Structure], globals: &Scope) -> (Node, Function) {
        let name = self.name("@f");
        let result = match self.random.below(3) {
            0 if !structures.is_empty() => Sort::Structure(self.random.below(structures.len() as u64) as usize),
            _ => Sort::Value(self.arithmetic()),
        };
        let mut scope = Scope { levels: 2, loops: 1, ..globals.clone() };
        let (mut parameters, mut declared) = (Vec::new(), Vec::new());
        for _ in 0..self.random.below(6) {
            let parameter = self.name("p");
            let of = self.arithmetic();
            let structure = self.random.below(structures.len().max(1) as u64) as usize;
            let (sort, text) = match self.random.below(6) {
                0 if !structures.is_empty() => {
                    scope.add_structure(structures, structure, &parameter, None);
                    (Sort::Structure(structure), format!("struct @S{structure} {parameter}"))
                }
                1 if !structures.is_empty() => {
                    scope.add_structure(structures, structure, &format!("(*{parameter})"), None);
                    (Sort::StructurePointer(structure), format!("struct @S{structure} *{parameter}"))
                }
                2 => {
                    // (It may lead into a union.)
                    let place = Place { shared: true, ..Place::new(format!("(*{parameter})"), of) };
                    scope.places.push(place);
                    (Sort::Pointer(of), format!("{} *{parameter}", of.name()))
                }
                _ => {
                    scope.places.push(Place::new(parameter.clone(), of));
                    (Sort::Value(of), format!("{} {parameter}", of.name()))
                }
            };
            parameters.push(sort);
            declared.push(text);
        }
        let mut body = Vec::new();
        for _ in 0..self.random.below(3) {
            body.extend(self.variable(&mut scope, false));
        }
        let count = 1 + self.random.below(4);
        body.extend(self.statements(count, &scope));
        let of = match result {
            Sort::Structure(of) => {
                let values: Vec<String> =
                    scope.structures.iter().filter(|(_, other)| *other == of).map(|(name, _)| name.clone()).collect();
                let value = match self.random.some_of(&values) {
                    Some(name) => name.clone(),
                    None => format!("(struct @S{of}){{0}}"),
                };
                body.push(line(format!("return {value};")));
                format!("struct @S{of}")
            }
            Sort::Value(of) => {
                let value = self.converted(of, &scope.places, 3);
                body.push(line(format!("return {value};")));
                of.name().to_owned()
            }
            Sort::Pointer(_) | Sort::StructurePointer(_) => unreachable!("no function returns one"),
        };
        let declared = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        let inline = self.random.pick(&["", "inline ", "__attribute__((noinline)) "]);
        let node = block(format!("static {inline}{of} {name}({declared})"), body);
        (node, Function { name, result, parameters })
    }
}
