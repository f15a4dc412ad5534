//! TOML with the place of every key and value, so that a mistake is reported with file and line.
use crate::request::UsageError;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file.
#[derive(Debug)]
pub(super) struct Document<'a> {
    name: &'a str,
    text: &'a str,
}

/// A table in it.
#[derive(Debug)]
pub(super) struct Table<'a> {
    document: &'a Document<'a>,
    span: Range<usize>,
    entries: DeTable<'a>,
}

impl<'a> Document<'a> {
    /// The text of the file of that name.
    pub(super) fn new(name: &'a str, text: &'a str) -> Self {
        Document { name, text }
    }

    /// All of it.
    pub(super) fn root(&'a self) -> Result<Table<'a>, UsageError> {
        match DeTable::parse(self.text) {
            Ok(table) => Ok(Table { document: self, span: table.span(), entries: table.into_inner() }),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                Err(self.error(&span, error.message().to_owned(), "https://toml.io describes the format"))
            }
        }
    }

    fn error(&self, span: &Range<usize>, message: String, hint: &str) -> UsageError {
        UsageError { message: format!("{}: {message}", self.origin(span)), hint: hint.to_owned() }
    }

    /// Where something stands, as `verify.toml:7`.
    fn origin(&self, span: &Range<usize>) -> String {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        format!("{}:{}", self.name, 1 + before.iter().filter(|byte| **byte == b'\n').count())
    }
}

impl<'a> Table<'a> {
    /// Where the table stands, as `verify.toml:7`.
    pub(super) fn origin(&self) -> String {
        self.document.origin(&self.span)
    }

    /// The keys in the order of the file.
    pub(super) fn keys(&self) -> Vec<String> {
        let mut keys: Vec<_> = self.entries.keys().collect();
        keys.sort_by_key(|key| key.span().start);
        keys.into_iter().map(|key| key.get_ref().to_string()).collect()
    }

    /// Complains of a key that is none of these.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), UsageError> {
        match self.keys().iter().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(self.unknown(key, known)),
            None => Ok(()),
        }
    }

    /// The complaint of a key that is none of these.
    pub(super) fn unknown(&self, key: &str, known: &[&str]) -> UsageError {
        let nearest = known.iter().map(|name| (strsim::osa_distance(key, name), name)).min();
        let hint = match nearest {
            Some((distance, name)) if distance <= 1 + key.len() / 3 => format!("did you mean `{name}`?"),
            _ => format!("known are {}", known.join(", ")),
        };
        self.error_at(key, format!("unknown key `{key}`"), &hint)
    }

    /// A complaint of the table.
    pub(super) fn error(&self, message: String, hint: &str) -> UsageError {
        self.document.error(&self.span, message, hint)
    }

    /// A complaint of a key.
    pub(super) fn error_at(&self, key: &str, message: String, hint: &str) -> UsageError {
        let found = self.entries.keys().find(|known| known.get_ref().as_ref() == key);
        self.document.error(&found.map_or(self.span.clone(), Spanned::span), message, hint)
    }

    /// A text, if it is there.
    pub(super) fn string(&self, key: &str) -> Result<Option<String>, UsageError> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        match value.get_ref().as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.error_at(key, format!("`{key}` must be a text"), &format!("write {key} = \"…\""))),
        }
    }

    /// A text that must be there; `what` it says.
    pub(super) fn required(&self, key: &str, what: &str) -> Result<String, UsageError> {
        match self.string(key)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            _ => Err(self.error(format!("`{key}` is missing"), &format!("add {key} = \"…\": {what}"))),
        }
    }

    /// Texts: one, several, or none.
    pub(super) fn strings(&self, key: &str) -> Result<Vec<String>, UsageError> {
        let Some(value) = self.entries.get(key) else { return Ok(Vec::new()) };
        let text = |value: &Spanned<DeValue<'_>>| value.get_ref().as_str().map(str::to_owned);
        let texts = match value.get_ref() {
            DeValue::Array(values) => values.iter().map(text).collect::<Option<Vec<_>>>(),
            _ => text(value).map(|text| vec![text]),
        };
        let hint = format!("write {key} = [\"…\", \"…\"]");
        texts.ok_or_else(|| self.error_at(key, format!("`{key}` must be a text, or a list of texts"), &hint))
    }

    /// The words that a value stands for on a command line, and whether it is a truth value.
    pub(super) fn words(&self, key: &str) -> Result<(Vec<String>, bool), UsageError> {
        let Some(value) = self.entries.get(key) else { return Ok((Vec::new(), false)) };
        let one = |value: &DeValue<'_>| match value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().replace('_', "")),
            DeValue::Boolean(truth) => Some(truth.to_string()),
            _ => None,
        };
        let words = match value.get_ref() {
            DeValue::Array(values) => values.iter().map(|value| one(value.get_ref())).collect(),
            value => one(value).map(|word| vec![word]),
        };
        let hint = "write a text, a number, true or false, or a list of these";
        let words =
            words.ok_or_else(|| self.error_at(key, format!("`{key}` is nothing that an option takes"), hint))?;
        Ok((words, value.get_ref().is_bool()))
    }

    /// A table below, if it is there.
    pub(super) fn table(&self, key: &str) -> Result<Option<Table<'a>>, UsageError> {
        let Some((name, value)) = self.entries.get_key_value(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Table(entries) => Ok(Some(self.below(name.span(), entries))),
            _ => Err(self.error_at(key, format!("`{key}` must be a table"), &format!("write [{key}] on a line"))),
        }
    }

    /// The tables of a list of them.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<Table<'a>>, UsageError> {
        let Some(value) = self.entries.get(key) else { return Ok(Vec::new()) };
        let table = |value: &Spanned<DeValue<'a>>| match value.get_ref() {
            DeValue::Table(entries) => Some(self.below(value.span(), entries)),
            _ => None,
        };
        let tables = match value.get_ref() {
            DeValue::Array(values) => values.iter().map(table).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        let hint = format!("write [[{key}]] on a line before each");
        tables.ok_or_else(|| self.error_at(key, format!("`{key}` must be a list of tables"), &hint))
    }

    fn below(&self, span: Range<usize>, entries: &DeTable<'a>) -> Table<'a> {
        Table { document: self.document, span, entries: entries.clone() }
    }
}
