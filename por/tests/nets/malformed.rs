//! What cannot be read is refused with its line; and whatever is read, nothing panics.
//!
//! `NETS_MUTATIONS` says how many damaged files are read (5,000 if it is not set), `NETS_SEED` with which seed.
use crate::campaign::setting;
use crate::formats::{PNML, SMALL};
use crate::generate::Random;
use por::nets::{Net, read, write};
use std::panic::catch_unwind;

#[track_caller]
fn refused(name: &str, bytes: &[u8], expected: &str) {
    match read(name, bytes) {
        Ok(_) => panic!("it is read, where this is expected: {expected}"),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

/// A PEP net with some text replaced, which must be there.
#[track_caller]
fn pep(old: &str, new: &str, expected: &str) {
    assert!(SMALL.contains(old), "{old}");
    refused("x.ll_net", SMALL.replacen(old, new, 1).as_bytes(), expected);
}

/// The same for PNML.
#[track_caller]
fn pnml(old: &str, new: &str, expected: &str) {
    assert!(PNML.contains(old), "{old}");
    refused("x.pnml", PNML.replacen(old, new, 1).as_bytes(), expected);
}

#[test]
fn what_is_no_net_is_refused() {
    let neither = "neither a low-level net of PEP (.ll_net) nor a net in PNML (.pnml)";
    refused("x", b"", neither);
    refused("x.ndr", b"p 1 2", neither);
    refused("x.pnml", b"\xff\xfe<\0p\0", "the file is in UTF-16; convert it to UTF-8");
    refused("x.ll_net", b"\xfe\xff\0P", "the file is in UTF-16; convert it to UTF-8");
}

#[test]
fn headers_of_pep_nets_are_checked() {
    let inside = "the file ends inside its header: PEP, PTNet or PetriBox, FORMAT_N or FORMAT_N2";
    refused("x.ll_net", b"", &format!("line 1: {inside}"));
    refused("x.ll_net", b"% x\n\n", &format!("line 1: {inside}"));
    refused("x.ll_net", b"PEP\nPTNet\n\n", &format!("line 2: {inside}"));
    refused("x.ll_net", b"\0\xff", "line 1: PEP must stand here, not `\0\u{ff}`");
    pep("PEP", "PEPSI", "line 1: PEP must stand here, not `PEPSI`");
    pep("PTNet", "HLNet", "line 2: PTNet or PetriBox must stand here, not `HLNet`");
    pep("FORMAT_N", "FORMAT_N3", "line 3: FORMAT_N or FORMAT_N2 must stand here, not `FORMAT_N3`");
    pep("PEP\n", "", "line 1: PEP must stand here, not `PTNet`");
    pep("DPT w1", "DPT w2", "line 6: a default other than marking 0 and weight 1 cannot be read");
    pep("DPL s7n10", "DPL M1s7n10", "line 4: a default other than marking 0 and weight 1 cannot be read");
    pep("DTR s", "XTR s", "line 5: a section must come first: BL or PL");
}

#[test]
fn sections_of_pep_nets_are_checked() {
    pep("PL\n", "", "line 7: a section must come first: BL or PL");
    pep("PL\n", "PX\n", "line 7: section PL must come here, not PX");
    pep("PL\n", "TR\n", "line 7: section PL must come here, not TR");
    pep("TR\n", "TP\n", "line 11: section TR must come here, not TP");
    pep("TP\n", "PT\n", "line 13: section TP must come here, not PT");
    pep("TP\n", "RA\n", "line 13: section TP must come here, not RA");
    pep("PT\n", "BL\n", "line 15: section PT must come here, not BL");
    pep("RA\n", "PT\n", "line 17: section PT comes twice");
    pep("TX\n", "RA\n", "line 19: section RA comes twice or too late");
    pep("TX\n", "PTR\n", "line 19: section PTR comes twice or too late");
    let unknown = "what this section says is not known, so it cannot be left out; only PL TR TP PT RA are read";
    pep("RA\n", "IA\n", &format!("line 17: {unknown}"));
    refused("x.ll_net", b"PEP\nPTNet\nFORMAT_N\n", "line 3: the file ends before section PL");
    for (section, last) in [("PL", 6), ("TR", 10), ("PT", 14)] {
        let end = SMALL.find(&format!("{section}\n")).expect("there is one");
        refused("x.ll_net", &SMALL.as_bytes()[..end], &format!("line {last}: the file ends before section {section}"));
    }
}

#[test]
fn objects_of_pep_nets_are_checked() {
    let place = "a place must stand here, as a number, which may be missing, and a name in quotes";
    pep("1\"p\"", "1p", &format!("line 8: {place}"));
    pep("1\"p\"30@30M1m1", "1", &format!("line 8: {place}"));
    pep("1\"p\"", "-1\"p\"", &format!("line 8: {place}"));
    pep("TR\n", "tr\n", &format!("line 11: {place}"));
    let transition = "a transition must stand here, as a number, which may be missing, and a name in quotes";
    pep("1\"t\"", "1<2", &format!("line 12: {transition}"));
    pep("\"p\"", "\"p", "line 8: a text in quotes has no end");
    pep("\"p\"", "'p\"", "line 8: a text in quotes has no end");
    pep("30@90", "30@90b\"x", "line 9: a text in quotes has no end");
    pep("1\"p\"30@30M1m1\n", "1\"p\" ", "line 8: two places in one line");
    pep("2\"q\"", "1\"q\"", "line 9: there is a place 1 already");
    pep("1\"p\"30@30M1m1", "\"a\"\n\"b\"\n7\"c\"", "line 11: there is a place 2 already");
    pep("1\"t\"60@60", "1\"t\"\n1\"u\"", "line 13: there is a transition 1 already");
    pep("1\"p\"", "4294967296\"p\"", "line 8: the number 4294967296 is too large");
    pep("1\"p\"", "99999999999999999999999\"p\"", "line 8: the number 99999999999999999999999 is too large");
    pep("M1m1", "M2m2", "line 8: place \"p\" has marking 2; only safe nets can be read");
    pep("M1m1", "M m1", "line 8: M must have one number behind it");
    pep("M1m1", "M\"1\"", "line 8: M must have one number behind it");
    pep("M1m1", "M1M0", "line 8: M must have one number behind it");
    pep("M1m1", "M4294967296", "line 8: the number 4294967296 is too large");
    pep("30@30", "30?30", "line 8: `?` cannot stand here");
    pep("30@30", "30@\u{e4}", "line 8: `\\u{c3}` cannot stand here");
    pep("60@60", "60\0", "line 12: `\\u{0}` cannot stand here");
}

#[test]
fn arcs_of_pep_nets_are_checked() {
    let (produced, consumed) = ("transition<place", "place>transition");
    let arc = |line: u32, pattern| format!("line {line}: an arc must stand here, as {pattern} with two numbers");
    pep("1<2", "1>2", &arc(14, produced));
    pep("1<2", "1<2,1", "line 14: `,1` behind an arc means nothing");
    pep("1<2", "1<2.5", "line 14: `.5` behind an arc means nothing");
    pep("1<2", "1<", &arc(14, produced));
    pep("1<2", "<2", &arc(14, produced));
    pep("1<2", "1 2", &arc(14, produced));
    pep("1<2", "1<\"q\"", &arc(14, produced));
    pep("1>1", "1<1", &arc(16, consumed));
    pep("1>1", "1", &arc(16, consumed));
    pep("1<3", "3>1", &arc(18, produced));
    pep("1<2", "1<4", "line 14: there is no place 4");
    pep("1<2", "2<2", "line 14: there is no transition 2");
    pep("1>1", "0>1", "line 16: there is no place 0");
    pep("1>1", "1>4294967295", "line 16: there is no transition 4294967295");
    pep("1>1", "1>4294967296", "line 16: the number 4294967296 is too large");
    pep("1<2", "1<2w2", "line 14: an arc has weight 2; only weight 1 can be read");
    pep("1<3", "1<3 w0", "line 18: an arc has weight 0; only weight 1 can be read");
    pep("1>1", "1>1w", "line 16: w must have one number behind it");
    pep("1>1", "1>1v3;\"", "line 16: a text in quotes has no end");
    let twice = "there is an arc from";
    pep(
        "1<2",
        "1<2\n1<2",
        &format!("line 15: {twice} transition \"t\" to place \"q\" already; only arcs of weight 1 can be read"),
    );
    pep(
        "1>1",
        "1>1\n1>1",
        &format!("line 17: {twice} place \"p\" to transition \"t\" already; only arcs of weight 1 can be read"),
    );
    pep(
        "1<3",
        "1<3\n1<3",
        &format!("line 19: {twice} place \"r\" to transition \"t\" already; only arcs of weight 1 can be read"),
    );
    pep("1<3", "1<1", "line 12: transition \"t\" reads place \"p\", which it consumes");
    pep("1>1\nRA\n1<3\n", "", "line 12: transition \"t\" consumes nothing");
    // It reads one place, which it produces: a loop would hide that this is not safe.
    pep("1>1\nRA\n1<3\n", "RA\n1<2\n", "line 12: transition \"t\" consumes nothing");
}

#[test]
fn elements_of_pnml_nets_are_checked() {
    refused("x.pnml", b"", "there is no net in the file");
    refused("x.pnml", b" \n<pnml>\n</pnml>", "there is no net in the file");
    refused("x.pnml", b"\n<html/>", "line 2: the file must hold one <pnml>, not <html>");
    refused("x.pnml", b"\nPEP", "line 1: there is text outside of <pnml>");
    refused("x.pnml", b"<pnml>\n<module/></pnml>", "line 2: <module> cannot stand here in a place/transition net");
    pnml("</net>", "</net>\n<net id='2'/>", "line 14: the file holds more than one net");
    let kind = |kind| format!("line 3: the net has type `{kind}`; only place/transition nets can be read");
    for other in ["symmetricnet", "pt-hlpng", "highlevelnet", "pnmlcoremodel"] {
        pnml("ptnet", other, &kind(format!("http://www.pnml.org/version-2009/grammar/{other}")));
    }
    let high = "this is of high-level nets; only place/transition nets can be read";
    pnml("<name>", "<hlinitialMarking/><name>", &format!("line 6: {high}"));
    pnml("<name>", "<type/><name>", &format!("line 6: {high}"));
    pnml("<transition id=\"t\"/>", "<transition id=\"t\">\n<condition/></transition>", &format!("line 9: {high}"));
    pnml("<name>", "<inhibits/><name>", "line 6: <inhibits> cannot stand here in a place/transition net");
    pnml(
        "<page id=\"g\">",
        "<instance/><page id=\"g\">",
        "line 4: <instance> cannot stand here in a place/transition net",
    );
    pnml(
        "target=\"q\"/>",
        "target=\"q\">\n<type value='inhibitor'/></arc>",
        "line 12: an arc with <type> cannot be read, only plain ones",
    );
    pnml(
        "target=\"q\"/>",
        "target=\"q\"><arctype><text>read</text></arctype></arc>",
        "line 11: an arc with <arctype> cannot be read, only plain ones",
    );
    pnml("<text>1</text>", "<text>1<place/></text>", "line 5: <place> cannot stand here in a place/transition net");
    pnml(" id=\"p\"", "", "line 5: <place> has no attribute `id`");
    pnml(" id=\"t\"", "", "line 8: <transition> has no attribute `id`");
    pnml(" source=\"p\"", "", "line 10: <arc> has no attribute `source`");
    pnml(" target=\"q\"", "", "line 11: <arc> has no attribute `target`");
    pnml(" ref=\"p\"", "", "line 9: <referencePlace> has no attribute `ref`");
}

#[test]
fn what_pnml_nets_mean_is_checked() {
    pnml("id=\"q\"", "id=\"p\"", "line 6: there is a place or transition with id `p` already");
    pnml("id=\"t\"", "id=\"p\"", "line 8: there is a place or transition with id `p` already");
    pnml("target=\"q\"", "target=\"s\"", "line 11: there is no place or transition with id `s`");
    pnml("source=\"p\"", "source=\"\"", "line 10: there is no place or transition with id ``");
    pnml("target=\"q\"", "target=\"t\"", "line 11: an arc must go from a place to a transition, or back");
    pnml(
        "source=\"p\" target=\"t\"",
        "source=\"p\" target=\"q\"",
        "line 10: an arc must go from a place to a transition, or back",
    );
    pnml("ref=\"p\"", "ref=\"t\"", "line 9: reference `r` does not lead to a node of its kind");
    pnml("ref=\"p\"", "ref=\"x\"", "line 9: reference `r` does not lead to a node of its kind");
    pnml("ref=\"p\"", "ref=\"r\"", "line 9: reference `r` leads back to itself");
    pnml(
        "ref=\"p\"/>",
        "ref=\"r2\"/><referencePlace id=\"r2\" ref=\"r\"/>",
        "line 9: reference `r2` leads back to itself",
    );
    let marking = "has marking 2; only safe nets can be read";
    pnml("<text>1</text>", "<text> 2\n</text>", &format!("line 6: place \"p\" {marking}"));
    pnml("<text>1</text>", "<text>1 1</text>", "line 5: the marking `1 1` is no number");
    pnml("<text>1</text>", "<text>-1</text>", "line 5: the marking `-1` is no number");
    pnml("<text>1</text>", "<value>Default,1</value>", "line 5: the marking `Default,1` is no number");
    for other in ["tokens", "Text", "token"] {
        let instead = format!("line 5: <{other}> instead of <text> for a number cannot be read");
        pnml("<text>1</text>", &format!("<{other}>3</{other}>"), &instead);
    }
    let attribute = |name| format!("attribute `{name}` cannot be read, only the elements of PNML");
    pnml(
        "<place id=\"q\"",
        "<place initialMarking=\"1\" id=\"q\"",
        &format!("line 6: {}", attribute("initialMarking")),
    );
    for (name, value) in [("weight", "2"), ("type", "inhibitor")] {
        let new = format!("target=\"q\" {name}=\"{value}\"/>");
        pnml("target=\"q\"/>", &new, &format!("line 11: {}", attribute(name)));
    }
    let weight = "target=\"q\"><inscription><weight>2</weight></inscription></arc>";
    pnml("target=\"q\"/>", weight, "line 11: <weight> instead of <text> for a number cannot be read");
    pnml("<text>1</text>", "1", "line 5: `1` must stand inside of <text>");
    pnml(
        "<text>1</text>",
        "<text>1</text><text>0</text>",
        "line 5: a marking must belong to one place, which has no other",
    );
    pnml(
        "<transition id=\"t\"/>",
        "<transition id=\"t\"><initialMarking><text>1</text></initialMarking></transition>",
        "line 8: a marking must belong to one place, which has no other",
    );
    let weight = |weight| format!("line 11: an arc has weight `{weight}`; only weight 1 can be read");
    for other in ["2", "0", "", "x"] {
        let new = format!("target=\"q\"><inscription><text>{other}</text></inscription></arc>");
        pnml("target=\"q\"/>", &new, &weight(other));
    }
    let new = "target=\"q\"/>\n<arc id=\"4\" source=\"t\" target=\"q\"/>";
    let twice = "there is an arc from transition \"t\" to place \"b\" already; only arcs of weight 1 can be read";
    pnml("target=\"q\"/>", new, &format!("line 12: {twice}"));
    // The same place once by its name and once by a reference.
    let twice = "there is an arc from place \"p\" to transition \"t\" already; only arcs of weight 1 can be read";
    pnml("source=\"t\" target=\"q\"", "source=\"r\" target=\"t\"", &format!("line 11: {twice}"));
    pnml("source=\"p\" target=\"t\"", "source=\"t\" target=\"p\"", "line 8: transition \"t\" consumes nothing");
}

#[test]
fn xml_is_checked() {
    pnml(
        "</page>",
        "</pages>",
        "line 12: this is not XML: ill-formed document: expected `</page>`, but `</pages>` was found",
    );
    pnml("</page>\n</net>\n</pnml>\n", "", "line 12: the file ends inside an element");
    pnml(
        "</pnml>\n",
        "</pnml>\n</net>",
        "line 15: this is not XML: ill-formed document: close tag `</net>` does not match any open tag",
    );
    pnml("<text>1", "<text>&one;1", "line 5: the entity `&one;` is not known");
    pnml("<text>1", "<text>&#0;1", "line 5: the entity `&#0;` is not known");
    let cut = "this is not XML: syntax error: tag not closed: `>` not found before end of input";
    pnml("/>\n</page>\n</net>\n</pnml>\n", "", &format!("line 11: {cut}"));
    pnml(
        "</pnml>\n",
        "</pnml>\n<!-- x",
        "line 15: this is not XML: syntax error: comment not closed: `-->` not found before end of input",
    );
    let unclosed = "attribute value not closed: `\"` not found before end of input";
    pnml("id=\"q\"", "id=\"q", &format!("line 6: this is not XML: syntax error: {unclosed}"));
    let reference = "Error while escaping character at range 1..2: Cannot find ';' after '&'";
    pnml("id=\"q\"", "id=\"q&\"", &format!("line 6: this is not XML: {reference}"));
    let attribute =
        "error while parsing attribute: position 8: attribute key must be directly followed by `=` or space";
    pnml("<place id=\"q\">", "<place id>", &format!("line 6: this is not XML: {attribute}"));
}

/// Damages a file in one way.
fn damage(random: &mut Random, text: &mut Vec<u8>, other: &[u8]) {
    let position = |random: &mut Random, text: &[u8]| random.below(text.len() as u32 + 1) as usize;
    let at = position(random, text);
    let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let (one, two) = (random.below(lines.len() as u32) as usize, random.below(lines.len() as u32) as usize);
    match random.below(10) {
        0 => text.truncate(at),
        1 if at < text.len() => text[at] ^= 1 << random.below(8),
        2 if at < text.len() => drop(text.remove(at)),
        3 => text.insert(at, random.below(256) as u8),
        4 => text.insert(at, *random.of(b"\"'<>%MRw0129@&;/ \n\t\r\0")),
        5 => {
            // A piece of one of the two files at another place.
            let from = random.below(other.len() as u32) as usize;
            let piece = &other[from..other.len().min(from + 1 + random.below(20) as usize)];
            drop(text.splice(at..at, piece.iter().copied()));
        }
        6 => {
            let to = text.len().min(at + random.below(12) as usize);
            drop(text.drain(at..to));
        }
        case => {
            match case {
                7 => drop(lines.remove(one)),
                8 => lines.insert(two, lines[one].clone()),
                _ => lines.swap(one, two),
            }
            *text = lines.join(&b'\n');
        }
    }
}

/// Whether it is a net; then it is the same net when it is written and read again.
fn survives(name: &str, text: &[u8]) -> bool {
    let structure = |net: &Net| {
        let arcs = net.transitions().iter().map(|t| [&t.preset, &t.context, &t.postset].map(Vec::clone));
        (net.initial(), arcs.collect::<Vec<_>>())
    };
    match read(name, text) {
        Ok(net) => {
            let written = write::ll_net(&net);
            let again = read("x.ll_net", written.as_bytes()).expect("what is written can be read");
            assert!(structure(&again) == structure(&net) && write::ll_net(&again) == written, "another net");
            true
        }
        Err(error) => {
            let lines = text.split(|&byte| byte == b'\n').count() as u32;
            assert!(error.line.is_none_or(|line| (1..=lines).contains(&line)), "of {lines} lines: {error}");
            assert!(!error.message.is_empty());
            false
        }
    }
}

#[test]
fn damaged_files_never_panic() {
    let (count, seed) = (setting("NETS_MUTATIONS", 5_000), setting("NETS_SEED", 1) << 32);
    let mut read = 0;
    for seed in seed..seed + count {
        let mut random = Random::new(seed);
        let mut files = [SMALL.as_bytes(), PNML.as_bytes()];
        files.rotate_left(random.below(2) as usize);
        let mut text = files[0].to_vec();
        for _ in 0..1 + random.below(4) {
            let other = *random.of(&files);
            damage(&mut random, &mut text, other);
        }
        let name = *random.of(&["x.ll_net", "x.pnml", "x", "x"]);
        match catch_unwind(|| survives(name, &text)) {
            Ok(net) => read += u64::from(net),
            Err(_) => panic!("seed {seed}, as {name}: {}", text.escape_ascii()),
        }
    }
    // Damage that matters, and damage that does not.
    assert!(count < 1000 || (count / 20..count / 2).contains(&read), "{read} of {count} were nets");
}
