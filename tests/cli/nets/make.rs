//! Nets for the tests.
use std::fmt::Write;

/// A net as PEP writes it, of its marked places and transitions such as `t: consumed (read) produced`, with blanks
/// between names.
pub(super) fn ll_net<T: AsRef<str>>(marked: &str, transitions: &[T]) -> String {
    let mut places: Vec<&str> = marked.split_whitespace().collect();
    let count = places.len();
    let [mut names, mut produced, mut consumed, mut read] = [const { String::new() }; 4];
    for (transition, number) in transitions.iter().zip(1..) {
        let (name, arcs) = transition.as_ref().split_once(':').expect("a name");
        let (preset, arcs) = arcs.split_once('(').expect("what is read");
        let (context, postset) = arcs.split_once(')').expect("what is read");
        writeln!(names, "{number}\"{name}\"").unwrap();
        let mut place = |name| {
            let known = places.iter().position(|place| *place == name);
            1 + known.unwrap_or_else(|| {
                places.push(name);
                places.len() - 1
            })
        };
        preset.split_whitespace().for_each(|name| writeln!(consumed, "{}>{number}", place(name)).unwrap());
        context.split_whitespace().for_each(|name| writeln!(read, "{number}<{}", place(name)).unwrap());
        postset.split_whitespace().for_each(|name| writeln!(produced, "{number}<{}", place(name)).unwrap());
    }
    let mut text = "PEP\nPTNet\nFORMAT_N\nPL\n".to_owned();
    for (index, place) in places.iter().enumerate() {
        writeln!(text, "{}\"{place}\"M{}", index + 1, u8::from(index < count)).unwrap();
    }
    text + &format!("TR\n{names}TP\n{produced}PT\n{consumed}RA\n{read}")
}

/// Two tokens go round, and each looks where the other one is: t2 moves a token while it reads p3, which t1 and t3 fill
/// and empty.
pub(super) fn round() -> String {
    ll_net("p1 p2", &["t1: p2 () p3", "t2: p1 (p3) p4", "t3: p3 () p2", "t4: p4 () p1"])
}

/// The same in PNML, where t2 has a loop.
pub(super) const ROUND_PNML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
    <place id="p1"><initialMarking><text>1</text></initialMarking></place>
    <place id="p2"><initialMarking><text>1</text></initialMarking></place>
    <place id="p3"/><place id="p4"/>
    <transition id="t1"/><transition id="t2"/><transition id="t3"/><transition id="t4"/>
    <arc id="a1" source="p2" target="t1"/><arc id="a2" source="t1" target="p3"/>
    <arc id="a3" source="p1" target="t2"/><arc id="a4" source="t2" target="p4"/>
    <arc id="a5" source="p3" target="t2"/><arc id="a6" source="t2" target="p3"/>
    <arc id="a7" source="p3" target="t3"/><arc id="a8" source="t3" target="p2"/>
    <arc id="a9" source="p4" target="t4"/><arc id="b1" source="t4" target="p1"/>
  </page></net>
</pnml>
"#;

/// n readers of a place, and a transition that consumes it.
pub(super) fn readers(n: u32) -> String {
    let mut marked = "p".to_owned();
    let mut transitions = vec!["consume: p () q".to_owned()];
    for i in 0..n {
        write!(marked, " before{i}").unwrap();
        transitions.push(format!("read{i}: before{i} (p) behind{i}"));
    }
    ll_net(&marked, &transitions)
}

/// A counter of n bits: one transition after the other, 2ⁿ - 1 times, and no marking comes twice.
pub(super) fn counter(n: u32) -> String {
    let marked: Vec<String> = (0..n).map(|bit| format!("zero{bit}")).collect();
    let carry = |bit: u32| {
        let names = |name| (0..bit).map(|lower| format!("{name}{lower} ")).collect::<String>();
        format!("carry{bit}: zero{bit} {}() one{bit} {}", names("one"), names("zero"))
    };
    ll_net(&marked.join(" "), &(0..n).map(carry).collect::<Vec<_>>())
}

/// n pigeons each fly into one of n - 1 holes, and `all` wants all of them there. To see that it cannot fire, nothing
/// is in memory, and all ways of choosing holes are tried.
pub(super) fn pigeons(n: u32) -> String {
    let mut marked = String::new();
    let mut transitions = Vec::new();
    (0..n).for_each(|pigeon| write!(marked, "flies{pigeon} ").unwrap());
    (1..n).for_each(|hole| write!(marked, "hole{hole} ").unwrap());
    for (pigeon, hole) in (0..n).flat_map(|pigeon| (1..n).map(move |hole| (pigeon, hole))) {
        transitions.push(format!("land{pigeon}in{hole}: flies{pigeon} hole{hole} () sits{pigeon}"));
    }
    let all: Vec<String> = (0..n).map(|pigeon| format!("sits{pigeon}")).collect();
    transitions.push(format!("all: {} () done", all.join(" ")));
    ll_net(&marked, &transitions)
}

/// Machines of some states each that go round, look at each other and sometimes move together: always 1-safe.
pub(super) fn machines(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |n: u64| {
        // (Marsaglia's xorshift.)
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    let machines = 2 + below(3);
    let marked: Vec<String> = (0..machines).map(|machine| format!("m{machine}s0")).collect();
    let transition = |number| {
        let (one, other) = (below(machines), below(machines));
        let mut move_of = |machine| (format!("m{machine}s{}", below(3)), format!("m{machine}s{}", below(3)));
        let ((mut from, mut to), (from2, to2)) = (move_of(one), move_of(other));
        let mut read = String::new();
        match (one == other, below(4)) {
            (false, 0) => (from, to) = (format!("{from} {from2}"), format!("{to} {to2}")),
            (false, 1 | 2) => read = from2,
            _ => {}
        }
        format!("t{number}: {from} ({read}) {to}")
    };
    ll_net(&marked.join(" "), &(0..4 + seed % 7).map(transition).collect::<Vec<_>>())
}
