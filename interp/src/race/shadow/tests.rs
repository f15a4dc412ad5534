use super::*;
use random::Random;

/// Chunks by the definition: records in the order in which they were made.
#[derive(Clone, Default)]
struct Plain {
    chunks: [Vec<Record>; 3],
    /// Clock and event of each thread.
    times: [(u32, u32); 4],
}

fn find_plain(chunk: &[Record], new: &Record, known: &[u32]) -> Option<(RaceAccess, u64)> {
    let common = |old: &&Record| old.bytes & new.bytes != 0;
    let races = |old: &&Record| new.kind.conflicts(old.kind) && !old.ordered(new, known);
    chunk.iter().filter(common).find(races).map(|old| (old.access(), old.bytes & new.bytes))
}

fn add_plain(chunk: &mut Vec<Record>, new: Record, known: &[u32]) {
    let mut merged = false;
    let now = chunk.iter().rposition(|old| !old.same_time(&new)).map_or(0, |last| last + 1);
    for (position, old) in chunk.iter_mut().enumerate() {
        if position >= now && old.same_access(&new) {
            old.bytes |= new.bytes;
            merged = true;
        } else if new.kind.replaces(old.kind) && old.ordered(&new, known) {
            old.bytes &= !new.bytes;
        }
    }
    chunk.retain(|old| old.bytes != 0);
    if !merged {
        chunk.push(new);
    }
}

/// The records of a list, the oldest first.
fn listed(shadow: &Shadow, list: Records) -> Vec<(u64, RaceAccess, u32)> {
    let mut out = Vec::new();
    let mut at = list.0;
    while at != 0 {
        let record = &shadow.records[at as usize];
        assert_eq!(record.reach, record.bytes | shadow.records[record.next as usize].reach);
        out.push((record.bytes, record.access(), record.clock));
        at = record.next;
    }
    out.reverse();
    out
}

/// Random accesses, marks, returns and ends of chunks, compared with the definition after each step: what a race is
/// reported with depends on the records and on their order.
#[test]
fn lists_hold_what_the_definition_says() {
    let (mut partly, mut wholly) = (0, 0);
    for seed in 0..600 {
        let mut random = Random(seed);
        let mut shadow = Shadow::default();
        let mut lists = [Records::default(); 3];
        let mut plain = Plain::default();
        let mut marks: Vec<(usize, [Records; 3], Plain)> = Vec::new();
        for _ in 0..200 {
            let chunk = random.below(3) as usize;
            match random.below(30) {
                0..2 if marks.len() < 4 => marks.push((shadow.mark(), lists, plain.clone())),
                2..4 if !marks.is_empty() => {
                    let (len, before, then) = marks.pop().expect("not empty");
                    shadow.cut(len, marks.last().map(|mark| mark.0));
                    (lists, plain) = (before, then);
                }
                4 => {
                    shadow.discard(lists[chunk]);
                    lists[chunk] = Records::default();
                    plain.chunks[chunk].clear();
                }
                _ => {
                    let thread = random.below(4) as usize;
                    let (clock, event) = &mut plain.times[thread];
                    *clock += random.below(2) as u32;
                    *event += random.below(2) as u32;
                    let mode = [Mode::Plain, Mode::Atomic, Mode::Synchronising][random.below(3) as usize];
                    let write = random.below(2) == 0;
                    let stack = StackId(random.below(2) as u32);
                    let origin = Origin { thread: ThreadId(thread as u32), event: *event, stack, mode };
                    let few = 0xf << (4 * random.below(4)) | 1 << random.below(20);
                    let bytes = if random.below(6) == 0 { u64::MAX } else { few };
                    let new = Record::new(&origin, AccessKind::new(mode, write), *clock, bytes);
                    let known = plain.times.map(|(clock, _)| clock.saturating_sub(random.below(3) as u32));
                    let finding = shadow.find(lists[chunk], &new, &known);
                    let expected = find_plain(&plain.chunks[chunk], &new, &known);
                    assert_eq!(shadow.conflict(finding, &new), expected, "seed {seed}");
                    partly += u32::from(finding.changed != 0 && finding.partly);
                    wholly += u32::from(finding.changed != 0 && !finding.partly);
                    shadow.add(&mut lists[chunk], &new, finding, || &known);
                    add_plain(&mut plain.chunks[chunk], new, &known);
                }
            }
            for (list, chunk) in lists.iter().zip(&plain.chunks) {
                let expected: Vec<_> = chunk.iter().map(|old| (old.bytes, old.access(), old.clock)).collect();
                assert_eq!(listed(&shadow, *list), expected, "seed {seed}");
            }
        }
    }
    assert!(partly > 5000 && wholly > 1000, "{partly} and {wholly} changes are too few for a test");
}
