//! Which tests run in one process, and in which order the processes start.
use crate::executable::Executable;
use crate::piece::Piece;
use crate::times::Times;
use std::cmp::Reverse;
use std::time::Duration;

/// What a piece takes at least, unless the executable has no more tests: to start a process takes some milliseconds.
const GRAIN: Duration = Duration::from_secs(6);

/// What an executable takes of which nothing is known. Where there are few tests, each is likely to be long.
const UNKNOWN: Duration = Duration::from_secs(200);

/// All tests in pieces, the longest first, so that no long one is left when everything else has ended.
pub(crate) fn plan<'a>(executables: &'a [Executable], times: &Times) -> Vec<Piece<'a>> {
    let mut pieces: Vec<(Duration, Piece<'a>)> =
        executables.iter().flat_map(|executable| pieces(executable, times)).collect();
    pieces.sort_by_key(|(duration, _)| Reverse(*duration));
    pieces.into_iter().map(|(_, piece)| piece).collect()
}

fn pieces<'a>(executable: &'a Executable, times: &Times) -> Vec<(Duration, Piece<'a>)> {
    let unknown = UNKNOWN / u32::try_from(executable.tests.len().max(1)).unwrap_or(u32::MAX);
    let expected = |test: &str| times.of(&executable.name, test).unwrap_or(unknown);
    let mut tests: Vec<(Duration, &str)> =
        executable.tests.iter().map(|test| (expected(test), test.as_str())).collect();
    tests.sort_by_key(|(duration, _)| Reverse(*duration));
    let mut pieces = Vec::new();
    let (mut sum, mut names) = (Duration::ZERO, Vec::new());
    for (duration, test) in tests {
        sum += duration;
        names.push(test);
        if sum >= GRAIN {
            pieces.push((std::mem::take(&mut sum), Piece { executable, tests: std::mem::take(&mut names) }));
        }
    }
    if !names.is_empty() {
        pieces.push((sum, Piece { executable, tests: names }));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executable(name: &str, tests: &[&str]) -> Executable {
        let tests = tests.iter().map(|test| (*test).to_owned()).collect();
        Executable { name: name.to_owned(), path: "/nowhere".into(), directory: "/".into(), tests }
    }

    #[test]
    fn every_test_once_and_long_ones_first() {
        let executables = [executable("short", &["a", "b", "c"]), executable("long", &["d", "e", "f"])];
        let mut times = Times::default();
        for (name, test, seconds) in [
            ("short", "a", 1),
            ("short", "b", 1),
            ("short", "c", 2),
            ("long", "d", 1),
            ("long", "e", 90),
            ("long", "f", 5),
        ] {
            times.note(name, test, Duration::from_secs(seconds));
        }
        let planned: Vec<Vec<&str>> = plan(&executables, &times).into_iter().map(|piece| piece.tests).collect();
        assert_eq!(planned, [vec!["e"], vec!["f", "d"], vec!["c", "a", "b"]]);
    }

    #[test]
    fn few_unknown_tests_are_taken_for_long_ones() {
        let executables = [executable("many", &["a"; 100]), executable("few", &["b", "c"])];
        let planned = plan(&executables, &Times::default());
        assert_eq!(planned[0].tests, ["b"]);
        assert_eq!(planned[1].tests, ["c"]);
        assert_eq!(planned.iter().map(|piece| piece.tests.len()).sum::<usize>(), 102);
    }
}
