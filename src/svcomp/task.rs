//! Task definitions: a program, the properties to check it for, and what is expected of them (format 2.0 of SV-COMP).
use super::answer::Expected;
use super::property::Property;
use frontend::ir::DataModel;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A task.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The definition, as it was named or found.
    pub definition: PathBuf,
    /// The files of the program.
    pub inputs: Vec<PathBuf>,
    /// Sizes of the target, if the definition says so.
    pub model: Option<DataModel>,
    /// What is asked.
    pub checks: Vec<Check>,
}

/// A property of a task.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// The property file.
    pub file: PathBuf,
    /// What it says.
    pub property: Property,
    /// The right answer, if the definition says so.
    pub expected: Option<Expected>,
}

/// Whether the file is a task definition, by its name.
pub(crate) fn is_definition(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// All definitions in a directory and below, in the order of their names.
pub(crate) fn definitions(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if is_definition(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

impl Task {
    /// Reads a definition; the files that it names are looked for from where it is. The error is one line.
    pub(crate) fn read(definition: &Path) -> Result<Task, String> {
        let wrong = |what: String| format!("{}: {what}", definition.display());
        let text = std::fs::read_to_string(definition).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let written = parse(&text).map_err(wrong)?;
        let directory = definition.parent().unwrap_or(Path::new(""));
        let mut inputs = Vec::new();
        for pattern in written.input_files.patterns() {
            inputs.extend(matching(directory, pattern).map_err(wrong)?);
        }
        let options = written.options.unwrap_or_default();
        if let Some(language) = options.language.filter(|language| language != "C") {
            return Err(wrong(format!("is a task for the language {language}; verify knows C")));
        }
        let model = match options.data_model.as_deref() {
            None => None,
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            Some(other) => return Err(wrong(format!("`{other}` is no data model; ILP32 and LP64 are"))),
        };
        let check = |written: &WrittenProperty| {
            let file = directory.join(&written.property_file);
            let (property, _) = Property::read(&file).map_err(|error| wrong(error.to_string()))?;
            let expected = written.expected_verdict;
            let expected = expected.map(|holds| Expected { holds, subproperty: written.subproperty.clone() });
            Ok(Check { file, property, expected })
        };
        let checks = written.properties.iter().map(check).collect::<Result<_, String>>()?;
        Ok(Task { definition: definition.to_path_buf(), inputs, model, checks })
    }
}

fn parse(text: &str) -> Result<Written, String> {
    let written: Written = serde_saphyr::from_str(text).map_err(|error| {
        let error = error.to_string();
        format!("is no task definition: {}", error.lines().next().unwrap_or_default())
    })?;
    match written.format_version.as_str() {
        "1.0" | "2.0" | "2.1" => Ok(written),
        other => Err(format!("format {other} of task definitions is not known; 2.0 is")),
    }
}

/// The files that a pattern means; at least one.
fn matching(directory: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    // The directory is a name, not a pattern.
    let whole = Path::new(&glob::Pattern::escape(&directory.display().to_string())).join(pattern);
    let paths = glob::glob(&whole.display().to_string()).map_err(|error| format!("`{pattern}`: {error}"))?;
    let found: Vec<PathBuf> = paths.filter_map(Result::ok).collect();
    if found.is_empty() { Err(format!("no file `{pattern}` next to it")) } else { Ok(found) }
}

/// The definition as it is written.
#[derive(Deserialize, Debug)]
struct Written {
    format_version: String,
    input_files: Patterns,
    #[serde(default)]
    properties: Vec<WrittenProperty>,
    options: Option<WrittenOptions>,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Patterns {
    One(String),
    Several(Vec<String>),
}

impl Patterns {
    fn patterns(&self) -> &[String] {
        match self {
            Patterns::One(pattern) => std::slice::from_ref(pattern),
            Patterns::Several(patterns) => patterns,
        }
    }
}

#[derive(Deserialize, Debug)]
struct WrittenProperty {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize, Debug, Default)]
struct WrittenOptions {
    language: Option<String>,
    data_model: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINITION: &str = "\
format_version: '2.0'
# old file name: whatever
input_files: ['b?.c', 'a.i']
properties:
  - property_file: p.prp
    expected_verdict: false
    subproperty: valid-free
  - property_file: ./p.prp
additional_information: {classes: [x]}
options:
  language: C
  data_model: ILP32
";

    fn read(definition: &str) -> Result<Task, String> {
        let directory = tempfile::tempdir().unwrap();
        for (name, content) in [
            ("a.i", ""),
            ("b1.c", ""),
            ("b2.c", ""),
            ("p.prp", "CHECK( init(main()), LTL(G valid-free) )"),
            ("t.yml", definition),
        ] {
            std::fs::write(directory.path().join(name), content).unwrap();
        }
        assert_eq!(definitions(directory.path()).unwrap().len(), 1);
        Task::read(&directory.path().join("t.yml"))
    }

    #[test]
    fn a_definition() {
        let task = read(DEFINITION).unwrap();
        let names: Vec<_> = task.inputs.iter().map(|input| input.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["b1.c", "b2.c", "a.i"]);
        assert_eq!(task.model, Some(DataModel::Ilp32));
        let expected = Expected { holds: false, subproperty: Some("valid-free".to_owned()) };
        assert_eq!(task.checks[0].expected, Some(expected));
        assert_eq!(task.checks[1].expected, None);
        assert_eq!(task.checks[1].property.name(), "valid-memsafety");
    }

    #[test]
    fn one_file_and_a_bare_version() {
        let task = read("format_version: 2.0\ninput_files: a.i\n").unwrap();
        assert_eq!(task.inputs.len(), 1);
        assert!(task.model.is_none() && task.checks.is_empty());
    }

    #[test]
    fn mistakes() {
        for (definition, word) in [
            ("entry_type: violation_sequence\n", "no task definition"),
            ("- a\n- b\n", "no task definition"),
            ("format_version: '3.0'\ninput_files: a.i\n", "format 3.0"),
            ("format_version: '2.0'\ninput_files: 'c*.c'\n", "no file `c*.c`"),
            ("format_version: '2.0'\ninput_files: a.i\noptions: {data_model: LLP64}\n", "no data model"),
            ("format_version: '2.0'\ninput_files: a.i\noptions: {language: Java}\n", "Java"),
            ("format_version: '2.0'\ninput_files: a.i\nproperties: [{property_file: q.prp}]\n", "q.prp"),
        ] {
            let error = read(definition).unwrap_err();
            assert!(error.contains(word) && error.lines().count() == 1, "{error}");
        }
    }
}
