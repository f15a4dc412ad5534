//! The families of nets have as many reachable markings as their documentation says, and are safe.
use por::nets::{FAMILIES, Net, family};

/// Markings and deadlocks, by brute force.
fn counted(name: &str, n: u32) -> (usize, usize) {
    let net = family(name, n).unwrap_or_else(|| panic!("there is no {name} {n}"));
    let reached = net.reachable(1 << 20).expect("it is safe").expect("it is small");
    (reached.markings.len(), reached.deadlocks.len())
}

#[test]
fn reachable_markings_are_as_derived() {
    type Closed = fn(usize) -> (usize, usize);
    let expected: [(&str, u32, u32, Closed); 9] = [
        ("readers", 1, 8, |n| (2 << n, 1 << n)),
        ("chain", 1, 8, |n| (2 * (n + 1), n + 1)),
        ("readers-writers", 1, 8, |n| ((1 << n) + n, 0)),
        ("philosophers", 2, 8, |n| (pell_lucas(n), 1)),
        ("philosophers-looking", 2, 8, |n| (pell_lucas(n) - 1, 0)),
        ("mutex", 1, 8, |n| ((1 << n) + (n << (n - 1)), 0)),
        ("pipeline", 1, 8, |n| (4 << n, 0)),
        ("ring", 2, 8, |n| (n << n, 0)),
        ("counter", 1, 10, |n| (1 << n, 1)),
    ];
    for (name, from, to, closed) in expected {
        assert!(family(name, from - 1).is_none(), "{name}");
        for n in from..=to {
            assert_eq!(counted(name, n), closed(n as usize), "{name} {n}");
        }
    }
    assert_eq!(FAMILIES.len(), expected.len() + 1, "mutex-stepwise has no closed form");
}

/// 2, 6, 14, 34, …
fn pell_lucas(n: usize) -> usize {
    (1..n).fold((2, 2), |(before, now), _| (now, 2 * now + before)).1
}

#[test]
fn looking_stepwise_makes_no_circles() {
    for n in 1..=4u32 {
        // Each process is idle (0) or up, with so many others seen (less one).
        let all = (0..(n + 1).pow(n)).map(|code| (0..n).map(|i| code / (n + 1).pow(i) % (n + 1)).collect::<Vec<_>>());
        let allowed = all.filter(|states| !circle(states)).count();
        assert_eq!(counted("mutex-stepwise", n), (allowed, 0), "{n}");
    }
    assert_eq!(counted("mutex-stepwise", 2), (8, 0));
}

/// Whether processes that are up have seen each other in a circle.
fn circle(states: &[u32]) -> bool {
    let mut left: Vec<usize> = (0..states.len()).filter(|&i| states[i] > 0).collect();
    let sees = |i: usize, j: usize| i != j && (j - usize::from(j > i)) < states[i] as usize - 1;
    // One after the other, who has been seen by nobody left goes.
    while let Some(place) = left.iter().position(|&j| !left.iter().any(|&i| sees(i, j))) {
        left.remove(place);
    }
    !left.is_empty()
}

#[test]
fn families_are_listed_and_read_something() {
    for &(name, about) in FAMILIES {
        let net: Net = family(name, 3).unwrap_or_else(|| panic!("{name} is listed"));
        assert!(net.read_arcs() > 0 || name == "philosophers", "{name}: {about}");
        assert!(family(name, 0).is_none() && family(name, u32::MAX).is_none(), "{name}");
    }
    assert!(family("unknown", 3).is_none());
}
