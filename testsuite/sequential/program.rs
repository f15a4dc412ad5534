//! Random programs as trees of lines, and how they are written in C.
use std::fmt::Write;

/// A line, or lines around others. In all of them `@` stands for the prefix of the program's names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    Line(String),
    Block { head: String, body: Vec<Node>, tail: String },
}

/// A program: types, variables and functions, the last of which is `@main`.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) nodes: Vec<Node>,
    /// The error that was planted at the line with [`MARK`], if any.
    pub(crate) planted: Option<Planted>,
}

/// A deliberate error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planted {
    /// For messages.
    pub(crate) name: &'static str,
    /// Its kind, as reports call it.
    pub(crate) kind: interp::fault::Kind,
    /// Who notices it in a native run.
    pub(crate) judge: Judge,
}

/// Who notices an error in a native run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judge {
    /// The sanitizers of addresses and of undefined behaviour, or the C library.
    Usual,
    /// The sanitizer of memory that was never written.
    Msan,
    /// Nobody for sure: its place may be anything.
    Nobody,
}

/// What marks the line of the planted error.
pub(crate) const MARK: &str = "/*!*/";

impl Program {
    /// Whether a line of it has the mark.
    pub(crate) fn marked(&self) -> bool {
        self.contains(MARK)
    }

    /// Whether this is part of a line.
    pub(crate) fn contains(&self, part: &str) -> bool {
        fn within(nodes: &[Node], part: &str) -> bool {
            nodes.iter().any(|node| match node {
                Node::Line(text) => text.contains(part),
                Node::Block { head, body, .. } => head.contains(part) || within(body, part),
            })
        }
        within(&self.nodes, part)
    }
}

/// A line.
pub(crate) fn line(text: impl Into<String>) -> Node {
    Node::Line(text.into())
}

/// Lines in braces.
pub(crate) fn block(head: impl Into<String>, body: Vec<Node>) -> Node {
    Node::Block { head: format!("{} {{", head.into()), body, tail: "}".into() }
}

/// All programs as one file. The first argument says which one is run; natively that is done by another file.
pub(crate) fn unit(programs: &[&Program]) -> String {
    let mut text = PRELUDE.to_owned();
    for (number, program) in programs.iter().enumerate() {
        let mut own = String::new();
        render(&program.nodes, 0, &mut own);
        text += &own.replace('@', &format!("p{number}_"));
    }
    text.push_str("int (*const programs[])(void) = {\n");
    for number in 0..programs.len() {
        writeln!(text, "  p{number}_main,").expect("strings can be written");
    }
    text.push_str("};\nconst int program_count = sizeof programs / sizeof *programs;\n");
    text.push_str(
        "#ifndef NATIVE\nint main(int argc, char **argv) { return programs[atoi(argv[argc - 1])](); }\n#endif\n",
    );
    text
}

/// The lines of that file at which programs begin.
pub(crate) fn lines(programs: &[&Program]) -> Vec<usize> {
    let mut next = PRELUDE.lines().count() + 1;
    let begin = |program: &&Program| {
        let mut own = String::new();
        render(&program.nodes, 0, &mut own);
        let begin = next;
        next += own.lines().count();
        begin
    };
    programs.iter().map(begin).collect()
}

fn render(nodes: &[Node], depth: usize, text: &mut String) {
    let mut put = |content: &str| writeln!(text, "{:1$}{content}", "", 2 * depth).expect("strings can be written");
    for node in nodes {
        match node {
            Node::Line(content) => put(content),
            Node::Block { head, body, tail } => {
                put(head);
                let mut inner = String::new();
                render(body, depth + 1, &mut inner);
                put(inner.trim_end_matches('\n'));
                put(tail);
            }
        }
    }
}

/// What all programs of a file share.
const PRELUDE: &str = include_str!("prelude.h");
/// Runs the programs of a file natively, each in a process of its own.
pub(crate) const DRIVER: &str = include_str!("driver.c");
