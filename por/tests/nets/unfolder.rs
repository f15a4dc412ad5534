//! The unfolder, enriched event by enriched event, against the definitions.
use crate::campaign::{self, programs, setting};
use crate::definition::Definition;
use crate::generate::{self, Random};
use por::Order;
use por::nets::{
    Encoding, EnrichedPrefix, HistoryId, Marking, Net, Place, PlaceId, Transition, TransitionId, UnfoldEnd,
    UnfoldOptions, UnfoldStatistics, encoded, unfold,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Configurations up to which a net's prefix is made by the definitions.
const CONFIGURATIONS: usize = 2_000;

fn prefix(net: &Net, order: Order) -> EnrichedPrefix<'_> {
    let options = UnfoldOptions { order, ..UnfoldOptions::default() };
    let (prefix, end) = unfold(net, options, &mut |_| true).expect("the net is 1-safe");
    assert_eq!(end, UnfoldEnd::Complete);
    prefix
}

fn marking(net: &Net, run: &[TransitionId]) -> Marking {
    net.run(run).unwrap_or_else(|at| panic!("{} of {run:?} cannot fire", run[at].0))
}

/// Whether the net was small enough.
fn compare(net: &Net, order: Order) -> bool {
    let Some(mut definition) = Definition::of(net, order, CONFIGURATIONS) else { return false };
    let prefix = prefix(net, order);
    let ours = definition.translate(&prefix);
    for (history, cutoff) in &ours {
        assert_eq!(definition.histories.get(history), Some(cutoff), "not so: {}\n{net:?}", definition.show(history));
    }
    for (history, cutoff) in &definition.histories {
        assert_eq!(ours.get(history), Some(cutoff), "not so: {}\n{net:?}", definition.show(history));
    }
    for history in prefix.histories().filter(|history| prefix.is_cutoff(*history)) {
        let smaller = prefix.corresponding(history).expect("each cutoff has one");
        assert!(!prefix.is_cutoff(smaller) && prefix.size(smaller) <= prefix.size(history), "{net:?}");
        let (this, other) = (prefix.run([history]), prefix.run([smaller]));
        assert_eq!(marking(net, &this), marking(net, &other), "{net:?}");
    }
    let reachable: BTreeSet<Marking> = net.reachable(CONFIGURATIONS).unwrap().unwrap().markings.into_iter().collect();
    assert!(definition.markings == reachable, "the prefix is complete\n{net:?}");
    true
}

/// Unfolds a net by both orders, and now and then its encodings, too; how many prefixes were compared.
fn check(seed: u64) -> u64 {
    let net = generate::net(seed);
    let compared = [Order::Size, Order::Erv].map(|order| compare(&net, order));
    if !seed.is_multiple_of(8) {
        return compared.map(u64::from).iter().sum();
    }
    let encoded =
        [Encoding::Loops, Encoding::Replication].map(|encoding| compare(&encoded(&net, encoding).net, Order::Erv));
    compared.iter().chain(&encoded).map(|compared| u64::from(*compared)).sum()
}

/// `NETS` nets, from seed `NETS_SEED` on.
#[test]
fn random_nets_unfold_as_the_definitions_say() {
    let (nets, first) = (programs("NETS", [2_000, 50_000]), setting("NETS_SEED", 0));
    let compared = AtomicU64::new(0);
    campaign::run("random nets", first, nets, |number| {
        let seed = first + number;
        let prefixes = std::panic::catch_unwind(|| check(seed)).unwrap_or_else(|_| panic!("seed {seed}"));
        compared.fetch_add(prefixes, Ordering::Relaxed);
        1
    });
    let compared = compared.into_inner();
    println!("{compared} prefixes of {nets} nets compared");
    assert!(compared * 10 >= nets * 14, "{compared} prefixes of {nets} nets were small enough");
}

#[test]
fn nets_that_are_not_safe_are_found_out() {
    let mut random = Random::new(1);
    let (mut safe, mut not) = (0, 0);
    while safe < 500 || not < 500 {
        let net = generate::draw(&mut random);
        let Ok(reachable) = net.reachable(500).transpose().unwrap_or(Ok(reachable_nothing())) else {
            let error = unfold(&net, UnfoldOptions::default(), &mut |_| true).err();
            let error = error.unwrap_or_else(|| panic!("it has two tokens somewhere: {net:?}"));
            let (last, before) = error.run.split_last().expect("at first it has not");
            let before = marking(&net, before);
            assert!(net.enables(&before, *last), "{net:?} {error:?}");
            assert_eq!(net.fire(&before, *last).unwrap_err().place, error.place, "{net:?} {error:?}");
            not += 1;
            continue;
        };
        if !reachable.markings.is_empty() {
            assert!(unfold(&net, UnfoldOptions::default(), &mut |_| true).is_ok(), "{net:?}");
            safe += 1;
        }
    }
}

/// Who looks for b finds it where another one is found to put a token there, too.
#[test]
fn what_is_reached_is_safe() {
    let places = &[("p1", true), ("p2", true), ("p3", false), ("x", false)];
    let net = net(places, &[("a", &[0], &[], &[3]), ("c", &[1], &[], &[2]), ("b", &[2], &[], &[3])]);
    let options = UnfoldOptions { stop_at: Some(TransitionId(2)), ..UnfoldOptions::default() };
    let error = unfold(&net, options, &mut |_| true).err().expect("x gets two tokens");
    assert_eq!(error.place, PlaceId(3));
}

/// Stands for a net that is too large to say anything of it.
fn reachable_nothing() -> por::nets::Reachable {
    por::nets::Reachable { markings: Vec::new(), deadlocks: Vec::new() }
}

/// A transition as its name, preset, context and postset.
type Row<'a> = (&'a str, &'a [u32], &'a [u32], &'a [u32]);

fn net(places: &[(&str, bool)], transitions: &[Row<'_>]) -> Net {
    let numbers = |places: &[u32]| places.iter().map(|place| PlaceId(*place)).collect();
    let place = |&(name, marked): &(&str, bool)| Place { name: name.into(), marked };
    let transition = |&(name, preset, context, postset): &Row<'_>| Transition {
        name: name.into(),
        preset: numbers(preset),
        context: numbers(context),
        postset: numbers(postset),
    };
    Net::new(places.iter().map(place).collect(), transitions.iter().map(transition).collect()).unwrap()
}

/// The net of Fig. 1 (a): t1 moves the token of p2 to p3, t3 moves it back, and t2, which moves another one from p1 to
/// p4, reads p3.
fn figure_1() -> Net {
    net(
        &[("p1", true), ("p2", true), ("p3", false), ("p4", false)],
        &[("t1", &[1], &[], &[2]), ("t2", &[0], &[2], &[3]), ("t3", &[2], &[], &[1])],
    )
}

/// Each enriched event as its run, causes first, with a star if it is a cutoff.
fn histories(prefix: &EnrichedPrefix<'_>) -> Vec<String> {
    let name = |transition: TransitionId| prefix.net().transition(transition).name.clone();
    let show = |history| {
        let run: Vec<String> = prefix.run([history]).into_iter().map(name).collect();
        run.join(" ") + if prefix.is_cutoff(history) { " *" } else { "" }
    };
    let mut histories: Vec<String> = prefix.histories().skip(1).map(show).collect();
    histories.sort();
    histories
}

/// Fig. 3 (b). The figure has 〈e3, {e1, e3}〉 as no cutoff, and so 〈e1′, {e1, e3, e1′}〉 as one; by Definition 7 the
/// former is one already, for it leads back to the initial marking. All else is as drawn: e3 has two histories, one
/// with e2, which reads what e3 consumes, and one without; and the second e1′ is a cutoff for 〈e2, {e1, e2}〉.
#[test]
fn figure_3() {
    let net = figure_1();
    for order in [Order::Size, Order::Erv] {
        let prefix = prefix(&net, order);
        assert_eq!(histories(&prefix), ["t1", "t1 t2", "t1 t2 t3", "t1 t2 t3 t1 *", "t1 t3 *"]);
        assert_eq!(prefix.events().len(), 5, "⊥, e1, e2, e3, e1′");
        // The two of ⊥, and p3, p4, p2, p3.
        assert_eq!(prefix.conditions(), 6);
        let smaller: Vec<Vec<TransitionId>> = prefix
            .histories()
            .filter_map(|history| prefix.corresponding(history))
            .map(|history| prefix.run([history]))
            .collect();
        assert_eq!(smaller, [vec![], vec![TransitionId(0), TransitionId(1)]]);
    }
}

/// Fig. 4: e1 reads what e2 consumes, e2 reads what e3 consumes, and e3 what e1 does. Two of them fit in a
/// configuration, one way round only; so each has the history of its own and one with its reader.
#[test]
fn figure_4() {
    let places = &[("a", true), ("b", true), ("c", true), ("x", false), ("y", false), ("z", false)];
    let net = net(places, &[("e1", &[0], &[1], &[3]), ("e2", &[1], &[2], &[4]), ("e3", &[2], &[0], &[5])]);
    let prefix = prefix(&net, Order::Erv);
    assert_eq!(histories(&prefix), ["e1", "e1 e2", "e2", "e2 e3", "e3", "e3 e1"]);
    assert_eq!(prefix.events().len(), 4);
}

/// The token of p is read by t, and again when u has let t fire a second time. Before who consumes it there is none of
/// these, or the first t, or both with u, which is between them; the second is never without the first. (What is
/// consumed with p takes four steps, so that both readers are in the prefix before it.)
#[test]
fn a_transition_reads_a_token_twice() {
    let names = ["p", "q", "a", "b", "c", "d", "0", "1", "2", "3", "4"];
    let places: Vec<(&str, bool)> = names.map(|name| (name, "pac0".contains(name))).to_vec();
    let steps: [Row<'_>; 4] =
        [("1", &[6], &[], &[7]), ("2", &[7], &[], &[8]), ("3", &[8], &[], &[9]), ("4", &[9], &[], &[10])];
    let rest: [Row<'_>; 3] = [("t", &[2], &[0], &[3]), ("u", &[3, 4], &[], &[2, 5]), ("consume", &[0, 10], &[], &[1])];
    let net = net(&places, &[&steps[..], &rest].concat());
    let prefix = prefix(&net, Order::Erv);
    let sizes = |name: &str| {
        let of = |history: &HistoryId| {
            prefix.transition(prefix.event(*history)).is_some_and(|transition| net.transition(transition).name == name)
        };
        prefix.histories().filter(of).map(|history| prefix.size(history)).collect::<BTreeSet<u32>>()
    };
    assert_eq!(sizes("t"), BTreeSet::from([1, 3]));
    assert_eq!(prefix.histories().filter(|history| prefix.size(*history) >= 5).count(), 3, "who consumes p");
    assert_eq!(sizes("consume"), BTreeSet::from([5, 6, 8]));
    assert!(compare(&net, Order::Erv) && compare(&net, Order::Size));
}

/// n readers of a place and a consumer.
fn readers(n: u32) -> Net {
    let mut places = vec![Place { name: "p".into(), marked: true }, Place { name: "q".into(), marked: false }];
    let mut transitions = vec![Transition {
        name: "consume".into(),
        preset: vec![PlaceId(0)],
        context: vec![],
        postset: vec![PlaceId(1)],
    }];
    for i in 0..n {
        places.push(Place { name: format!("before {i}"), marked: true });
        places.push(Place { name: format!("behind {i}"), marked: false });
        transitions.push(Transition {
            name: format!("read {i}"),
            preset: vec![PlaceId(2 + 2 * i)],
            context: vec![PlaceId(0)],
            postset: vec![PlaceId(3 + 2 * i)],
        });
    }
    Net::new(places, transitions).unwrap()
}

/// Any set of readers may come before the consumer, which is one event with 2ⁿ histories. With a copy of the place for
/// each reader, it has an event for each choice of copies, old or new. With loops, the readers take the token from each
/// other in any order: if only size makes cutoffs, each sequence of different readers is an event, and has a consumer
/// behind it.
#[test]
fn readers_and_a_consumer() {
    for n in 0..=7 {
        let contextual = readers(n);
        for order in [Order::Size, Order::Erv] {
            let prefix = prefix(&contextual, order);
            assert_eq!(prefix.events().len(), n as usize + 2);
            assert_eq!(prefix.histories().len(), (1 << n) + n as usize + 1);
        }
        let replicated = encoded(&contextual, Encoding::Replication).net;
        let prefix_of_copies = prefix(&replicated, Order::Size);
        assert_eq!(prefix_of_copies.histories().len(), (1 << n) + n as usize + 1);
        let looping = encoded(&contextual, Encoding::Loops).net;
        let sequences: usize = (0..=n).map(|length| (n - length + 1..=n).product::<u32>() as usize).sum();
        assert_eq!(prefix(&looping, Order::Size).histories().len(), 2 * sequences, "⊥ stands for the empty sequence");
        // A total order keeps one sequence for each set, and what can follow it.
        let sets = (n as usize) << n >> 1;
        assert_eq!(prefix(&looping, Order::Erv).histories().len(), 1 + sets + (1 << n));
    }
}

#[test]
fn an_unfolding_stops_where_it_is_told_to() {
    let net = figure_1();
    let stop = |transition| {
        let options = UnfoldOptions { stop_at: Some(TransitionId(transition)), ..UnfoldOptions::default() };
        let (prefix, end) = unfold(&net, options, &mut |_| true).unwrap();
        let last = prefix.kept().last().expect("there is ⊥");
        (end, prefix.run([last]).into_iter().map(|transition| transition.0).collect::<Vec<_>>())
    };
    assert_eq!(stop(0), (UnfoldEnd::Reached, vec![0]));
    assert_eq!(stop(1), (UnfoldEnd::Reached, vec![0, 1]));
    assert_eq!(stop(2), (UnfoldEnd::Reached, vec![0, 2]), "also if it leads to a marking that is known");
    let counter = readers(12);
    let (prefix, end) = unfold(&counter, UnfoldOptions::default(), &mut |so_far| so_far.histories < 500).unwrap();
    assert_eq!(end, UnfoldEnd::Interrupted);
    assert!(prefix.histories().len() < 4096);
}

#[test]
fn how_far_it_is_is_told_behind_each_history_and_at_the_end() {
    let net = readers(5);
    for stop_at in [None, Some(TransitionId(0)), Some(TransitionId(3))] {
        let options = UnfoldOptions { stop_at, ..UnfoldOptions::default() };
        let mut told = vec![UnfoldStatistics::default()];
        let (prefix, _) = unfold(&net, options, &mut |statistics| {
            told.push(*statistics);
            true
        })
        .unwrap();
        let last = told.last().expect("it was told something");
        assert_eq!(last.events as usize, prefix.events().len(), "{stop_at:?}");
        assert_eq!(last.histories as usize, prefix.histories().len(), "{stop_at:?}");
        assert_eq!(last.histories - last.cutoffs, prefix.kept().len() as u64, "{stop_at:?}");
        let steps = told.windows(2).map(|pair| pair[1].histories - pair[0].histories);
        assert!(
            stop_at.is_some() || steps.skip(1).all(|step| step <= 1),
            "no history of this net is a cutoff: {told:?}"
        );
    }
}
