//! What can be read: every form in which the formats say a thing.
use por::nets::{Net, PlaceId, read};

/// A net as one line: marked places, then each transition with what it consumes, reads and produces.
pub fn shown(net: &Net) -> String {
    let names = |list: &[PlaceId]| list.iter().map(|&id| net.place(id).name.as_str()).collect::<Vec<_>>().join(" ");
    let places = net.places().iter().map(|place| format!("{}{}", place.name, if place.marked { "*" } else { "" }));
    let transitions = net.transitions().iter();
    let shown =
        transitions.map(|t| format!("{}: {} ({}) {}", t.name, names(&t.preset), names(&t.context), names(&t.postset)));
    format!("{}; {}", places.collect::<Vec<_>>().join(" "), shown.collect::<Vec<_>>().join("; "))
}

#[track_caller]
fn reads_as(name: &str, text: &[u8], expected: &str) {
    match read(name, text) {
        Ok(net) => assert_eq!(shown(&net), expected),
        Err(error) => panic!("{error}"),
    }
}

const SMALL: &str = r#"PEP
PTNet
FORMAT_N
DPL s7n10@-9t2
DTR s7n10@-9t2
DPT w1t1
PL
1"p"30@30M1m1
2"q"30@90
3"r"90@30eM1m1
TR
1"t"60@60
TP
1<2
PT
1>1
RA
1<3
TX
90@30"M5, a text"
"#;

#[test]
fn pep_nets_are_read() {
    reads_as("small.ll_net", SMALL.as_bytes(), "p* q r*; t: p (r) q");
    // By what it says, if not by its name; with line ends of Windows.
    reads_as("-", SMALL.replace('\n', "\r\n").as_bytes(), "p* q r*; t: p (r) q");
    reads_as("x.LL_NET", format!("\u{feff}% comment\n\n{}", SMALL.trim_end()).as_bytes(), "p* q r*; t: p (r) q");
}

#[test]
fn fields_of_pep_nets_are_told_apart() {
    // Texts hold letters that would be fields; `m` is not the initial marking; numbers come after the one before.
    let text = b"PEP\nPetriBox % c\nFORMAT_N2\nDBL n1\nBL\n1 \"B1\"630@330 b\"PL\"\nPL\n\
        3\"P%3\"750@180u\"(2,3)\"\n\t\"M1\"-3@-5b\";\"R\"(270,66;270,67)\" m1 % M1\n 17 'a \"b\" c'M0 M0\nTR\n\
        \"T\xe4\"M0\n4\"\"1@2v32b\"<t'=2>\"\nPTR\n9\"x\"\nTP\n1<3w1\n1 < 4 v3v4\n4<17\nPT\n3>1v2\n4\t>\t4\n17>4\nPTP\nPPT\nRA\n";
    reads_as("a.ll_net", text, "P%3 M1 a \"b\" c; T\u{e4}: P%3 () P%3 M1; : M1 a \"b\" c () a \"b\" c");
    reads_as("a.ll_net", b"PEP\nPTNet\nFORMAT_N\nPL\nTR\nTP\nPT\nTX\nIA", "; ");
}
