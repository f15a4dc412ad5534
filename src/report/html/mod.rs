//! The report as one page that needs nothing else: style, data and script are in the file.
//!
//! What there is to show is worked out here and written as JSON; the script only draws it. Every text gets into the
//! page as text, never as markup.
mod data;
mod source;

use super::Report;
use data::Page;

const TEMPLATE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");

/// The script, in the order in which its parts need one another.
const SCRIPT: [&str; 6] = [
    include_str!("dom.js"),
    include_str!("execution.js"),
    include_str!("source.js"),
    include_str!("state.js"),
    include_str!("unfolding.js"),
    include_str!("page.js"),
];

/// Writes the page about the program of these files.
pub(crate) fn write(inputs: &[String], report: &Report) -> String {
    let data = serde_json::to_string(&Page::new(inputs, report)).expect("plain data can be written as JSON");
    // Within a script element only this character could mean something to HTML; in JSON it stands in strings only.
    let data = data.replace('<', "\\u003c");
    let mut out = String::new();
    let mut rest = TEMPLATE;
    for (mark, content) in [("/*STYLE*/", STYLE), ("/*DATA*/", &data), ("/*SCRIPT*/", &SCRIPT.concat())] {
        let (before, after) = rest.split_once(mark).expect("the template has this mark");
        out += before;
        out += content;
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use crate::report::{Report, Verdict, samples};

    /// The data of the page.
    fn data(page: &str) -> serde_json::Value {
        let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("data");
        serde_json::from_str(rest.split_once("</script>").expect("its end").0).expect("JSON")
    }

    #[test]
    fn nothing_comes_from_elsewhere() {
        let page = self::page(&samples::race());
        // (The name of the language of pictures is an address that is never visited.)
        let addresses = page.replace("http://www.w3.org/2000/svg", "");
        for foreign in ["http:", "https:", "src=", "href=", "@import", "url("] {
            assert!(!addresses.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn markup_in_texts_stays_in_the_data() {
        let mut report = samples::race();
        let hostile = "</script><script>alert(1)</script><!--";
        report.violations[0].message = hostile.to_owned();
        let page = self::page(&report);
        assert!(!page.contains("alert(1)</script>"), "{page}");
        assert_eq!(data(&page)["violations"][0]["title"], hostile);
    }

    /// The page about a program.
    fn page(report: &Report) -> String {
        super::write(&["a.c".to_owned(), "<b>.c".to_owned()], report)
    }

    #[test]
    fn the_program_and_what_is_suppressed() {
        let page = data(&self::page(&Report { suppressed: vec![samples::suppressed()], ..samples::safe() }));
        assert_eq!(page["program"], "a.c <b>.c");
        assert_eq!(page["suppressed"][0]["reason"], "a statistic");
    }

    #[test]
    fn a_deadlock() {
        let page = data(&self::page(&samples::deadlock()));
        let violation = &page["violations"][0];
        assert_eq!(violation["nodes"].as_array().unwrap().len(), 5);
        assert_eq!(violation["nodes"][0]["creates"], 1);
        assert_eq!(violation["nodes"][2]["holds"], serde_json::json!(["`b`"]));
        assert_eq!(
            violation["arrows"],
            serde_json::json!([[0, 2, "causes"], [3, 4, "waits-for"], [4, 3, "waits-for"]])
        );
        // The file of the sample does not exist.
        assert_eq!(page["files"][0]["name"], "/src/race.c");
        assert!(page["files"][0]["missing"].as_str().unwrap().contains("cannot be read"), "{page}");
    }

    #[test]
    fn a_proof() {
        let unfolding = Some(Ok(samples::unfolding()));
        let report = Report { verdict: Verdict::Safe, violations: Vec::new(), unfolding, ..samples::race() };
        let page = data(&self::page(&report));
        assert_eq!(page["headline"], "safe: all 1,234 executions were explored");
        assert_eq!(page["assumptions"][0], "allocation-succeeds");
        assert_eq!(page["unfolding"]["events"][2]["cutoff"], true);
        assert_eq!(page["unfolding"]["conflicts"], serde_json::json!([[1, 2]]));
    }
}
