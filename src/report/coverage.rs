//! What was covered, where the verdict does not say it: what samples have shown, and which code was reached: as LCOV,
//! as a page with the source, and in a few words.
use super::Reason;
use super::excerpt::shorten;
use super::printable::printable_lines;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The formats of `--coverage`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CoverageFormat {
    /// What `genhtml` and other tools read.
    Lcov,
    /// One page with the source.
    Html,
}

/// What samples of schedules have shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Sampling {
    /// How many were taken.
    pub samples: u64,
    /// Of how many classes they are: those of a class differ in the order of independent actions only.
    pub classes: u64,
    /// The estimated odds that one more sample is of a class that was not met; nothing after too few samples.
    pub unseen: Option<f64>,
    /// How many got too long, and were given up.
    pub too_long: u64,
    /// All schedules with at most so many preemptions were taken, but for the order of independent actions; `None`: not
    /// even those without any.
    pub preemptions: Option<u32>,
    /// There are no others.
    pub is_exhausted: bool,
    /// The number of the sample that has shown a bug, and the sampler that took it.
    pub found_by: Option<(u64, String)>,
}

impl Sampling {
    /// Whether all schedules with at most so many preemptions were taken.
    pub(crate) fn has_taken(&self, preemptions: u32) -> bool {
        self.is_exhausted || self.preemptions.is_some_and(|most| most >= preemptions)
    }
}

impl Reason {
    /// Whether a limit that the user has set is all that it is.
    pub(crate) fn is_limit(&self) -> bool {
        use Reason::{CpuLimit, ExecutionLimit, MemoryLimit, OnlySampled, TimeLimit};
        matches!(self, TimeLimit(_) | CpuLimit(_) | MemoryLimit(_) | ExecutionLimit(_) | OnlySampled(_))
    }
}

/// Which code was executed, at least in part, by any schedule that was tried.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Code {
    /// By file.
    pub files: BTreeMap<String, File>,
}

/// A file of the source.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct File {
    /// By line that has code: whether some of it was executed.
    pub lines: BTreeMap<u32, bool>,
    /// By name: the line on which the function begins, and whether it was called.
    pub functions: BTreeMap<String, (u32, bool)>,
}

impl Code {
    /// How many lines have code, and how many of them were reached.
    pub(crate) fn lines(&self) -> (usize, usize) {
        count(self.files.values().flat_map(|file| file.lines.values().copied()))
    }

    /// How many functions there are, and how many of them were reached.
    pub(crate) fn functions(&self) -> (usize, usize) {
        count(self.files.values().flat_map(|file| file.functions.values().map(|(_, reached)| *reached)))
    }

    /// Functions that were never reached, by file, line and name.
    pub(crate) fn unreached_functions(&self) -> impl Iterator<Item = (&str, u32, &str)> {
        self.files.iter().flat_map(|(path, file)| {
            let missing = file.functions.iter().filter(|(_, (_, reached))| !reached);
            missing.map(|(name, (line, _))| (path.as_str(), *line, name.as_str()))
        })
    }

    /// Lines that were never reached, of functions that were.
    pub(crate) fn unreached_lines(&self) -> impl Iterator<Item = (&str, u32)> {
        self.files.iter().flat_map(|(path, file)| {
            let missing = file.lines.iter().filter(|(_, reached)| !**reached);
            missing.map(|(line, _)| (path.as_str(), *line))
        })
    }

    /// In a few words.
    pub(crate) fn sentence(&self) -> String {
        let ((lines, reached), (functions, called)) = (self.lines(), self.functions());
        let names: Vec<&str> = self.unreached_functions().map(|(_, _, name)| name).take(NAMES).collect();
        let more = (functions - called).saturating_sub(NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let missing = if names.is_empty() { String::new() } else { format!("; never: {}{more}", names.join(", ")) };
        format!("{reached} of {lines} lines and {called} of {functions} functions were reached{missing}")
    }
}

/// How many functions are named at most.
const NAMES: usize = 5;

fn count(reached: impl Iterator<Item = bool>) -> (usize, usize) {
    reached.fold((0, 0), |(all, met), reached| (all + 1, met + usize::from(reached)))
}

/// Writes a file.
pub(crate) fn write(code: &Code, format: CoverageFormat) -> String {
    match format {
        CoverageFormat::Lcov => lcov(code),
        CoverageFormat::Html => html(code),
    }
}

/// The format of `geninfo(1)`. How often a line is executed is not counted: 1 says that it is.
fn lcov(code: &Code) -> String {
    let mut out = String::new();
    for (path, file) in &code.files {
        let _ = writeln!(out, "TN:\nSF:{path}");
        for (name, (line, _)) in &file.functions {
            let _ = writeln!(out, "FN:{line},{name}");
        }
        for (name, (_, reached)) in &file.functions {
            let _ = writeln!(out, "FNDA:{},{name}", u8::from(*reached));
        }
        let (functions, called) = count(file.functions.values().map(|(_, reached)| *reached));
        let _ = writeln!(out, "FNF:{functions}\nFNH:{called}");
        for (line, reached) in &file.lines {
            let _ = writeln!(out, "DA:{line},{}", u8::from(*reached));
        }
        let (lines, reached) = count(file.lines.values().copied());
        let _ = writeln!(out, "LF:{lines}\nLH:{reached}\nend_of_record");
    }
    out
}

/// One page. (The source is read when it is written; a file that is not there any more has its numbers of lines only.)
fn html(code: &Code) -> String {
    let mut out = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Coverage</title>\n<style>\n\
         body { font-family: sans-serif; margin: 2em } pre { line-height: 1.3 }\n\
         .yes { background: #d8f5d8 } .no { background: #fbdcdc } .number { color: #777 }\n</style>\n<h1>Coverage</h1>\n",
    );
    let _ = writeln!(out, "<p>{}</p>", escape(&code.sentence()));
    for (path, file) in &code.files {
        let (lines, reached) = count(file.lines.values().copied());
        let _ = writeln!(out, "<h2>{}</h2>\n<p>{reached} of {lines} lines</p>\n<pre>", escape(shorten(path)));
        let source = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let last = file.lines.keys().next_back().copied().unwrap_or(0);
        let mut text = source.lines();
        for number in 1.. {
            let line = text.next();
            if line.is_none() && number > last {
                break;
            }
            let class = match file.lines.get(&number) {
                Some(true) => "yes",
                Some(false) => "no",
                None => "none",
            };
            let line = escape(line.unwrap_or_default());
            let _ = writeln!(out, "<span class=\"number\">{number:>6} </span><span class=\"{class}\">{line}</span>");
        }
        out += "</pre>\n";
    }
    out + "</html>\n"
}

fn escape(text: &str) -> String {
    quick_xml::escape::escape(printable_lines(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code() -> Code {
        let file = File {
            lines: BTreeMap::from([(3, true), (4, true), (9, false)]),
            functions: BTreeMap::from([("main".to_owned(), (2, true)), ("never<int>".to_owned(), (8, false))]),
        };
        Code { files: BTreeMap::from([("dir/a.c".to_owned(), file)]) }
    }

    #[test]
    fn as_lcov() {
        let expected = "TN:\nSF:dir/a.c\nFN:2,main\nFN:8,never<int>\nFNDA:1,main\nFNDA:0,never<int>\nFNF:2\nFNH:1\n\
                        DA:3,1\nDA:4,1\nDA:9,0\nLF:3\nLH:2\nend_of_record\n";
        assert_eq!(lcov(&code()), expected);
    }

    #[test]
    fn as_a_page() {
        let page = html(&code());
        assert!(page.contains("<span class=\"number\">     9 </span><span class=\"no\">"), "{page}");
        assert!(page.contains("never: never&lt;int&gt;"), "{page}");
    }

    #[test]
    fn in_words() {
        let words = "2 of 3 lines and 1 of 2 functions were reached; never: never<int>";
        assert_eq!(code().sentence(), words);
        assert_eq!(code().unreached_lines().collect::<Vec<_>>(), [("dir/a.c", 9)]);
    }
}
