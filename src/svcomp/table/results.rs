//! Results, in memory and in a file: one JSON object for each line, written as soon as it is known, so that a second
//! run can go on where the first one ended.
use super::Run;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, ErrorKind, Write};
use std::path::Path;

/// The result of one question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// The definition.
    pub task: String,
    /// The property file.
    pub property: String,
    /// As the competition writes it.
    pub answer: String,
    /// Why.
    pub reason: String,
    /// Time taken.
    pub seconds: f64,
}

/// All results.
#[derive(Debug)]
pub(super) struct Results {
    known: BTreeMap<(String, String), Record>,
    file: Option<File>,
}

impl Results {
    /// Those in the file, which need not be there yet; none without a file.
    pub(super) fn open(path: Option<&Path>) -> Result<Results, Error> {
        let mut known = BTreeMap::new();
        let Some(path) = path else { return Ok(Results { known, file: None }) };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        // The last line may have been cut off by what ended the run.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        for (line, number) in whole.lines().zip(1..) {
            let record: Record = serde_json::from_str(line)
                .map_err(|error| Error::other(format!("{}:{number}: {error}", path.display())))?;
            known.insert((record.task.clone(), record.property.clone()), record);
        }
        let mut file = File::options().create(true).append(true).open(path)?;
        file.set_len(whole.len() as u64)?;
        file.flush()?;
        Ok(Results { known, file: Some(file) })
    }

    /// The result of a question, if it is known.
    pub(super) fn get(&self, run: &Run) -> Option<&Record> {
        self.known.get(&run.key())
    }

    /// Adds one.
    pub(super) fn add(&mut self, run: &Run, record: Record) -> Result<(), Error> {
        if let Some(file) = &mut self.file {
            let line = serde_json::to_string(&record).expect("plain data can be written as JSON");
            writeln!(file, "{line}")?;
        }
        self.known.insert(run.key(), record);
        Ok(())
    }
}
