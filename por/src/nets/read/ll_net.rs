//! PEP's low-level nets: a header, defaults, then sections of places (`PL`), transitions (`TR`), arcs (`TP`, `PT`) and,
//! as others have added them, read arcs (`RA`).
//!
//! ```text
//! PEP
//! PTNet
//! FORMAT_N
//! PL
//! 1"p"30@30M1
//! 2"q"30@90
//! TR
//! 1"t"90@30
//! TP
//! 1<2
//! PT
//! 1>1
//! ```
//!
//! A line is an object. After its number, name and position come fields, each a letter with a number or a text in
//! quotes: `M` is the initial marking, `m` the current one of a simulation, `w` the weight of an arc; all others are
//! for drawing. A letter inside of quotes is no field. An object without a number has the one after that of the object
//! before it, for PEP leaves out all numbers when they are 1, 2, 3….
use super::{Arc, Draft, ReadError, at, decode};
use crate::nets::{Net, PlaceId, TransitionId};
use rustc_hash::FxHashMap;

/// What the first three lines may be.
const HEADER: [&[&str]; 3] = [&["PEP"], &["PTNet", "PetriBox"], &["FORMAT_N", "FORMAT_N2"]];
/// The sections that must be there, in their order.
const SECTIONS: [&str; 4] = ["PL", "TR", "TP", "PT"];

/// Reads a net.
pub(super) fn read(bytes: &[u8]) -> Result<Net, ReadError> {
    let mut file = File::default();
    let mut last = 1;
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = text.trim_ascii();
        if !text.is_empty() {
            last = line;
            file.line(&mut Line { rest: text, number: line })?;
        }
    }
    match (file.header, SECTIONS.get(file.begun)) {
        (0..3, _) => at(last, "the file ends inside its header: PEP, PTNet or PetriBox, FORMAT_N or FORMAT_N2"),
        (_, Some(section)) => at(last, format!("the file ends before section {section}")),
        _ => file.draft.net(),
    }
}

/// What has been read of a file.
#[derive(Default)]
struct File {
    /// How many lines of the header.
    header: usize,
    /// How many of [`SECTIONS`] have begun.
    begun: usize,
    section: Section,
    /// Whether there was a section with read arcs.
    reads: bool,
    places: Numbers,
    transitions: Numbers,
    draft: Draft,
}

/// What the lines of a section are.
#[derive(Clone, Copy, Default)]
enum Section {
    #[default]
    Defaults,
    Places,
    Transitions,
    Arcs(Arc),
    /// Blocks, texts and phantom transitions, which say nothing of the behaviour.
    Skipped,
    /// One that we do not know; its line.
    Unknown(u32),
}

impl File {
    fn line(&mut self, line: &mut Line<'_>) -> Result<(), ReadError> {
        let word = line.rest.split(|&byte| byte == b'%').next().unwrap_or_default().trim_ascii();
        if word.is_empty() {
            return Ok(());
        }
        if self.header < 3 {
            return self.header(&decode(word), line.number);
        }
        let defaults = matches!(self.section, Section::Defaults) && word[0] == b'D';
        if !defaults && word.len() > 1 && word.iter().all(u8::is_ascii_uppercase) {
            return self.section(&decode(word), line.number);
        }
        match self.section {
            Section::Defaults if defaults => self.defaults(word, line),
            Section::Defaults => at(line.number, "a section must come first: BL or PL"),
            Section::Places => self.place(line),
            Section::Transitions => self.transition(line),
            Section::Arcs(arc) => self.arc(arc, line),
            Section::Skipped => Ok(()),
            Section::Unknown(begin) => {
                at(begin, "what this section says is not known, so it cannot be left out; only PL TR TP PT RA are read")
            }
        }
    }

    fn header(&mut self, word: &str, line: u32) -> Result<(), ReadError> {
        let known = HEADER[self.header];
        if !known.contains(&word) {
            return at(line, format!("{} must stand here, not `{word}`", known.join(" or ")));
        }
        self.header += 1;
        Ok(())
    }

    fn section(&mut self, name: &str, line: u32) -> Result<(), ReadError> {
        self.section = match (name, self.begun) {
            ("BL", 0) | ("PTR", 2) | ("PTP" | "PPT" | "TX", 4) => Section::Skipped,
            ("PL", 0) => Section::Places,
            ("TR", 1) => Section::Transitions,
            ("TP", 2) => Section::Arcs(Arc::Produce),
            ("PT", 3) => Section::Arcs(Arc::Consume),
            ("RA", 4) if !self.reads => Section::Arcs(Arc::Read),
            ("RA" | "BL" | "PTR", 4) => return at(line, format!("section {name} comes twice or too late")),
            (_, 4) if !SECTIONS.contains(&name) => Section::Unknown(line),
            (_, 4) => return at(line, format!("section {name} comes twice")),
            (_, begun) => return at(line, format!("section {} must come here, not {name}", SECTIONS[begun])),
        };
        self.reads |= name == "RA";
        self.begun += usize::from(SECTIONS.contains(&name));
        Ok(())
    }

    /// Defaults are for drawing, unless they put tokens or weights everywhere.
    fn defaults(&mut self, word: &[u8], line: &mut Line<'_>) -> Result<(), ReadError> {
        line.rest = &line.rest[word.iter().take_while(|byte| byte.is_ascii_uppercase()).count().min(3)..];
        let tokens = word.starts_with(b"DPL") && line.field(b'M')?.is_some_and(|tokens| tokens != 0);
        let weight = !word.starts_with(b"DPL") && line.field(b'w')?.is_some_and(|weight| weight != 1);
        if tokens || weight {
            return at(line.number, "a default other than marking 0 and weight 1 cannot be read");
        }
        Ok(())
    }

    fn place(&mut self, line: &mut Line<'_>) -> Result<(), ReadError> {
        let (number, name) = self.places.object(line, "place")?;
        let marking = line.field(b'M')?.unwrap_or(0);
        if marking > 1 {
            return at(line.number, format!("place \"{name}\" has marking {marking}; only safe nets can be read"));
        }
        self.places.ids.insert(number, self.draft.place(name, marking == 1).0);
        Ok(())
    }

    fn transition(&mut self, line: &mut Line<'_>) -> Result<(), ReadError> {
        let (number, name) = self.transitions.object(line, "transition")?;
        line.field(b'M')?;
        self.transitions.ids.insert(number, self.draft.transition(name, line.number).0);
        Ok(())
    }

    fn arc(&mut self, arc: Arc, line: &mut Line<'_>) -> Result<(), ReadError> {
        let sign = if arc == Arc::Consume { b'>' } else { b'<' };
        let first = line.integer()?;
        line.blanks();
        let found = line.rest.first() == Some(&sign);
        line.rest = &line.rest[usize::from(found)..];
        line.blanks();
        let (Some(first), true, Some(second)) = (first, found, line.integer()?) else {
            let pattern = if arc == Arc::Consume { "place>transition" } else { "transition<place" };
            return at(line.number, format!("an arc must stand here, as {pattern} with two numbers"));
        };
        let (transition, place) = if arc == Arc::Consume { (second, first) } else { (first, second) };
        let Some(&transition) = self.transitions.ids.get(&transition) else {
            return at(line.number, format!("there is no transition {transition}"));
        };
        let Some(&place) = self.places.ids.get(&place) else {
            return at(line.number, format!("there is no place {place}"));
        };
        line.blanks();
        if line.rest.first().is_some_and(|byte| !byte.is_ascii_alphabetic() && !b"%@\"'".contains(byte)) {
            return at(line.number, format!("`{}` behind an arc means nothing", decode(line.rest)));
        }
        match line.field(b'w')? {
            None | Some(1) => self.draft.arc(arc, TransitionId(transition), PlaceId(place), line.number),
            Some(weight) => at(line.number, format!("an arc has weight {weight}; only weight 1 can be read")),
        }
    }
}

/// The numbers of the places, or of the transitions, in the file.
#[derive(Default)]
struct Numbers {
    /// The number that came last.
    last: u64,
    /// Which of the net each of them is.
    ids: FxHashMap<u64, u32>,
}

impl Numbers {
    /// The number and the name at the begin of a line.
    fn object(&mut self, line: &mut Line<'_>, kind: &str) -> Result<(u64, String), ReadError> {
        self.last = line.integer()?.unwrap_or(self.last + 1);
        line.blanks();
        if self.ids.contains_key(&self.last) {
            return at(line.number, format!("there is a {kind} {} already", self.last));
        }
        match line.quoted()? {
            Some(name) => {
                let behind = line.rest.trim_ascii_start();
                let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
                if let [b'"' | b'\'', ..] = behind[digits..].trim_ascii_start() {
                    return at(line.number, format!("two {kind}s in one line"));
                }
                Ok((self.last, decode(name)))
            }
            None => at(
                line.number,
                format!("a {kind} must stand here, as a number, which may be missing, and a name in quotes"),
            ),
        }
    }
}

/// A line, or what is left of it.
struct Line<'a> {
    rest: &'a [u8],
    number: u32,
}

impl<'a> Line<'a> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    /// A number, if one stands here. It is small enough that others can follow.
    fn integer(&mut self) -> Result<Option<u64>, ReadError> {
        let (digits, rest) = self.rest.split_at(self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
        self.rest = rest;
        if digits.is_empty() {
            return Ok(None);
        }
        match decode(digits).parse::<u32>() {
            Ok(number) => Ok(Some(number.into())),
            Err(_) => at(self.number, format!("the number {} is too large", decode(digits))),
        }
    }

    /// A text in quotes of either kind, if one stands here.
    fn quoted(&mut self) -> Result<Option<&'a [u8]>, ReadError> {
        let Some((&quote @ (b'"' | b'\''), rest)) = self.rest.split_first() else { return Ok(None) };
        let Some(end) = rest.iter().position(|&byte| byte == quote) else {
            return at(self.number, "a text in quotes has no end");
        };
        self.rest = &rest[end + 1..];
        Ok(Some(&rest[..end]))
    }

    /// Reads all fields that are left, and gives the number of the one with this letter.
    fn field(&mut self, letter: u8) -> Result<Option<u64>, ReadError> {
        let mut found = None;
        loop {
            self.blanks();
            if self.quoted()?.is_some() {
                continue;
            }
            let Some((&byte, rest)) = self.rest.split_first() else { return Ok(found) };
            match byte {
                b'%' => return Ok(found),
                _ if byte == letter => {
                    self.rest = rest;
                    let number = self.integer()?;
                    if number.is_none() || found.is_some() && number != found {
                        return at(self.number, format!("{} must have one number behind it", char::from(letter)));
                    }
                    found = number;
                }
                _ if byte.is_ascii_alphanumeric() || b"@-+.,;:()".contains(&byte) => self.rest = rest,
                _ => return at(self.number, format!("`{}` cannot stand here", char::from(byte).escape_default())),
            }
        }
    }
}
