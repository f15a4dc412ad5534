//! The unfolder of contextual nets, against definitions and brute force.
mod definition;

use definition::Definition;
use por::Order;
use por::nets::{Net, Place, PlaceId, Transition, UnfoldOptions, unfold};

fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

fn net(seed: u64) -> Option<Net> {
    let mut state = seed;
    let mut places = Vec::new();
    let machines: Vec<Vec<PlaceId>> = (0..2 + random(&mut state, 3))
        .map(|m| {
            (0..2 + random(&mut state, 3))
                .map(|p| {
                    places.push(Place { name: format!("m{m}p{p}"), marked: p == 0 });
                    PlaceId(places.len() as u32 - 1)
                })
                .collect()
        })
        .collect();
    let all = places.len() as u64;
    let mut transitions = Vec::new();
    for t in 0..2 + random(&mut state, 8) {
        let (mut preset, mut postset, mut context) = (vec![], vec![], vec![]);
        for machine in &machines {
            if preset.is_empty() && random(&mut state, 2) == 0 || random(&mut state, 5) == 0 {
                preset.push(machine[random(&mut state, machine.len() as u64) as usize]);
                postset.push(machine[random(&mut state, machine.len() as u64) as usize]);
            }
        }
        if preset.is_empty() {
            continue;
        }
        for _ in 0..random(&mut state, 4) {
            let place = PlaceId(random(&mut state, all) as u32);
            if !preset.contains(&place) && !postset.contains(&place) {
                context.push(place);
            }
        }
        transitions.push(Transition { name: format!("t{t}"), preset, context, postset });
    }
    Net::new(places, transitions).ok()
}

fn compare(net: &Net, order: Order) -> Option<usize> {
    let mut definition = Definition::of(net, order, 3000)?;
    let reachable = net.reachable(100_000).ok()??;
    let options = UnfoldOptions { order, ..UnfoldOptions::default() };
    let (prefix, _) = unfold(net, options, &mut |_| true).expect("the net is 1-safe");
    let ours = definition.translate(&prefix);
    for (history, cutoff) in &ours {
        assert_eq!(definition.histories.get(history), Some(cutoff), "too much: {}\n{net:?}", definition.show(history));
    }
    for (history, cutoff) in &definition.histories {
        assert_eq!(ours.get(history), Some(cutoff), "missing: {}\n{net:?}", definition.show(history));
    }
    assert_eq!(definition.markings, reachable.markings.into_iter().collect());
    Some(ours.len())
}

#[test]
fn random_nets() {
    let (mut done, mut histories) = (0, 0);
    for seed in 0..std::env::var("NETS").map_or(3000, |n| n.parse().unwrap()) {
        let Some(net) = net(seed) else { continue };
        for order in [Order::Size, Order::Erv] {
            println!("seed {seed} {order:?}");
            if let Some(size) = compare(&net, order) {
                done += 1;
                histories += size;
            }
        }
    }
    println!("{done} {histories}");
}
