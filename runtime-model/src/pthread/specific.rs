//! Thread-specific values for keys. What becomes of them at the end of a thread is up to the machine.
use crate::args::{Done, return_int, return_word, void, word};
use crate::table::Family;
use interp::fault::Kind;
use interp::hooks::{Call, Keys, LibraryContent, LibraryGlobal, ModelError, ModelResult, Outcome, Registered};
use interp::operation::{Operation, Ordering, RmwOp};

const FAMILY: Family = Family::of("thread-specific values");
const CREATE: &str =
    "destructors run in the order of keys, as in glibc; more than 128 keys in the course of a run are unknown";

/// `pthread_key_…` and what belongs to it.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.noted("pthread_key_create", CREATE, create),
    FAMILY.plain("pthread_key_delete", |c| delete(c).and_then(|()| return_int(0))),
    FAMILY.plain("pthread_getspecific", get),
    FAMILY.plain("pthread_setspecific", set),
    FAMILY.noted("tss_create", CREATE, create),
    FAMILY.plain("tss_delete", |c| delete(c).and_then(|()| void())),
    FAMILY.plain("tss_get", get),
    FAMILY.plain("tss_set", set),
];

/// The table of keys.
pub(crate) fn globals() -> Vec<LibraryGlobal> {
    let content = LibraryContent::Bytes(vec![0; Keys::BYTES as usize]);
    vec![LibraryGlobal { name: Keys::TABLE, content, constant: false }]
}

fn table(call: &dyn Call) -> u64 {
    call.global(Keys::TABLE).expect("the machine defines the library's variables")
}

fn create(call: &mut dyn Call) -> Done {
    // The order in which threads make keys decides their numbers.
    let operation = Operation::AtomicRmw {
        op: RmwOp::Add,
        address: table(call),
        size: 8,
        ordering: Ordering::SeqCst,
        unused: false,
        value: [1, 0],
        undefined: [0; 2],
    };
    let finish = |call: &mut dyn Call, outcome: Outcome| {
        let number = outcome.value[0];
        if number >= Keys::MOST {
            return Err(ModelError::Unknown(format!("more than {} keys of thread-specific values", Keys::MOST)));
        }
        let (key, destructor) = (word(call, 0)?, word(call, 1)?);
        let entry = table(call) + Keys::entry(number);
        call.store(entry + 8, 8, destructor)?;
        call.store(entry, 8, 1)?;
        call.store(key, 4, number)?;
        return_int(0)
    };
    Ok(ModelResult::Then { operation, finish })
}

/// The entry of a key that exists.
fn entry(call: &mut dyn Call, number: u64) -> Result<u64, ModelError> {
    let number = number & 0xffff_ffff;
    let entry = table(call) + Keys::entry(number);
    if number >= Keys::MOST || call.load(entry, 8)? == 0 {
        let message = format!("`{}` is given a key that does not exist", call.name());
        return Err(call.fault(Kind::Misuse, message));
    }
    Ok(entry)
}

fn delete(call: &mut dyn Call) -> Result<(), ModelError> {
    let number = word(call, 0)?;
    let entry = entry(call, number)?;
    call.store(entry, 8, 0)?;
    match call.store(entry + 8, 8, 0) {
        // It is allowed that threads end meanwhile, but whether they call the destructor is up to chance.
        Err(ModelError::Fault { kind: Kind::DataRace, .. }) => {
            let reason = format!("`{}` while other threads, which may end, know the key", call.name());
            Err(ModelError::Unknown(reason))
        }
        stored => stored,
    }
}

fn get(call: &mut dyn Call) -> Done {
    let number = word(call, 0)?;
    entry(call, number)?;
    let bytes = call.pointer_bytes();
    match call.specific_values(false)? {
        0 => return_word(0),
        values => return_word(call.load(values + number * bytes, bytes)?),
    }
}

fn set(call: &mut dyn Call) -> Done {
    let (number, value) = (word(call, 0)?, word(call, 1)?);
    entry(call, number)?;
    let bytes = call.pointer_bytes();
    let values = call.specific_values(true)?;
    call.store(values + number * bytes, bytes, value)?;
    return_int(0)
}
