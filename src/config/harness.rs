//! `[[harness]]`: a program with what is expected of it. `verify test` runs them.
use super::document::Table;
use crate::cli::options;
use crate::report::case::Expected;
use crate::request::UsageError;

/// A program to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Harness {
    /// What people call it.
    pub name: String,
    /// Its files, as seen from the directory where it runs.
    pub inputs: Vec<String>,
    /// Words of the command line.
    pub options: Vec<String>,
    /// Arguments for its `main`.
    pub arguments: Vec<String>,
    /// What should come out.
    pub expected: Expected,
    /// Why this verdict is expected, for readers.
    pub reason: Option<String>,
    /// Where it stands, as `verify.toml:7`.
    pub origin: String,
}

impl Harness {
    /// A program without options, of which a proof is expected.
    pub(crate) fn of(input: &str) -> Self {
        Harness {
            name: input.to_owned(),
            inputs: vec![input.to_owned()],
            options: Vec::new(),
            arguments: Vec::new(),
            expected: Expected::Safe,
            reason: None,
            origin: String::new(),
        }
    }

    /// What follows `verify check`, with more options.
    pub(crate) fn words(&self, more: &[String]) -> Vec<String> {
        // What begins like an option is a file all the same.
        let inputs = self.inputs.iter().map(|input| match input.starts_with('-') {
            true => format!("./{input}"),
            false => input.clone(),
        });
        let options = self.options.iter().chain(more).cloned();
        inputs.chain(options).chain(["--".to_owned()]).chain(self.arguments.iter().cloned()).collect()
    }
}

/// Options that say how the result of all is written, or what there is to run.
const NOT_HERE: [&str; 7] =
    ["--format", "--report", "--fail-on", "--print-ir", "--list-undefined", "--config", "--no-config"];

/// Reads one.
pub(super) fn read(table: &Table<'_>) -> Result<Harness, UsageError> {
    table.only(&["name", "inputs", "options", "args", "expect", "reason"])?;
    let expect = table.string("expect")?;
    let expected = expect.as_deref().unwrap_or("safe").parse();
    let harness = Harness {
        name: table.required("name", "what the harness is called in reports")?,
        inputs: table.strings("inputs")?,
        options: table.strings("options")?,
        arguments: table.strings("args")?,
        expected: expected.map_err(|why| table.error_at("expect", why, "write expect = \"unsafe(data-race)\", say"))?,
        reason: table.string("reason")?,
        origin: table.origin(),
    };
    let name = |option: &String| option.split('=').next().unwrap_or_default().to_owned();
    if let Some(option) = harness.options.iter().map(name).find(|name| NOT_HERE.contains(&name.as_str())) {
        let hint = "give it to `verify test`, on the command line or by [defaults]";
        return Err(table.error_at("options", format!("`{option}` is not for one harness alone"), hint));
    }
    if harness.options.iter().any(|option| option == "--") {
        return Err(table.error_at("options", "`--` is no option".to_owned(), "arguments of the program go to `args`"));
    }
    match options::mistake(harness.words(&[])) {
        Some(why) => Err(table.error(
            format!("the harness `{}` cannot be run: {why}", harness.name),
            "`inputs` are its files, `options` what `verify check` takes: one text for each word",
        )),
        None => Ok(harness),
    }
}

/// Complains of two with one name.
pub(super) fn distinct(harnesses: &[Harness]) -> Result<(), UsageError> {
    for (at, harness) in harnesses.iter().enumerate() {
        if let Some(first) = harnesses[..at].iter().find(|first| first.name == harness.name) {
            return Err(UsageError {
                message: format!("{}: there are two harnesses `{}`", harness.origin, harness.name),
                hint: format!("the first is at {}; give one of them another name", first.origin),
            });
        }
    }
    Ok(())
}
