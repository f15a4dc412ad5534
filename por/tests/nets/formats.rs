//! What can be read: every form in which the formats say a thing.
use crate::generate;
use por::nets::{Net, Place, PlaceId, Transition, read, write};

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

/// A net of PEP with all that matters.
pub const SMALL: &str = r#"PEP
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

#[test]
fn who_only_reads_keeps_a_loop() {
    // Not for `q`, which is produced, too: it would hold two tokens.
    let text = SMALL.replace("1>1\nRA\n1<3\n", "RA\n1<3\n1<2\n1<1\n");
    reads_as("x.ll_net", text.as_bytes(), "p* q r*; t: p (q r) p q");
}

/// The same for PNML.
pub const PNML: &str = r#"<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g">
<place id="p"><initialMarking><text>1</text></initialMarking></place>
<place id="q"><name><text>b</text></name></place>
<!-- a comment -->
<transition id="t"/>
<referencePlace id="r" ref="p"/>
<arc id="1" source="p" target="t"/>
<arc id="2" source="t" target="q"/>
</page>
</net>
</pnml>
"#;

#[test]
fn pnml_nets_are_read() {
    let text = br#"<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
 <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><name><text>whole</text></name>
  <page id="a">
   <arc id="1" source="p1" target="t1"><inscription><text> 1 </text></inscription><name><text>no</text></name></arc>
   <arc id="2" source="r" target="rt"/>
   <arc id="3" source="t1" target="p2"/>
   <place id="p1"><initialMarking><text>
     1 </text></initialMarking><name><text> a &lt;&#98;<![CDATA[&c]]> </text></name></place>
   <page id="b">
    <place id="p2"><name><graphics/></name><initialMarking><graphics/><text>0</text></initialMarking></place>
    <transition id="t1"><toolspecific tool="x" version="1"><place><x/></place></toolspecific></transition>
    <page id="c"><referencePlace id="r" ref="r2"><name><text>other</text></name></referencePlace></page>
   </page>
   <referencePlace id="r2" ref="p3"/>
   <place id="p3"><initialMarking><text>1</text></initialMarking></place>
   <referenceTransition id="rt" ref="t1"/>
   <arc id="4" source="t1" target="p3"/>
   <transition id="t2"><name><text>only loops</text></name></transition>
   <arc id="5" source="t2" target="p2"/> <arc id="6" source="p2" target="t2"/>
   <arc id="7" source="t2" target="p1"/> <arc id="8" source="p1" target="t2"/>
  </page>
 </net>
</pnml>"#;
    reads_as("x.pnml", PNML.as_bytes(), "p* b; t: p () b");
    let expected = "a <b&c* p2 p3*; t1: a <b&c (p3) p2; only loops: a <b&c (p2) a <b&c";
    reads_as("x.pnml", text, expected);
    reads_as("x.xml", text, expected);
}

#[test]
fn pnml_of_older_tools_is_read() {
    let text = b"<pnml><net id='n' type='P/T net'><token id='Default'/><place id='p'><capacity><value>0</value></capacity>\
        <initialMarking><value>1</value></initialMarking></place><transition id='t\xe4'><timed><value>false</value></timed>\
        </transition><arc id='a' source='p' target='t\xe4'><type value='normal'/><inscription/></arc></net></pnml>";
    reads_as("x.pnml", text, "p*; t\u{e4}: p () ");
    reads_as("x.pnml", b"<p:pnml xmlns:p='x'><p:net id='n'><p:page id='1'/></p:net></p:pnml>", "; ");
}

#[test]
fn what_is_written_is_read_again() {
    for seed in 0..500 {
        let net = generate::net(seed);
        assert_eq!(read("x.ll_net", write::ll_net(&net).as_bytes()), Ok(net), "seed {seed}");
    }
}

/// What a name is after it has been written and read.
fn kept(name: &str) -> String {
    let place = |name: String| Place { name, marked: true };
    let transition = |name| Transition { name, preset: vec![PlaceId(0)], context: vec![], postset: vec![] };
    let net = Net::new(vec![place(name.into())], vec![transition(name.into())]).expect("it is a net");
    let again = read("x.ll_net", write::ll_net(&net).as_bytes()).unwrap_or_else(|error| panic!("{name:?}: {error}"));
    assert_eq!(again.places()[0].name, again.transitions()[0].name);
    again.places()[0].name.clone()
}

#[test]
fn names_survive() {
    for name in ["", " ", "PL", "a b", "100% M5", "it's", "\"q\"M7", "\t", "\u{e4}\u{2028}", "1<2", "\\"] {
        assert_eq!(kept(name), name);
    }
    assert_eq!(kept("a\nb\r\n"), "a b  ");
    assert_eq!(kept("both \" and '"), "both ' and '");
}
