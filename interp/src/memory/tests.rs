//! Memory by itself: accesses, lives, addresses, undo.
mod large;

use super::object::CHUNK;
use super::*;
use frontend::ir::{DataModel, ResultType};
use random::Random;
use std::collections::BTreeMap;

/// A program without anything.
pub(crate) fn empty(data_model: DataModel) -> Module {
    Module {
        data_model,
        constants: Vec::new(),
        functions: Vec::new(),
        globals: Vec::new(),
        constructors: Vec::new(),
        destructors: Vec::new(),
        files: Vec::new(),
        locations: Vec::new(),
        volatile_is_atomic: false,
        release_sequences: Default::default(),
        names: Default::default(),
    }
}

fn memory() -> Memory {
    let mut memory = Memory::new(&empty(DataModel::Lp64), RaceModel::C11, Quarantine::long(DataModel::Lp64), 0);
    memory.race.start(ThreadId(0));
    memory
}

pub(crate) fn by(thread: u32) -> Origin {
    Origin { thread: ThreadId(thread), event: 0, stack: StackId::EMPTY, mode: Mode::Plain }
}

pub(crate) fn heap(size: u64) -> Request {
    Request { kind: ObjectKind::Heap, size, align: 1, content: Content::Unwritten }
}

fn variable(size: u64) -> Request {
    Request { kind: ObjectKind::Stack(FuncId(0), 0), ..heap(size) }
}

fn problem<T: std::fmt::Debug>(result: Result<T, AccessError>) -> Problem {
    match result {
        Err(AccessError::Memory(error)) => error.problem,
        other => panic!("a memory error expected, not {other:?}"),
    }
}

#[test]
fn values_come_back() {
    let mut memory = memory();
    let origin = &by(0);
    let block = memory.allocate(origin, heap(200)).expect("fits");
    for size in [1, 2, 4, 8] {
        for offset in 55..70 {
            let value = 0x1122_3344_5566_7788 & (u64::MAX >> (64 - 8 * size));
            memory.store(origin, block + offset, size, value).expect("in bounds");
            assert_eq!(memory.load(origin, block + offset, size), Ok(Loaded { value, unwritten: 0 }));
        }
    }
    assert!(memory.fast_store::<4>(block + 100, 0xdead_beef));
    assert_eq!(memory.fast_load::<4>(block + 100), Some(0xdead_beef));
    assert_eq!(memory.fast_load::<2>(block + 102), Some(0xdead));
    assert_eq!(memory.fast_load::<8>(block + 100), None, "half of it was never written");
    assert_eq!(memory.fast_load::<4>(block + 198), None, "out of bounds");
    assert!(!memory.fast_store::<4>(block + 198, 0), "out of bounds");
    assert_eq!(memory.fast_load::<8>(u64::MAX - 3), None, "beyond everything");
    assert!(!memory.fast_store::<8>(u64::MAX - 3, 0), "beyond everything");
}

#[test]
fn unwritten_bytes_are_known() {
    let mut memory = memory();
    let origin = &by(0);
    let from = memory.allocate(origin, heap(100)).expect("fits");
    let to = memory.allocate(origin, heap(100)).expect("fits");
    memory.store(origin, from + 62, 1, 7).expect("in bounds");
    memory.store(origin, from + 65, 1, 9).expect("in bounds");
    let loaded = memory.load(origin, from + 61, 8).expect("in bounds");
    assert_eq!(loaded, Loaded { value: 9 << 32 | 7 << 8, unwritten: 0b1110_1101 });
    memory.fill(origin, to, 1, 100).expect("in bounds");
    memory.store_partial(origin, to + 3, 8, loaded).expect("in bounds");
    assert_eq!(memory.load(origin, to + 3, 8), Ok(loaded));
    memory.fill(origin, to, 1, 100).expect("in bounds");
    memory.copy(origin, to + 10, from + 60, 10).expect("in bounds");
    let loaded = memory.load(origin, to + 9, 8).expect("in bounds");
    assert_eq!(loaded, Loaded { value: 9 << 48 | 7 << 24 | 1, unwritten: 0b1011_0110 });
    assert_eq!(memory.load_bytes(origin, to, 100, &mut Vec::new()), Ok(Some(10)));
}

#[test]
fn overlapping_copies() {
    let mut memory = memory();
    let origin = &by(0);
    let block = memory.allocate(origin, heap(300)).expect("fits");
    let bytes: Vec<u8> = (0..200).collect();
    memory.store_bytes(origin, block, &bytes).expect("in bounds");
    memory.copy(origin, block + 50, block, 200).expect("in bounds");
    let mut out = Vec::new();
    assert_eq!(memory.load_bytes(origin, block + 50, 200, &mut out), Ok(None));
    assert_eq!(out, bytes);
}

#[test]
fn strings() {
    let mut memory = memory();
    let origin = &by(0);
    let block = memory.allocate(origin, heap(130)).expect("fits");
    memory.fill(origin, block, b'a', 130).expect("in bounds");
    let mut out = Vec::new();
    assert_eq!(problem(memory.load_string(origin, block, &mut out)), Problem::OutOfBounds { offset: 130 });
    memory.store(origin, block + 100, 1, 0).expect("in bounds");
    out.clear();
    assert_eq!(memory.load_string(origin, block + 1, &mut out), Ok(None));
    assert_eq!(out, vec![b'a'; 99]);
    memory.store_unwritten(origin, block + 64, 1).expect("in bounds");
    out.clear();
    assert_eq!(memory.load_string(origin, block + 1, &mut out), Ok(Some(63)));
    assert_eq!(out.len(), 63);
}

#[test]
fn every_kind_of_error() {
    let mut memory = memory();
    let origin = &by(0);
    let block = memory.allocate(origin, heap(16)).expect("fits");
    let local = memory.allocate(origin, variable(4)).expect("fits");
    let global = Request { kind: ObjectKind::Global(GlobalId(0)), size: 8, align: 8, content: Content::Zero };
    let constant = memory.allocate(origin, global).expect("fits");
    memory.poke(constant, &[1, 2]);
    memory.protect(constant);
    assert_eq!(memory.load(origin, constant, 2), Ok(Loaded { value: 0x201, unwritten: 0 }));

    assert_eq!(problem(memory.load(origin, 0, 4)), Problem::Null);
    assert_eq!(problem(memory.load(origin, 16, 4)), Problem::Null);
    assert_eq!(problem(memory.load(origin, 0x7000_0000_0000, 4)), Problem::Unmapped);
    assert_eq!(problem(memory.load(origin, u64::MAX - 1, 4)), Problem::Unmapped);
    assert_eq!(problem(memory.load(origin, block + 13, 4)), Problem::OutOfBounds { offset: 13 });
    assert_eq!(problem(memory.store(origin, block + 16, 1, 0)), Problem::OutOfBounds { offset: 16 });
    assert_eq!(problem(memory.store(origin, block - 4, 4, 0)), Problem::OutOfBounds { offset: -4 });
    assert_eq!(problem(memory.store(origin, constant, 1, 0)), Problem::Constant);
    assert_eq!(problem(memory.store(origin, constant + 8, 1, 0)), Problem::OutOfBounds { offset: 8 });
    assert_eq!(problem(memory.free(origin, block + 8)), Problem::NotABlock { offset: 8 });
    assert_eq!(problem(memory.free(origin, local)), Problem::NotOnHeap);
    assert_eq!(problem(memory.free(origin, constant)), Problem::NotOnHeap);
    assert_eq!(problem(memory.free(origin, 8)), Problem::Null);
    assert_eq!(problem(memory.heap_size(local)), Problem::NotOnHeap);
    assert_eq!(memory.heap_size(block), Ok(16));
    assert_eq!(memory.check_alignment(Attempt::Read, block + 8, 8, 8), Ok(()));
    let misaligned = memory.check_alignment(Attempt::Read, block + 4, 8, 8);
    assert_eq!(problem(misaligned), Problem::Misaligned { align: 8 });
    memory.free(origin, block).expect("alive");
    assert_eq!(problem(memory.free(origin, block)), Problem::AfterFree);
    assert_eq!(problem(memory.load(origin, block, 1)), Problem::AfterFree);
    assert_eq!(problem(memory.copy(origin, local, block, 2)), Problem::AfterFree);
    memory.lifetime_end(origin, local).expect("alive");
    assert_eq!(problem(memory.load(origin, local, 1)), Problem::AfterScope);
    memory.lifetime_start(origin, local).expect("its address is still its own");
    memory.store(origin, local, 4, 1).expect("alive again");
    memory.end(origin, local).expect("alive");
    assert_eq!(problem(memory.load(origin, local, 1)), Problem::AfterReturn);
    assert!(matches!(memory.allocate(origin, heap(1 << 47)), Err(AccessError::Unknown(_))));
}

#[test]
fn errors_in_words() {
    let mut memory = memory();
    let module = empty(DataModel::Lp64);
    let frame = crate::verdict::fault::StackFrame { function: FuncId(0), location: frontend::ir::LocId(3) };
    let stack = memory.stacks.push(StackId::EMPTY, frame);
    let origin = &Origin { stack, ..by(0) };
    let block = memory.allocate(origin, heap(16)).expect("fits");
    let explain = |result: Result<(), AccessError>, memory: &Memory| match result {
        Err(AccessError::Memory(error)) => memory.explain(&module, &error),
        other => panic!("a memory error expected, not {other:?}"),
    };
    let result = memory.store(origin, block + 16, 4, 0);
    let (message, related) = explain(result, &memory);
    assert_eq!(
        message,
        "out of bounds: write of 4 bytes at offset 16 of a heap block of 16 bytes, 0 bytes past its end"
    );
    assert_eq!(related.len(), 1);
    assert_eq!(related[0].stack, vec![frame]);
    memory.free(origin, block).expect("alive");
    let result = memory.free(origin, block);
    let (message, related) = explain(result, &memory);
    assert_eq!(message, "double free of a heap block of 16 bytes");
    assert_eq!(related.len(), 2);
}

#[test]
fn code_has_addresses() {
    let function = |instructions| frontend::ir::Function {
        name: "f".to_string(),
        params: Vec::new(),
        result_slots: 0,
        variadic: false,
        frame_slots: 0,
        code: vec![frontend::ir::Inst::Nop; instructions],
        locations: Vec::new(),
        calls: Vec::new(),
        switches: Vec::new(),
        allocas: Vec::new(),
        unsupported: Vec::new(),
        blocks: Vec::new(),
        result: ResultType::Other,
        noreturn: false,
        weak: false,
        pointers_in_memory: false,
        location: frontend::ir::LocId(0),
    };
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let module = Module { functions: vec![function(0), function(40), function(3)], ..empty(model) };
        let mut memory = Memory::new(&module, RaceModel::C11, Quarantine::SHORT, 0);
        for (index, function) in module.functions.iter().enumerate() {
            let id = FuncId(index as u32);
            let address = memory.function_address(id);
            assert_eq!(memory.code_at(address), Some(CodeAddress::Function(id)));
            assert_eq!(problem(memory.load(&by(0), address, 1)), Problem::Code);
            for pc in 0..function.code.len() as u32 {
                let label = memory.label_address(id, Pc(pc));
                assert_eq!(memory.code_at(label), Some(CodeAddress::Label(id, Pc(pc))));
            }
        }
        assert_eq!(memory.code_at(memory.function_address(FuncId(2)) + 4), None);
        assert_eq!(memory.code_at(0), None);
    }
}

#[test]
fn a_long_run_leaves_no_trace() {
    let mut memory = memory();
    let origin = &by(0);
    memory.quarantine.blocks = 100;
    memory.race.fork(ThreadId(0), ThreadId(1));
    memory.race.enter(ThreadId(0));
    let old = memory.allocate(origin, heap(1000)).expect("fits");
    memory.mark();
    let run = |memory: &mut Memory, rounds: u64| {
        for i in 0..rounds {
            let block = memory.allocate(origin, heap(40)).expect("fits");
            memory.store(origin, block, 8, i).expect("in bounds");
            memory.store(origin, old + i % 992, 8, i).expect("in bounds");
            memory.free(origin, block).expect("alive");
            let local = memory.allocate(origin, variable(40)).expect("fits");
            memory.store(origin, local + 8, 8, i).expect("in bounds");
            memory.end(origin, local).expect("alive");
        }
    };
    run(&mut memory, 1000);
    let (log, objects) = (memory.log.len(), memory.objects.len());
    run(&mut memory, 100_000);
    assert_eq!((memory.log.len(), memory.objects.len()), (log, objects));
    assert!(memory.race.remembered() < 2000, "{} race records", memory.race.remembered());
    memory.undo();
    assert_eq!(memory.log.len(), 0);
    assert_eq!(memory.load(origin, old, 8).map(|loaded| loaded.unwritten), Ok(0xff));
}

#[test]
fn addresses_depend_on_the_own_history_only() {
    let run = |others: bool| {
        let mut memory = memory();
        memory.quarantine.blocks = 2;
        memory.race.fork(ThreadId(0), ThreadId(1));
        let mut own = Vec::new();
        for i in 0..20u64 {
            memory.race.enter(ThreadId(0));
            own.push(memory.allocate(&by(0), heap(i % 5 * 3)).expect("fits"));
            if i % 3 == 1 {
                memory.free(&by(0), own[own.len() - 2]).expect("alive");
            }
            if others {
                memory.race.enter(ThreadId(1));
                memory.allocate(&by(1), heap(i)).expect("fits");
                // Whether, when another thread frees our blocks does not matter to us.
                if i % 3 == 2 {
                    memory.race.join(ThreadId(1), ThreadId(0));
                    memory.free(&by(1), own[own.len() - 1]).expect("alive");
                }
            }
        }
        own
    };
    assert_eq!(run(true), run(false));
}

/// What the live objects hold.
type Model = BTreeMap<u64, Vec<Option<u8>>>;

/// What one random step does, as values that can be compared.
fn random_step(memory: &mut Memory, blocks: &mut Model, random: &mut Random) -> Vec<u64> {
    let origin = &by(0);
    let known: Vec<u64> = blocks.keys().copied().collect();
    if known.is_empty() || random.below(8) == 0 {
        let size = random.pick(&[0, 1, 4, 24, 64, 65, 200, 300]);
        let request = if random.below(2) == 0 { heap(size) } else { variable(size) };
        let address = memory.allocate(origin, request).expect("fits");
        assert_eq!(blocks.insert(address, vec![None; size as usize]), None, "addresses of live objects differ");
        return vec![address];
    }
    let address = random.pick(&known);
    let size = blocks[&address].len() as u64;
    if random.below(8) == 0 {
        blocks.remove(&address);
        match memory.object_at(address).expect("it is alive").kind {
            ObjectKind::Heap => memory.free(origin, address).expect("it is alive"),
            _ => memory.end(origin, address).expect("it is alive"),
        }
        assert!(memory.load(origin, address, 1).is_err());
        return vec![address];
    }
    let start = random.below(size + 2);
    let len = random.below(9);
    let fits = start + len <= size;
    let range = start as usize..(start + len) as usize;
    let model = blocks.get_mut(&address).expect("it is in the list");
    match random.below(4) {
        0 if len > 0 => {
            let loaded = memory.load(origin, address + start, len);
            assert_eq!(loaded.is_ok(), fits);
            if let Ok(loaded) = loaded {
                for (i, byte) in model[range].iter().enumerate() {
                    assert_eq!(loaded.unwritten >> i & 1 != 0, byte.is_none());
                    assert_eq!((loaded.value >> (8 * i)) as u8, byte.unwrap_or(0));
                }
                return vec![loaded.value, loaded.unwritten.into()];
            }
        }
        1 if len > 0 => {
            let value = random.number();
            let unwritten = random.number() as u8 & random.number() as u8;
            let stored = memory.store_partial(origin, address + start, len, Loaded { value, unwritten });
            assert_eq!(stored.is_ok(), fits);
            if fits {
                for (i, byte) in model[range].iter_mut().enumerate() {
                    *byte = (unwritten >> i & 1 == 0).then_some((value >> (8 * i)) as u8);
                }
            }
        }
        2 if len == 4 => {
            let value = random.number() as u32;
            let done = memory.fast_store::<4>(address + start, value.into());
            assert!(fits || !done);
            if fits {
                if !done {
                    memory.store(origin, address + start, 4, value.into()).expect("in bounds");
                }
                model[range].copy_from_slice(&value.to_le_bytes().map(Some));
            }
        }
        _ => {
            let other = random.pick(&known);
            let len = random.below(size.min(blocks[&other].len() as u64) + 1);
            let to = random.below(blocks[&other].len() as u64 - len + 1);
            let from = random.below(size - len + 1);
            memory.copy(origin, other + to, address + from, len).expect("in bounds");
            let bytes = blocks[&address][from as usize..(from + len) as usize].to_vec();
            blocks.get_mut(&other).expect("it is alive")[to as usize..(to + len) as usize].copy_from_slice(&bytes);
        }
    }
    vec![memory.digest() as u64]
}

fn compare(memory: &mut Memory, blocks: &Model) {
    for (&address, bytes) in blocks {
        let mut out = Vec::new();
        let gap = memory.load_bytes(&by(0), address, bytes.len() as u64, &mut out).expect("alive");
        assert_eq!(gap, bytes.iter().position(Option::is_none).map(|gap| gap as u64));
        assert_eq!(out, bytes.iter().map(|byte| byte.unwrap_or(0)).collect::<Vec<_>>());
    }
}

/// Random steps, marks and undos; whatever is undone must leave a memory that behaves as the clone made at the mark.
#[test]
fn undo_equals_cloning() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let mut memory = memory();
        memory.quarantine.blocks = random.below(4) as u32 + 1;
        if seed % 2 == 0 {
            memory.race.fork(ThreadId(0), ThreadId(1));
            memory.race.enter(ThreadId(0));
        }
        let mut blocks = BTreeMap::new();
        let mut marks: Vec<(Memory, Model)> = Vec::new();
        for _ in 0..400 {
            match random.below(12) {
                0 if marks.len() < 6 => {
                    marks.push((memory.clone(), blocks.clone()));
                    memory.mark();
                }
                1 if !marks.is_empty() => {
                    let (mut clone, model) = marks.pop().expect("not empty");
                    memory.undo();
                    blocks = model;
                    compare(&mut memory, &blocks);
                    assert_eq!(memory.digest(), clone.digest(), "seed {seed}");
                    // From here on, both do the same, addresses of reused memory included.
                    let mut again = Random(random.number());
                    let mut twin = Random(again.0);
                    let mut model = blocks.clone();
                    for _ in 0..20 {
                        let expected = random_step(&mut clone, &mut model, &mut twin);
                        assert_eq!(random_step(&mut memory, &mut blocks, &mut again), expected, "seed {seed}");
                    }
                }
                _ => {
                    random_step(&mut memory, &mut blocks, &mut random);
                }
            }
        }
        compare(&mut memory, &blocks);
    }
}

#[test]
fn granules_and_keys() {
    let mut memory = memory();
    let origin = &by(0);
    let block = memory.allocate(origin, heap(3 * CHUNK as u64)).expect("fits");
    memory.store(origin, block + 72, 8, 0x1234_5678_9abc_def0).expect("in bounds");
    assert_eq!(memory.granule(block + 72), 0x1234_5678_9abc_def0);
    assert_eq!(memory.granule(block + 76), 0x1234_5678_9abc_def0);
    assert_eq!(memory.granule(8), 0);
    assert_eq!(memory.peek(block + 70, 4), 0xdef0_0000);
    assert_eq!(memory.peek(block + 76, 8), 0x1234_5678);
    assert_eq!(memory.peek(block + 72, 8), 0x1234_5678_9abc_def0);
    assert_eq!(memory.peek(0, 8), 0);
    let key = memory.key_at(Role::Granule, block + 76).expect("alive");
    assert_eq!(key, memory.key_at(Role::Granule, block + 72).expect("alive"));
    let id = memory.ids.intern(key);
    assert_eq!(memory.ids.intern(key), id);
    assert_eq!(memory.ids.key(id), key);
    assert_ne!(memory.ids.intern(memory.key_at(Role::Mutex, block + 72).expect("alive")), id);
    memory.free(origin, block).expect("alive");
    assert_eq!(memory.key_at(Role::Granule, block + 72), None);
    assert_eq!(memory.granule(block + 72), 0);
}
