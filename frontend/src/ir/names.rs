//! What the source calls the parts of variables and of heap blocks, as debug information has it. Only reports read it.
//!
//! **No name is better than a wrong one.** A name is found for a place whose type is known for certain, and goes as
//! deep as that is so: it stops at unions, whose member in use nobody knows, at bit-fields, and at types of the
//! library, whose parts say nothing to those who did not write it.
use super::{FuncId, GlobalId, LocId};
use serde::{Deserialize, Serialize};

/// A type of the source: index into [`Names::types`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// The tables of names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    /// The types that variables have, and what these consist of.
    pub types: Vec<SourceType>,
    /// The types of global variables, by their numbers.
    pub globals: Vec<(GlobalId, TypeId)>,
    /// The types of stack objects, by function and number.
    pub variables: Vec<((FuncId, u32), TypeId)>,
    /// What is known of the pointers that calls return, by function and place. No place is there twice.
    pub results: Vec<CallResult>,
}

/// A type, without its typedefs and qualifiers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceType {
    /// Bytes; 0 if there are none or it is not known how many.
    pub size: u64,
    /// What it consists of.
    pub form: Form,
}

/// What a type consists of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Form {
    /// No parts that have names: a number, a union, a type of the library.
    Whole,
    /// A pointer to that, if it is known what it points to.
    Pointer(Option<TypeId>),
    /// A structure or class.
    Record(Vec<Member>),
    /// An array.
    Array(TypeId),
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Member {
    /// Its name; empty for a base class, or if it is anonymous.
    pub name: String,
    /// Where it begins.
    pub offset: u64,
    /// Its type.
    pub ty: TypeId,
}

/// What becomes of the pointer that a call returns. (The call may be the one that allocates, or that of a function
/// which passes on what it allocated.)
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallResult {
    /// The function that calls.
    pub function: FuncId,
    /// Where it does.
    pub place: LocId,
    /// What the pointer is first called there.
    pub known: Option<Pointer>,
    /// Whether the function returns it to its own caller.
    pub passed_on: bool,
}

/// A pointer with a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pointer {
    /// The variable, or the member of one, that first holds it: `pool`, `pool->slots`.
    pub name: String,
    /// The type of what it points to.
    pub target: TypeId,
    /// Whether the program counts the elements of a block there.
    pub counted: bool,
}

/// A part of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What comes behind the variable's name: `.slots[3].next`; empty if it is all of it.
    pub text: String,
    /// How many bytes into the part the place is.
    pub rest: u64,
    /// The type of the part.
    pub ty: TypeId,
}

/// How deep the types of a sensible program are nested.
const DEEPEST: usize = 64;

impl Names {
    /// The type of a global variable.
    pub fn global(&self, id: GlobalId) -> Option<TypeId> {
        let at = self.globals.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.globals[at].1)
    }

    /// The type of a stack object.
    pub fn variable(&self, function: FuncId, number: u32) -> Option<TypeId> {
        let at = self.variables.binary_search_by_key(&(function, number), |(key, _)| *key).ok()?;
        Some(self.variables[at].1)
    }

    /// What becomes of the pointer that a call returns.
    pub fn result(&self, function: FuncId, place: LocId) -> Option<&CallResult> {
        let key = |result: &CallResult| (result.function, result.place);
        let at = self.results.binary_search_by_key(&(function, place), key).ok()?;
        Some(&self.results[at])
    }

    /// The innermost part of a variable of that type that has a name and is at that offset.
    pub fn part(&self, ty: TypeId, offset: u64) -> Part {
        let mut part = Part { text: String::new(), rest: offset, ty };
        // What was gone through since, which has no name.
        let (mut ty, mut rest) = (ty, offset);
        for _ in 0..DEEPEST {
            match &self.types[ty.0 as usize].form {
                Form::Whole | Form::Pointer(_) => break,
                Form::Record(members) => {
                    let Some(member) = self.member(members, rest) else { break };
                    (ty, rest) = (member.ty, rest - member.offset);
                    if member.name.is_empty() {
                        continue;
                    }
                    part.text.push('.');
                    part.text.push_str(&member.name);
                }
                Form::Array(element) => {
                    let size = self.size(*element);
                    if size == 0 {
                        break;
                    }
                    part.text.push_str(&format!("[{}]", rest / size));
                    (ty, rest) = (*element, rest % size);
                }
            }
            (part.rest, part.ty) = (rest, ty);
        }
        part
    }

    /// The same for a variable that has so many bytes. None if that is not what variables of its type have.
    pub fn part_of_variable(&self, ty: TypeId, size: u64, offset: u64) -> Option<Part> {
        let fits = self.size(ty) == size || self.is_open(ty) || self.is_open_array(ty);
        (fits && offset < size).then(|| self.part(ty, offset))
    }

    /// What is at an offset of a block of so many bytes that such a pointer leads to: `pool->lock`, `nodes[2].next`,
    /// and how many bytes into that the offset is. None if it is not known what is there.
    pub fn target(&self, pointer: &Pointer, size: u64, offset: u64) -> Option<(String, u64)> {
        let Pointer { name, target, counted } = pointer;
        let ty = &self.types[target.0 as usize];
        if ty.size == 0 || offset >= size {
            return None;
        }
        let is_record = matches!(ty.form, Form::Record(_));
        let is_one = match ty.form {
            Form::Record(_) => !counted || self.is_open(*target),
            Form::Array(_) => false,
            Form::Whole | Form::Pointer(_) => size == ty.size,
        };
        if is_one {
            if offset >= ty.size && !self.is_open(*target) {
                return None;
            }
            let Part { text, rest, .. } = self.part(*target, offset);
            return Some(match text.strip_prefix('.') {
                Some(member) => (format!("{name}->{member}"), rest),
                None => (format!("*{name}"), rest),
            });
        }
        if is_record && !size.is_multiple_of(ty.size) {
            return None;
        }
        let Part { text, rest, .. } = self.part(*target, offset % ty.size);
        Some((format!("{name}[{}]{text}", offset / ty.size), rest))
    }

    /// Whether all numbers of types are those of types.
    pub(super) fn is_whole(&self) -> bool {
        let named = self.globals.iter().map(|(_, ty)| *ty).chain(self.variables.iter().map(|(_, ty)| *ty));
        let pointed = self.results.iter().filter_map(|result| Some(result.known.as_ref()?.target));
        let parts = self.types.iter().flat_map(|ty| match &ty.form {
            Form::Whole => Vec::new(),
            Form::Pointer(target) => target.iter().copied().collect(),
            Form::Record(members) => members.iter().map(|member| member.ty).collect(),
            Form::Array(element) => vec![*element],
        });
        named.chain(pointed).chain(parts).all(|ty| (ty.0 as usize) < self.types.len())
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.types[ty.0 as usize].size
    }

    /// The only member that has a byte there. (Without any it is the array without a size at the end.)
    fn member<'a>(&self, members: &'a [Member], offset: u64) -> Option<&'a Member> {
        let has = |member: &&Member| offset.checked_sub(member.offset).is_some_and(|into| into < self.size(member.ty));
        let mut fits = members.iter().filter(has);
        let open = || members.last().filter(|last| last.offset <= offset && self.is_open_array(last.ty));
        match (fits.next(), fits.next()) {
            (None, _) => open(),
            (one, None) => one,
            _ => None,
        }
    }

    /// Whether a record ends in an array without a size.
    fn is_open(&self, ty: TypeId) -> bool {
        match &self.types[ty.0 as usize].form {
            Form::Record(members) => members.last().is_some_and(|last| self.is_open_array(last.ty)),
            _ => false,
        }
    }

    fn is_open_array(&self, ty: TypeId) -> bool {
        let ty = &self.types[ty.0 as usize];
        ty.size == 0 && matches!(ty.form, Form::Array(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: TypeId = TypeId(0);
    const UNION: TypeId = TypeId(1);
    const NODE: TypeId = TypeId(2);
    const THREE: TypeId = TypeId(3);
    const TABLE: TypeId = TypeId(4);
    const OPEN: TypeId = TypeId(5);
    const LINE: TypeId = TypeId(6);

    fn member(name: &str, offset: u64, ty: TypeId) -> Member {
        Member { name: name.to_owned(), offset, ty }
    }

    /// `struct node { int first; union { … }; union { … } lock; }`, `struct table { struct node nodes[3]; struct node;
    /// }`, and a structure with a `struct node line[]` at its end.
    fn names() -> Names {
        let node = Form::Record(vec![member("first", 0, INT), member("", 4, UNION), member("lock", 8, UNION)]);
        let table = Form::Record(vec![member("nodes", 0, THREE), member("", 36, NODE)]);
        let open = Form::Record(vec![member("count", 0, INT), member("line", 4, LINE)]);
        let ty = |size, form| SourceType { size, form };
        Names {
            types: vec![
                ty(4, Form::Whole),
                ty(4, Form::Whole),
                ty(12, node),
                ty(36, Form::Array(NODE)),
                ty(48, table),
                ty(4, open),
                ty(0, Form::Array(NODE)),
            ],
            ..Names::default()
        }
    }

    fn pointer(target: TypeId, counted: bool) -> Pointer {
        Pointer { name: "p".to_owned(), target, counted }
    }

    fn target(target: TypeId, counted: bool, size: u64, offset: u64) -> Option<(String, u64)> {
        names().target(&pointer(target, counted), size, offset)
    }

    #[test]
    fn a_part_is_the_innermost_one_that_has_a_name() {
        let part = |ty, offset| {
            let Part { text, rest, .. } = names().part(ty, offset);
            (text, rest)
        };
        assert_eq!(part(INT, 2), (String::new(), 2));
        assert_eq!(part(NODE, 0), (".first".to_owned(), 0));
        assert_eq!(part(NODE, 10), (".lock".to_owned(), 2));
        assert_eq!(part(TABLE, 20), (".nodes[1].lock".to_owned(), 0));
        // What is in the anonymous structure has names, as if there were none around it; the union in it has not.
        assert_eq!(part(TABLE, 45), (".lock".to_owned(), 1));
        assert_eq!(part(TABLE, 41), (String::new(), 41));
        assert_eq!(part(TABLE, 17), (".nodes[1]".to_owned(), 5));
    }

    #[test]
    fn what_a_pointer_leads_to() {
        let some = |text: &str, rest| Some((text.to_owned(), rest));
        assert_eq!(target(NODE, false, 12, 8), some("p->lock", 0));
        assert_eq!(target(NODE, false, 12, 5), some("*p", 5));
        assert_eq!(target(INT, false, 4, 0), some("*p", 0));
        assert_eq!(target(INT, false, 40, 9), some("p[2]", 1));
        assert_eq!(target(THREE, false, 36, 20), some("p[0][1].lock", 0));
    }

    #[test]
    fn a_block_has_several_structures_where_they_are_counted_only() {
        assert_eq!(target(NODE, true, 36, 20), Some(("p[1].lock".to_owned(), 0)));
        assert_eq!(target(NODE, true, 12, 8), Some(("p[0].lock".to_owned(), 0)));
        // One that begins like another, or with something in front.
        assert_eq!(target(NODE, false, 36, 8), Some(("p->lock".to_owned(), 0)));
        assert_eq!(target(NODE, false, 36, 20), None);
        assert_eq!(target(NODE, true, 40, 20), None);
        assert_eq!(target(NODE, true, 36, 36), None);
    }

    #[test]
    fn an_array_without_a_size_goes_to_the_end_of_the_block() {
        assert_eq!(target(OPEN, false, 40, 24), Some(("p->line[1].lock".to_owned(), 0)));
        assert_eq!(target(OPEN, false, 40, 0), Some(("p->count".to_owned(), 0)));
    }
}
