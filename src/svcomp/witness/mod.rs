//! Witnesses: what a validator needs to see for itself that an answer is right, as `witness.graphml` (format 1.0) and
//! `witness.yml` (format 2.2).
//!
//! That of a violation is the schedule that was replayed. That of a proof has nothing to say beyond the answer.
mod graphml;
mod path;
mod source;
mod yaml;

use super::answer::Answer;
use super::judge::Judgement;
use super::property::Property;
use super::settings::Question;
use crate::report::{Place, Report};
use frontend::ir::DataModel;
use path::Path as Schedule;
use source::Source;
use std::io::Error;
use std::path::Path;

/// What witnesses say of where they come from.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// The files of the program.
    sources: Vec<Source>,
    /// The text of the property file, without blank lines.
    specification: String,
    /// Sizes of the target.
    model: DataModel,
    /// When it was made: a second, in UTC.
    created: String,
    /// A number that no other witness has.
    uuid: String,
}

impl Origin {
    /// For an answer that was just found.
    pub(super) fn new(question: &Question, property: &str) -> Result<Self, Error> {
        let sources = question.inputs.iter().map(|input| Source::read(input));
        let now = jiff::Timestamp::now().round(jiff::Unit::Second).map_err(Error::other)?;
        let lines = property.lines().map(str::trim).filter(|line| !line.is_empty());
        Ok(Origin {
            sources: sources.collect::<Result<_, Error>>()?,
            specification: lines.collect::<Vec<_>>().join("\n"),
            model: question.model,
            created: now.to_string(),
            uuid: uuid::Uuid::new_v4().to_string(),
        })
    }
}

impl Origin {
    /// The file of the program in which a place is, if it is in one.
    fn source(&self, place: &Place) -> Option<&Source> {
        self.sources.iter().find(|source| source.is(&place.file))
    }
}

/// Writes both witnesses of an answer that is known.
pub(super) fn write(
    directory: &Path,
    origin: &Origin,
    property: &Property,
    judgement: &Judgement,
    report: Option<&Report>,
) -> Result<(), Error> {
    let violation = match judgement.answer {
        Answer::False(_) => report.and_then(|report| report.violations.first()),
        _ => None,
    };
    let schedule = violation.map(|violation| Schedule::new(violation, *property == Property::NoDataRace));
    std::fs::create_dir_all(directory)?;
    std::fs::write(directory.join("witness.graphml"), graphml::write(origin, schedule.as_ref())?)?;
    std::fs::write(directory.join("witness.yml"), yaml::write(origin, schedule.as_ref()).map_err(Error::other)?)
}
