//! The files that a page shows beside an execution.
use crate::report::Place;
use crate::report::excerpt::shorten;
use serde::Serialize;

/// Larger files are left out: pages should open at once.
const MOST_BYTES: u64 = 1 << 20;

/// Files by the order in which they were named first.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<String>);

/// A file with what is in it, or why that is not there.
#[derive(Serialize)]
pub(crate) struct File {
    name: String,
    text: Option<String>,
    missing: Option<String>,
}

/// A place, with its file as a number.
#[derive(Serialize)]
pub(crate) struct PlaceData {
    file: usize,
    line: u32,
    column: u32,
    function: String,
}

impl Files {
    /// The place by numbers.
    pub(crate) fn place(&mut self, place: &Place) -> PlaceData {
        let known = self.0.iter().position(|file| *file == place.file);
        let file = known.unwrap_or_else(|| {
            self.0.push(place.file.clone());
            self.0.len() - 1
        });
        PlaceData { file, line: place.line, column: place.column, function: place.function.clone() }
    }

    /// Reads all of them.
    pub(crate) fn read(&self) -> Vec<File> {
        let files = self.0.iter().map(|file| {
            let (text, missing) = match read(file) {
                Ok(text) => (Some(text), None),
                Err(reason) => (None, Some(reason)),
            };
            File { name: shorten(file).to_owned(), text, missing }
        });
        files.collect()
    }
}

fn read(file: &str) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("the file cannot be read: {error}");
    let size = std::fs::metadata(file).map_err(cannot)?.len();
    if size > MOST_BYTES {
        return Err(format!("the file is too large to be shown: {}", crate::units::show_bytes(size)));
    }
    let bytes = std::fs::read(file).map_err(cannot)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn large_files_are_left_out() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(super::MOST_BYTES).unwrap();
        let name = file.path().to_str().unwrap();
        assert_eq!(super::read(name).unwrap().len(), 1 << 20);
        file.as_file().set_len(super::MOST_BYTES + 1).unwrap();
        assert!(super::read(name).unwrap_err().contains("too large"));
    }
}
