//! Random 1-safe contextual nets.
//!
//! A few state machines, each with at most one token, take part in common transitions and read each other's places; so
//! they are 1-safe. Places of no machine make other shapes: tokens that come and go, forks and joins. Where these make
//! a net unsafe, another one is drawn.
use por::nets::{Net, Place, PlaceId, Transition};

/// Random numbers as these nets are made of.
pub struct Random(random::Random);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(random::Random::new(seed))
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0.below(n.into()) as u32
    }

    /// Whether it happens that has a chance of `percent`.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    pub fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u32) as usize]
    }
}

/// A safe net of 3 to 12 places and as many transitions, always the same for a seed.
pub fn net(seed: u64) -> Net {
    let mut random = Random::new(seed);
    // Nets that soon get stuck are safe most often, but show little.
    let mut least: usize = *random.of(&[2, 8, 12, 16, 32, 64]);
    for attempt in 1.. {
        let net = draw(&mut random);
        if let Ok(Some(reached)) = net.reachable(4096)
            && reached.markings.len() >= least
        {
            return net;
        }
        least -= usize::from(attempt % 16 == 0 && least > 1);
    }
    unreachable!("some net is safe")
}

/// A net that may not be 1-safe.
pub fn draw(random: &mut Random) -> Net {
    let mut places = Vec::new();
    let mut machines: Vec<Vec<PlaceId>> = Vec::new();
    for _ in 0..1 + random.below(5) {
        let size = random.of(&[1, 2, 2, 2, 3, 3, 4]).min(&(12 - places.len() as u32)).to_owned();
        let start = random.below(size.max(1));
        machines.push((0..size).map(|place| new_place(&mut places, place == start)).collect());
    }
    machines.retain(|machine| !machine.is_empty());
    let most = 12 - places.len() as u32;
    let free = if places.len() < 3 { 2 } else { *random.of(&[0, 0, 0, 1, 2, 3]) };
    let free: Vec<PlaceId> = (0..free.min(most)).map(|_| new_place(&mut places, random.chance(60))).collect();
    // Many read what this place holds.
    let popular = PlaceId(random.below(places.len() as u32));
    // How often tokens go round their machine and how often they are lost, and how many read arcs there are.
    let (round_trips, lost, reads) = (random.below(100), *random.of(&[0, 0, 0, 5, 15]), 5 + random.below(40));
    let count = 3 + random.below(10);
    let transitions = (0..count).map(|number| {
        let mut transition =
            Transition { name: format!("t{number}"), preset: vec![], context: vec![], postset: vec![] };
        let mut others = machines.clone();
        let parts = *random.of(&[1, 1, 1, 1, 1, 1, 2, 2, 3]);
        for _ in 0..parts.min(others.len()) {
            let machine = others.swap_remove(random.below(others.len() as u32) as usize);
            let from = random.below(machine.len() as u32) as usize;
            transition.preset.push(machine[from]);
            if !random.chance(lost) {
                let round = machine[(from + 1) % machine.len()];
                transition.postset.push(if random.chance(round_trips) { round } else { *random.of(&machine) });
            }
        }
        for &place in &free {
            match random.below(16) {
                0..=2 => transition.preset.push(place),
                3 | 4 => transition.postset.push(place),
                // Now and then without any machine.
                5 => (transition.preset, transition.postset) = (vec![place], vec![]),
                6..=8 => transition.context.push(place),
                _ => {}
            }
        }
        if random.chance(2 * reads) {
            transition.context.push(popular);
        }
        for machine in &others {
            if random.chance(reads) {
                transition.context.push(*random.of(machine));
            }
        }
        let Transition { preset, context, postset, .. } = &mut transition;
        context.retain(|place| !preset.contains(place) && !postset.contains(place));
        transition
    });
    let transitions = transitions.collect();
    Net::new(places, transitions).expect("each consumes something, and does not read it")
}

fn new_place(places: &mut Vec<Place>, marked: bool) -> PlaceId {
    let id = PlaceId(places.len() as u32);
    places.push(Place { name: format!("p{}", id.0), marked });
    id
}

#[test]
fn random_nets_are_small_and_of_all_kinds() {
    let mut kinds = [0; 8];
    for seed in 0..1000 {
        let net = net(seed);
        assert_eq!(net, self::net(seed), "the same seed makes the same net");
        assert!((3..=12).contains(&net.places().len()) && (3..=12).contains(&net.transitions().len()), "{seed}");
        let reached = net.reachable(4096).expect("it is safe").expect("it is small");
        let (fired, again) = fired(&net, &reached.markings);
        let fires = |count: &dyn Fn(PlaceId) -> usize, least| {
            (0..net.places().len() as u32).any(|p| count(PlaceId(p)) >= least)
        };
        let found = [
            fires(&|place| fired.iter().filter(|t| t.context.contains(&place)).count(), 2),
            fires(&|place| fired.iter().filter(|t| t.preset.contains(&place)).count(), 2),
            fired.iter().any(|t| t.context.len() > 1),
            fired.iter().any(|t| t.preset.iter().any(|place| fired.iter().any(|other| other.context.contains(place)))),
            again,
            !reached.deadlocks.is_empty(),
            reached.markings.len() > 10,
            fired.iter().any(|t| t.preset.iter().any(|place| t.postset.contains(place))),
        ];
        for (kind, found) in kinds.iter_mut().zip(found) {
            *kind += u32::from(found);
        }
    }
    // Several readers, conflicts, transitions that read several, consumers of what is read, cycles, deadlocks, many
    // markings, loops.
    assert!(kinds.iter().all(|&kind| kind >= 300), "{kinds:?}");
}

/// The transitions that fire somewhere, and whether one of them leads back to a marking found before.
fn fired<'a>(net: &'a Net, markings: &[por::nets::Marking]) -> (Vec<&'a Transition>, bool) {
    let mut fired = Vec::new();
    let mut back = false;
    for id in net.transition_ids() {
        let at = markings.iter().enumerate().filter(|(_, marking)| net.enables(marking, id));
        let mut fires = false;
        for (index, marking) in at {
            fires = true;
            let next = net.fire(marking, id).expect("the net is safe");
            back |= markings[..index].contains(&next);
        }
        if fires {
            fired.push(net.transition(id));
        }
    }
    (fired, back)
}
