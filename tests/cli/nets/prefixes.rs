//! Prefix files, read and checked by another reader.
use super::checker::{PrefixFile, read};
use super::make;
use crate::run::{Done, Files};
use por::nets::{Encoding, Net, encoded};

const ENCODINGS: [(&str, Encoding); 3] =
    [("contextual", Encoding::Contextual), ("loops", Encoding::Loops), ("replication", Encoding::Replication)];
const ORDERS: [&str; 2] = ["erv", "mcmillan"];

/// The prefix of `net` in the directory.
fn prefix(files: &Files, arguments: &str) -> (PrefixFile, Done) {
    let done = files.run(&format!("unfold --report prefix=prefix --format json {arguments} net"));
    assert_eq!(done.err, "");
    let bytes = std::fs::read(files.path("prefix")).expect("it was written");
    (read(&bytes).unwrap_or_else(|error| panic!("{arguments}: {error}")), done)
}

fn net(text: &str) -> Net {
    por::nets::read("a.ll_net", text.as_bytes()).expect("it is a net")
}

/// Checks the prefixes of a net in every encoding and order.
fn check(text: &str) -> u64 {
    let files = Files::new(&[("net", text)]);
    let mut cutoffs = 0;
    for ((name, encoding), order) in ENCODINGS.into_iter().flat_map(|encoding| ORDERS.map(|order| (encoding, order))) {
        let (file, done) = prefix(&files, &format!("--encoding {name} --order {order}"));
        assert_eq!(done.code, Some(0), "{text}: {done:?}");
        let markings = file.check().unwrap_or_else(|error| panic!("{name}, {order}: {error}\n{text}"));
        assert_eq!((file.end, ORDERS[file.order as usize]), (0, order));
        let encoded = encoded(&net(text), encoding).net;
        assert_eq!(file.net, encoded, "{name}");
        // No more is promised of single histories: those of the prefix have markings that can be reached.
        let reachable = encoded.reachable(100_000).expect("it is safe").expect("it is small").markings;
        assert!(markings.iter().all(|marking| reachable.contains(marking)), "{name}, {order}");
        let stats: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        let stats = &stats["stats"];
        assert_eq!(stats["events"], file.events.len() - 1);
        assert_eq!(stats["histories"], file.histories.len() - 1);
        assert_eq!(stats["cutoffs"], file.corresponding.len());
        assert_eq!(stats["depth"], file.histories.iter().map(|history| history.size).max().unwrap());
        cutoffs += file.corresponding.len() as u64;
    }
    cutoffs
}

#[test]
fn what_is_in_a_file_is_a_prefix() {
    let philosophers = include_str!("../../../examples/nets/philosophers.ll_net");
    let texts = [include_str!("../../../examples/nets/readers.ll_net"), &make::round(), &make::readers(4)];
    for text in texts {
        check(text);
    }
    // Each philosopher leaves as many forks as before: one cutoff each, in each order and encoding.
    assert_eq!(check(philosophers), 3 * 6);
}

#[test]
fn prefixes_of_random_nets() {
    let cutoffs: u64 = (0..30).map(|seed| check(&make::machines(seed))).sum();
    assert!(cutoffs > 100, "{cutoffs}");
}

#[test]
fn what_was_stopped_or_reached_is_a_prefix_too() {
    let files = Files::new(&[("net", &make::round())]);
    let (file, done) = prefix(&files, "--stop-at t4");
    assert_eq!((file.end, done.code), (1, Some(1)), "{done:?}");
    let markings = file.check().unwrap();
    let reached = &file.histories[file.kept() - 1];
    assert_eq!(file.net.transition(por::nets::TransitionId(file.events[reached.event as usize].0)).name, "t4");
    assert_eq!(markings.len(), file.histories.len());
    let files = Files::new(&[("net", &make::counter(12))]);
    let (file, done) = prefix(&files, "--max-events 100");
    assert_eq!((file.end, done.code, file.events.len()), (2, Some(3), 102), "{done:?}");
    file.check().unwrap();
}

#[test]
fn a_file_that_is_wrong_is_noticed() {
    let files = Files::new(&[("net", &make::round())]);
    let (good, _) = prefix(&files, "");
    good.check().unwrap();
    let bytes = std::fs::read(files.path("prefix")).unwrap();
    for at in 0..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[at] ^= 1;
        assert!(read(&wrong).is_err(), "byte {at}");
        assert!(read(&bytes[..at]).is_err(), "without the end from {at}");
    }
    let cutoff = good.kept();
    let wrong = |change: &dyn Fn(&mut PrefixFile)| {
        let mut file = good.clone();
        change(&mut file);
        file.check().expect_err("it is wrong")
    };
    assert!(wrong(&|file| file.corresponding[0] = None).contains("no corresponding history"));
    assert!(wrong(&|file| file.corresponding[0] = Some(cutoff as u32)).contains("has a cutoff"));
    assert!(wrong(&|file| file.corresponding[0] = Some(1)).contains("is no cutoff because"));
    assert!(wrong(&|file| file.histories[cutoff].size += 1).contains("its size"));
    assert!(wrong(&|file| file.histories[2].family = vec![0]).contains("history 2: "));
    assert!(wrong(&|file| file.histories[1].family = vec![2]).contains("not before it"));
    assert!(wrong(&|file| file.events[2].1[0] = 2).contains("does not generate"));
    assert!(wrong(&|file| file.events[2] = file.events[1].clone()).contains("twice"));
    let forget_one = |file: &mut PrefixFile| {
        file.corresponding.remove(0);
    };
    assert!(wrong(&forget_one).contains("should be a cutoff"));
}
