//! The encodings of a net have the same reachable markings.
use crate::formats::shown;
use crate::generate;
use por::nets::{Encoding, Marking, Net, contextual_from_loops, encoded, read};
use std::collections::BTreeSet;

fn reachable(net: &Net) -> BTreeSet<Marking> {
    BTreeSet::from_iter(net.reachable(4096).expect("the net is safe").expect("the net is small").markings)
}

#[test]
fn reachable_markings_agree() {
    let (mut copies, mut more) = (0, 0);
    for seed in 0..2000 {
        let net = generate::net(seed);
        let expected = reachable(&net);
        for encoding in [Encoding::Contextual, Encoding::Loops, Encoding::Replication] {
            let encoded = encoded(&net, encoding);
            assert_eq!(encoded.net.read_arcs(), if encoding == Encoding::Contextual { net.read_arcs() } else { 0 });
            let found = reachable(&encoded.net);
            // Two markings never become one: the copies of a place are marked alike.
            let original = BTreeSet::from_iter(found.iter().map(|marking| encoded.original(marking)));
            assert_eq!((found.len(), &original), (expected.len(), &expected), "seed {seed}, {encoding:?}");
            copies += encoded.net.places().len() - net.places().len();
            let back = contextual_from_loops(&encoded.net);
            assert!(encoding != Encoding::Loops || back.read_arcs() >= net.read_arcs(), "seed {seed}");
            assert_eq!(reachable(&back), found, "seed {seed}, {encoding:?}");
            more += usize::from(encoding == Encoding::Loops && back != net);
        }
    }
    assert!(copies > 2000, "{copies}");
    assert!(more > 100, "loops that were there become read arcs, too: {more}");
}

const NET: &str = "PEP\nPTNet\nFORMAT_N\nPL\n1'p'M1\n2'a'M1\n3'b'M1\n4'q'\n5's'M1\nTR\n1'r'\n2'u'\n3'c'\n4'd'\nTP\n1<4\n3<4\n4<1\n\
    PT\n2>1\n3>2\n1>3\n4>4\nRA\n1<1\n2<1\n1<5\n";

#[test]
fn readers_get_copies() {
    let net = read("a.ll_net", NET.as_bytes()).expect("it is a net");
    let show = |encoding| shown(&encoded(&net, encoding).net);
    assert_eq!(show(Encoding::Contextual), "p* a* b* q s*; r: a (p s) q; u: b (p) ; c: p () q; d: q () p");
    assert_eq!(show(Encoding::Loops), "p* a* b* q s*; r: p a s () p q s; u: p b () p; c: p () q; d: q () p");
    let copies = "p·1* p·2* a* b* q s*; r: p·1 a s () p·1 q s; u: p·2 b () p·2; c: p·1 p·2 () q; d: q () p·1 p·2";
    assert_eq!(show(Encoding::Replication), copies);
}

#[test]
fn loops_become_read_arcs() {
    let text = "PEP\nPTNet\nFORMAT_N\nPL\n1'p'M1\n2'a'M1\n3'b'\nTR\n1't'\n2'u'\nTP\n1<3\n1<1\n2<1\n2<2\nPT\n1>1\n2>1\n1>2\n2>2\n";
    let net = read("a.ll_net", text.as_bytes()).expect("it is a net");
    assert_eq!(shown(&net), "p* a* b; t: p a () p b; u: p a () p a");
    // The second one must consume something.
    assert_eq!(shown(&contextual_from_loops(&net)), "p* a* b; t: a (p) b; u: p (a) p");
}
