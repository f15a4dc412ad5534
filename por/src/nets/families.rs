//! Families of 1-safe contextual nets that grow with a number, for measurements and as specifications of counts.
//!
//! Events are those of the contextual unfolding, in which an event is a transition with the conditions that it consumes
//! and reads; a history of an event is a configuration of which it is the greatest event, where an event that reads a
//! condition comes before the one that consumes it.
use super::{Net, Place, PlaceId, Transition};

/// The families: name, and what their nets do.
pub const FAMILIES: &[(&str, &str)] = &[
    ("readers", "n transitions read a place, and one consumes it"),
    ("chain", "n steps, one after the other, read a place, and a transition consumes it"),
    ("readers-writers", "n processes read at the same time, or one of them writes"),
    ("philosophers", "n philosophers take their left fork, then their right one"),
    ("philosophers-looking", "the same, but they take the left fork only while the right one is there"),
    ("mutex", "n processes; who wants to enter looks at all the others at once"),
    ("mutex-stepwise", "n processes; who wants to enter looks at the others one by one"),
    ("pipeline", "a Muller pipeline of n C-elements between a source and a sink"),
    ("ring", "a token goes round n stations, each of which works while it is there"),
    ("counter", "a counter of n bits in Gray code, which stops at its last number"),
];

/// The net of a family with the number n; `None` if there is no such family, or if n is too small or too large for it.
pub fn family(name: &str, n: u32) -> Option<Net> {
    // Some have arcs from every transition to every place.
    let (linear, quadratic) = (100_000, 1_000);
    let (build, least, most): (fn(u32) -> Builder, u32, u32) = match name {
        "readers" => (readers, 1, linear),
        "chain" => (chain, 1, linear),
        "readers-writers" => (readers_writers, 1, quadratic),
        "philosophers" => (|n| philosophers(n, Care::None), 2, linear),
        "philosophers-looking" => (|n| philosophers(n, Care::Looking), 2, linear),
        "mutex" => (mutex, 1, quadratic),
        "mutex-stepwise" => (mutex_stepwise, 1, quadratic),
        "pipeline" => (pipeline, 1, linear),
        "ring" => (ring, 2, linear),
        "counter" => (counter, 1, quadratic),
        _ => return None,
    };
    (least..=most).contains(&n).then(|| build(n).net())
}

/// A net while it is built.
#[derive(Default)]
struct Builder {
    places: Vec<Place>,
    transitions: Vec<Transition>,
}

impl Builder {
    fn place(&mut self, name: String, marked: bool) -> PlaceId {
        self.places.push(Place { name, marked });
        PlaceId(self.places.len() as u32 - 1)
    }

    /// One place for each number, named with it.
    fn places(&mut self, n: u32, name: &str, marked: bool) -> Vec<PlaceId> {
        (1..=n).map(|i| self.place(format!("{name}{i}"), marked)).collect()
    }

    /// A transition that consumes, reads and produces.
    fn transition(&mut self, name: String, preset: &[PlaceId], context: &[PlaceId], postset: &[PlaceId]) {
        let (preset, context, postset) = (preset.to_vec(), context.to_vec(), postset.to_vec());
        self.transitions.push(Transition { name, preset, context, postset });
    }

    fn net(self) -> Net {
        Net::new(self.places, self.transitions).expect("each transition consumes something, and does not read it")
    }
}

/// The place p is read by r₁ … rₙ, each of which fires once, and consumed by c.
///
/// 2ⁿ⁺¹ markings, as each reader has fired or not, and c has or has not. The 2ⁿ of them after c are dead. n + 1 events,
/// none of which is a cut-off: each reader has one history, and c has one for each set of readers before it, which
/// makes n + 2ⁿ. Read arcs as loops put the readers in sequence: n!/(n-k)! runs of k readers, each ended by its last
/// reader and by c, make 2·∑ₖ n!/(n-k)! - 1 events in the full unfolding. Replication makes n + 2ⁿ events.
fn readers(n: u32) -> Builder {
    let mut net = Builder::default();
    let (read, consumed) = (net.place("p".into(), true), net.place("q".into(), false));
    let (before, after) = (net.places(n, "a", true), net.places(n, "b", false));
    for (i, (&before, &after)) in (1..).zip(before.iter().zip(&after)) {
        net.transition(format!("r{i}"), &[before], &[read], &[after]);
    }
    net.transition("c".into(), &[read], &[], &[consumed]);
    net
}

/// The steps t₁ … tₙ read g, and c consumes it.
///
/// 2·(n + 1) markings: how far the steps are, and whether c has fired, after which all is dead. n + 1 events; each step
/// has one history, and c one for each number of steps before it: 2·n + 1 histories. With a loop for each read arc, c
/// consumes the token that one of the steps has put, or the first one: 2·n + 1 events.
fn chain(n: u32) -> Builder {
    let mut net = Builder::default();
    let (global, off) = (net.place("g".into(), true), net.place("h".into(), false));
    let mut before = net.place("s0".into(), true);
    for i in 1..=n {
        let after = net.place(format!("s{i}"), false);
        net.transition(format!("t{i}"), &[before], &[global], &[after]);
        before = after;
    }
    net.transition("c".into(), &[global], &[], &[off]);
    net
}

/// A process reads while none writes, and writes while no other reads, which it sees by reading that all others are
/// idle.
///
/// 2ⁿ + n markings: any set of processes reads, or one writes and all others are idle. None is dead.
fn readers_writers(n: u32) -> Builder {
    let mut net = Builder::default();
    let free = net.place("free".into(), true);
    let (idle, reading) = (net.places(n, "idle", true), net.places(n, "reading", false));
    let writing = net.places(n, "writing", false);
    for (i, number) in (0..n as usize).zip(1..) {
        net.transition(format!("read{number}"), &[idle[i]], &[free], &[reading[i]]);
        net.transition(format!("read-end{number}"), &[reading[i]], &[], &[idle[i]]);
        net.transition(format!("write{number}"), &[idle[i], free], &without(&idle, i), &[writing[i]]);
        net.transition(format!("write-end{number}"), &[writing[i]], &[], &[idle[i], free]);
    }
    net
}

/// What a philosopher does before taking the first fork.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    None,
    /// See that the other fork is there.
    Looking,
}

/// Philosopher i has forks i and i + 1.
///
/// Each thinks, has the left fork, or eats, and one whose left neighbour eats can only think. These are the closed
/// walks of n steps in a graph with the eigenvalues 1 ± √2 and 0, so there are aₙ = (1 + √2)ⁿ + (1 - √2)ⁿ markings: a₁
/// = 2, a₂ = 6, aₙ₊₂ = 2·aₙ₊₁ + aₙ. All are reachable: first the left forks are taken, then the right ones. One is
/// dead, that where each has the left fork.
///
/// A philosopher who looks takes the left fork only while the right neighbour thinks and the fork between them is
/// there. So not all can have their left fork; all other markings are reachable, if in each row of neighbours that do
/// not think the left one goes first. That makes aₙ - 1 markings, none of which is dead.
fn philosophers(n: u32, care: Care) -> Builder {
    let mut net = Builder::default();
    let (forks, thinking) = (net.places(n, "fork", true), net.places(n, "thinking", true));
    let (left, eating) = (net.places(n, "left", false), net.places(n, "eating", false));
    for (i, number) in (0..n as usize).zip(1..) {
        let right = forks[(i + 1) % n as usize];
        let looks: &[PlaceId] = if care == Care::Looking { &[right] } else { &[] };
        net.transition(format!("take-left{number}"), &[thinking[i], forks[i]], looks, &[left[i]]);
        net.transition(format!("take-right{number}"), &[left[i], right], &[], &[eating[i]]);
        net.transition(format!("put{number}"), &[eating[i]], &[], &[thinking[i], forks[i], right]);
    }
    net
}

/// A process that wants to enter raises a flag (and is idle no more), and enters if all others are idle, or withdraws.
///
/// A process that enters sees all others idle, so two are never inside, as the second one would have seen the first.
/// While one is inside the others may be idle or want to enter: 2ⁿ + n·2ⁿ⁻¹ markings. None is dead.
fn mutex(n: u32) -> Builder {
    let mut net = Builder::default();
    let (idle, want) = (net.places(n, "idle", true), net.places(n, "want", false));
    let inside = net.places(n, "inside", false);
    for (i, number) in (0..n as usize).zip(1..) {
        net.transition(format!("raise{number}"), &[idle[i]], &[], &[want[i]]);
        net.transition(format!("withdraw{number}"), &[want[i]], &[], &[idle[i]]);
        net.transition(format!("enter{number}"), &[want[i]], &without(&idle, i), &[inside[i]]);
        net.transition(format!("leave{number}"), &[inside[i]], &[], &[idle[i]]);
    }
    net
}

/// A process that wants to enter raises a flag, then looks at the others in their order, each of which must be idle at
/// that time. It is inside when it has seen all, and may withdraw before.
///
/// A process is idle, or it is up (its flag is raised) and has seen the first k others, k < n. If i has seen j, and
/// both are up, then i was up first; so no two that are up have seen each other, and no more of them make a circle. All
/// else is reachable: they go in such an order and look at once. For n = 2 these are 1 + 2·2 + (4 - 1) markings. None
/// is dead, because every process can go back.
fn mutex_stepwise(n: u32) -> Builder {
    let mut net = Builder::default();
    let idle = net.places(n, "idle", true);
    for (i, number) in (0..n as usize).zip(1..) {
        let seen: Vec<PlaceId> = (0..n).map(|seen| net.place(format!("up{number}.{seen}"), false)).collect();
        net.transition(format!("raise{number}"), &[idle[i]], &[], &[seen[0]]);
        for (step, &other) in without(&idle, i).iter().enumerate() {
            net.transition(format!("look{number}.{}", step + 1), &[seen[step]], &[other], &[seen[step + 1]]);
        }
        for (step, &at) in seen.iter().enumerate() {
            net.transition(format!("down{number}.{step}"), &[at], &[], &[idle[i]]);
        }
    }
    net
}

/// A row of signals x₀ … xₙ₊₁. The C-element xᵢ rises if xᵢ₋₁ is 1 and xᵢ₊₁ is 0, and falls if they are 0 and 1; the
/// source x₀ becomes what x₁ is not, and the sink xₙ₊₁ becomes what xₙ is.
///
/// There is a wave where two neighbours differ. The source makes a wave in the gap behind it if that has none. An
/// element moves a wave from the gap in front of it to the gap behind it if that has none. The sink takes waves away.
/// So any set of the n + 1 gaps has waves, whatever x₀ is, as each wave that passes through changes all signals. These
/// are 2ⁿ⁺² markings, none of which is dead.
fn pipeline(n: u32) -> Builder {
    let mut net = Builder::default();
    let signals: Vec<[PlaceId; 2]> =
        (0..n + 2).map(|i| [net.place(format!("x{i}=0"), true), net.place(format!("x{i}=1"), false)]).collect();
    for (i, &[low, high]) in signals.iter().enumerate() {
        let before = i.checked_sub(1).map(|before| signals[before]);
        let after = signals.get(i + 1);
        let context = |value: usize| -> Vec<PlaceId> {
            before.map(|before| before[value]).into_iter().chain(after.map(|after| after[1 - value])).collect()
        };
        net.transition(format!("x{i}+"), &[low], &context(1), &[high]);
        net.transition(format!("x{i}-"), &[high], &context(0), &[low]);
    }
    net
}

/// A station may ask for the token at any time. When the token is there it works, which makes it content, and the token
/// goes on from stations that are content.
///
/// n·2ⁿ markings: where the token is, and which processes ask. None is dead.
fn ring(n: u32) -> Builder {
    let mut net = Builder::default();
    let token: Vec<PlaceId> = (1..=n).map(|i| net.place(format!("token{i}"), i == 1)).collect();
    let (content, asking) = (net.places(n, "content", true), net.places(n, "asking", false));
    for (i, number) in (0..n as usize).zip(1..) {
        net.transition(format!("ask{number}"), &[content[i]], &[], &[asking[i]]);
        net.transition(format!("work{number}"), &[asking[i]], &[token[i]], &[content[i]]);
        net.transition(format!("pass{number}"), &[token[i]], &[content[i]], &[token[(i + 1) % n as usize]]);
    }
    net
}

/// Gray code: after an even number of steps the lowest bit flips, after an odd one that above the lowest 1, which reads
/// all bits below.
///
/// It counts through all 2ⁿ numbers in one run, and stops at 10…0. All steps consume the parity, so each follows from
/// the one before: 2ⁿ markings, 2ⁿ - 1 events with one history each, no cut-off, and one deadlock.
fn counter(n: u32) -> Builder {
    let mut net = Builder::default();
    let parity = [net.place("even".into(), true), net.place("odd".into(), false)];
    let bits: Vec<[PlaceId; 2]> =
        (0..n).map(|i| [net.place(format!("bit{i}=0"), true), net.place(format!("bit{i}=1"), false)]).collect();
    for (i, bit) in bits.iter().enumerate() {
        let below: Vec<PlaceId> = (0..i).map(|below| bits[below][usize::from(below + 1 == i)]).collect();
        let now = usize::from(i > 0);
        for old in 0..2 {
            let name = format!("bit{i}{}", ["+", "-"][old]);
            net.transition(name, &[parity[now], bit[old]], &below, &[parity[1 - now], bit[1 - old]]);
        }
    }
    net
}

/// All places but one.
fn without(places: &[PlaceId], index: usize) -> Vec<PlaceId> {
    places.iter().enumerate().filter(|&(i, _)| i != index).map(|(_, &place)| place).collect()
}
