//! Objects of many pages.
use super::*;

/// Objects of many pages, of which a few bytes are used: they hold what a map holds, whatever is undone.
#[test]
fn large_objects_hold_what_was_written() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let mut memory = memory();
        if seed % 2 == 0 {
            memory.race.fork(ThreadId(0), ThreadId(1));
            memory.race.enter(ThreadId(0));
        }
        let origin = &by(0);
        let objects: Vec<(u64, u64, Content)> = [
            (5000, Content::Zero),
            (20_000, Content::Unwritten),
            (3 << 20, Content::Unwritten),
            (1 << 28, Content::Zero),
        ]
        .into_iter()
        .map(|(size, content)| {
            let request = Request { kind: ObjectKind::Stack(FuncId(0), 0), content, ..heap(size) };
            (memory.allocate(origin, request).expect("fits"), size, content)
        })
        .collect();
        let mut known: BTreeMap<u64, Option<u8>> = BTreeMap::new();
        let mut marks = Vec::new();
        for _ in 0..600 {
            let (base, size, content) = random.pick(&objects);
            let offset = match random.below(3) {
                0 => random.below(200),
                1 => size - 200 + random.below(192),
                _ => random.below(size - 8),
            };
            match random.below(10) {
                0 if marks.len() < 5 => {
                    marks.push((known.clone(), memory.digest()));
                    memory.mark();
                }
                1 if !marks.is_empty() => {
                    memory.undo();
                    let (before, digest) = marks.pop().expect("it is not empty");
                    known = before;
                    assert_eq!(memory.digest(), digest);
                }
                2 if content == Content::Unwritten && random.below(4) == 0 => {
                    memory.lifetime_end(origin, base).expect("alive");
                    memory.lifetime_start(origin, base).expect("its address is still its own");
                    known.retain(|address, _| !(base..base + size).contains(address));
                }
                3 => {
                    let len = random.below((size - offset).min(9000));
                    memory.fill(origin, base + offset, 3, len).expect("in bounds");
                    known.extend((offset..offset + len).map(|at| (base + at, Some(3))));
                }
                4..7 => {
                    let value = if random.below(3) == 0 { 0 } else { random.number() };
                    memory.store(origin, base + offset, 8, value).expect("in bounds");
                    known.extend(
                        value.to_le_bytes().into_iter().zip(base + offset..).map(|(byte, at)| (at, Some(byte))),
                    );
                }
                _ => {
                    let fresh = (content == Content::Zero).then_some(0);
                    let bytes = (base + offset..base + offset + 8).map(|at| known.get(&at).copied().unwrap_or(fresh));
                    let bytes: Vec<Option<u8>> = bytes.collect();
                    let loaded = memory.load(origin, base + offset, 8).expect("in bounds");
                    for (index, byte) in bytes.into_iter().enumerate() {
                        assert_eq!(loaded.unwritten >> index & 1 != 0, byte.is_none());
                        assert_eq!((loaded.value >> (8 * index)) as u8, byte.unwrap_or(0));
                    }
                }
            }
        }
    }
}

/// What an object costs of which little is used does not depend on its size; and going back gives everything back.
#[test]
fn what_is_not_used_costs_nothing() {
    let mut memory = memory();
    let origin = &by(0);
    memory.mark();
    for size in [1 << 14, 1 << 26, 1 << 30, 1 << 40] {
        let block = memory.allocate(origin, heap(size)).expect("fits");
        for offset in [0, size / 2, size - 1] {
            memory.store(origin, block + offset, 1, 7).expect("in bounds");
        }
        assert!(memory.pages.list(&memory.objects[memory.space.object(block) as usize].contents).len() <= 3);
        assert_eq!(memory.load(origin, block + size / 2, 2), Ok(Loaded { value: 7, unwritten: 2 }));
        assert!(memory.load(origin, block + size, 1).is_err());
        memory.free(origin, block).expect("alive");
    }
    let held = memory.pages.held();
    memory.undo();
    assert!(memory.objects.len() == 1 && held == (0, 0) && memory.pages.held() == (0, 0));
    // An array of which half is used lies in one piece as long as it is.
    let block = memory.allocate(origin, heap(1 << 20)).expect("fits");
    memory.mark();
    memory.store(origin, block + 5, 1, 1).expect("in bounds");
    memory.mark();
    memory.fill(origin, block, 2, 1 << 19).expect("in bounds");
    assert_eq!(
        (memory.pages.held(), memory.load(origin, block + 5, 1)),
        ((0, 0), Ok(Loaded { value: 2, unwritten: 0 }))
    );
    memory.undo();
    assert_eq!(
        (memory.pages.held(), memory.load(origin, block + 5, 2)),
        ((1, 1), Ok(Loaded { value: 1, unwritten: 2 }))
    );
    memory.undo();
    assert_eq!(memory.pages.held(), (0, 0));
    // The same for what is first touched after a mark.
    let block = memory.allocate(origin, heap(1 << 40)).expect("fits");
    memory.store(origin, block, 1, 1).expect("in bounds");
    let held = memory.pages.held();
    memory.mark();
    memory.store(origin, block + (1 << 39), 1, 1).expect("in bounds");
    memory.mark();
    memory.store(origin, block + (1 << 39) + 1, 1, 1).expect("in bounds");
    memory.free(origin, block).expect("alive");
    memory.undo();
    assert_eq!(memory.load(origin, block + (1 << 39), 2), Ok(Loaded { value: 1, unwritten: 2 }));
    memory.undo();
    assert_eq!(memory.load(origin, block, 2), Ok(Loaded { value: 1, unwritten: 2 }));
    assert_eq!(memory.pages.held(), held);
}

/// What another thread may race with in a page that did not exist when the life of its variable began.
#[test]
fn the_beginning_of_a_large_variable_is_remembered() {
    for (size, touched) in [(100, false), (1 << 20, false), (1 << 20, true), ((1 << 20) + 7, false)] {
        let mut memory = memory();
        memory.race.fork(ThreadId(0), ThreadId(1));
        memory.race.enter(ThreadId(0));
        let local = memory.allocate(&by(0), variable(size)).expect("fits");
        if touched {
            memory.store(&by(0), local + size - 9, 1, 1).expect("in bounds");
        }
        memory.mark();
        memory.lifetime_end(&by(0), local).expect("alive");
        memory.lifetime_start(&by(0), local).expect("its address is still its own");
        memory.race.enter(ThreadId(1));
        for offset in [3, size / 2, size - 1] {
            let Err(AccessError::Race(race)) = memory.store(&by(1), local + offset, 1, 1) else { panic!("{size}") };
            assert_eq!((race.location.first, race.first.thread), (offset, ThreadId(0)));
        }
        memory.undo();
        memory.race.enter(ThreadId(1));
        memory.store(&by(1), local + size / 2, 1, 1).expect("nothing is written there yet");
        memory.race.enter(ThreadId(0));
        assert!(matches!(memory.lifetime_end(&by(0), local), Err(AccessError::Race(_))));
    }
}

/// What is known of pages from earlier looks at them gives the same as a look at everything.
#[test]
fn what_remains_is_known_from_before() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut memory = memory();
        let origin = &by(0);
        let sizes = [5, 8, 300, 5000, 20_000, 1 << 30];
        let mut blocks: Vec<(u64, u64)> = Vec::new();
        let mut marks: Vec<Vec<(u64, u64)>> = Vec::new();
        for _ in 0..300 {
            match random.below(9) {
                0 => {
                    marks.push(blocks.clone());
                    memory.mark();
                }
                1 if !marks.is_empty() => {
                    blocks = marks.pop().expect("not empty");
                    memory.undo();
                }
                2 | 3 => {
                    let size = random.pick(&sizes);
                    let request = if random.below(4) == 0 { variable(size) } else { heap(size) };
                    blocks.push((memory.allocate(origin, request).expect("fits"), size));
                }
                _ if !blocks.is_empty() => {
                    let (base, size) = random.pick(&blocks);
                    let (to, _) = random.pick(&blocks);
                    let near = random.pick(&[0, 60, 4090, 4096, size - 5]).saturating_sub(random.below(9));
                    let len = random.pick(&[1, 3, 5, 8]).min(size);
                    memory.store(origin, base + near.min(size - len), len, to).expect("in bounds");
                }
                _ => {}
            }
            let mut anew = memory.clone();
            anew.objects.iter_mut().for_each(|object| (0..5).for_each(|page| object.contents.forget_leads(page)));
            anew.objects.iter_mut().for_each(|object| object.contents.forget_leads(((1 << 30) - 8) / 4096));
            let roots = blocks.iter().take(1).map(|(base, _)| *base).collect::<Vec<u64>>();
            assert_eq!(memory.remaining_blocks(8, roots.clone()), anew.remaining_blocks(8, roots), "seed {seed}");
        }
    }
}

/// Numbers that lie in two pages, or end where a page does not exist, lead to blocks; those cut off by an end do not.
#[test]
fn pointers_lie_across_pages() {
    for (size, offset, len, leads) in [
        (20_000, 4093, 8, true),
        (20_000, 4091, 5, true), // the other three are zeros, in a page that does not exist
        (1 << 28, 4096 * 9 - 3, 8, true),
        (1 << 28, 4096 * 9 - 5, 5, true),
        (4096 + 8, 4096, 8, true),
        (4096 + 5, 4096, 5, false),
        (8192, 8187, 5, false),
        (5, 0, 5, false),
        (64 + 5, 64, 5, false),
    ] {
        let mut memory = memory();
        let origin = &by(0);
        let block = memory.allocate(origin, heap(3)).expect("fits");
        let zeros = Request { content: Content::Zero, ..variable(size) };
        let place = memory.allocate(origin, zeros).expect("fits");
        memory.store(origin, place + offset, len, block).expect("in bounds");
        for _ in 0..3 {
            let remaining = memory.remaining_blocks(8, Vec::new());
            assert_eq!(
                (remaining.reachable.len(), remaining.lost.len()),
                (usize::from(leads), usize::from(!leads)),
                "{size} {offset}"
            );
            memory.mark();
        }
    }
}

/// A page that holds again what it held when the object was made, and whose older contents are still to be restored.
#[test]
fn pages_that_are_as_at_first_are_not_lost() {
    for again in [false, true] {
        let mut memory = memory();
        let origin = &by(0);
        let base = memory.allocate(origin, Request { content: Content::Zero, ..heap(1 << 20) }).expect("fits");
        let load = |memory: &mut Memory, offset| memory.load(origin, base + offset, 8).expect("in bounds").value;
        memory.mark();
        memory.store(origin, base, 8, 1).expect("in bounds");
        memory.mark();
        memory.store(origin, base, 8, 0).expect("in bounds");
        memory.mark();
        for page in 1..20 {
            memory.store(origin, base + 4096 * page, 8, 2).expect("in bounds");
        }
        memory.undo();
        if again {
            memory.store(origin, base + 64, 8, 5).expect("in bounds");
        }
        assert_eq!([0, 64, 4096].map(|offset| load(&mut memory, offset)), [0, if again { 5 } else { 0 }, 0]);
        memory.undo();
        assert_eq!([0, 64, 4096].map(|offset| load(&mut memory, offset)), [1, 0, 0]);
        memory.undo();
        assert_eq!(load(&mut memory, 0), 0);
    }
}
