//! Certificates: writing one after a "safe", and checking one.
//!
//! The crate `certificate` walks through the states; here it is said which program, which settings and which machine
//! that is about. A certificate is made by a machine of its own that is told no more than the checker will be, so what
//! it comes to does not rest on what the engine has seen.
#![allow(clippy::result_large_err, reason = "a walk has one result, and takes far longer than to copy it")]
use super::findings::Shared;
use super::monitor::{self, Signals};
use super::progress::Progress;
use super::{Error, STACK_BYTES, describe, machine, start};
use crate::report::text::Detail;
use crate::report::{Reason, Violation, Written};
use crate::request::{Certify, Patience, Request, Rules};
use crate::units::{show_count, show_duration};
use certificate::{Certificate, Checked, Claim, Refused, States, Workers};
use frontend::ir::Module;
use interp::Machine;
use interp::fault::Fault;
use por::ThreadId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How often a walk starts again with what it has learned. (An exploration does so a few times.)
const MOST_STARTS: usize = 1_000;

/// Why there is no certificate of a program that is safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Missing {
    /// For this reason.
    Reason(String),
    /// The walk found something that contradicts the engine: a fault of ours.
    Contradiction(String),
}

/// Writes a certificate of the program of a machine that has just been found safe.
pub(super) fn write(plan: &Certify, request: &Request, found: &Machine, shared: &Shared) -> Result<Written, Missing> {
    let no = |reason: &str| Err(Missing::Reason(reason.to_owned()));
    if request.layouts > 1 {
        return no("a certificate is about one layout of memory; leave out --layouts");
    }
    if !shared.findings().suppressed.is_empty() {
        return no("bugs are suppressed, so the program is not simply safe; mend them first");
    }
    let go_on = |states| {
        shared.certified.store(states, Ordering::Relaxed);
        !shared.stop.load(Ordering::Relaxed)
    };
    let walk = |machine: &mut Machine| certificate::collect(machine, plan.most_states, counts, go_on);
    let certificate = make(request, found, walk).map_err(|(refused, machine)| match refused {
        Refused::TooMany(most) => {
            let most = show_count(most);
            Missing::Reason(format!("there are more than {most} states (--certify-states)"))
        }
        Refused::NoFingerprint => Missing::Reason(NO_FINGERPRINT.to_owned()),
        Refused::Stopped => Missing::Reason("a limit was reached, or it was interrupted".to_owned()),
        Refused::Restart => Missing::Reason("what is learned on the way does not settle".to_owned()),
        Refused::Unknown(reason) => Missing::Contradiction(reason),
        Refused::Wrong { fault, .. } => Missing::Contradiction(what_is_wrong(&machine, &fault)),
        other => Missing::Contradiction(other.to_string()),
    })?;
    // It is checked as it will be, with a machine that knows nothing of this one.
    match holds(&certificate, found, go_on, workers(request)) {
        Some(Refused::Stopped) => return no("a limit was reached, or it was interrupted"),
        Some(other) => return no(&format!("a second walk does not come to the same states: {other}")),
        None => {}
    }
    let content = certificate.write();
    let file = plan.file.display().to_string();
    match std::fs::write(&plan.file, &content) {
        Ok(()) => Ok(Written { file, states: certificate.states.len() as u64, bytes: content.len() as u64 }),
        Err(error) => Err(Missing::Reason(format!("{file}: cannot be written: {error}"))),
    }
}

/// Why a certificate would be refused, if it would.
fn holds(
    certificate: &Certificate,
    found: &Machine,
    go_on: impl Fn(u64) -> bool + Sync,
    workers: (Workers, bool),
) -> Option<Refused<Fault>> {
    let Ok(context) = postcard::from_bytes::<Context>(&certificate.claim.context) else {
        return Some(Refused::Senseless("the context".to_owned()));
    };
    let bare = match found.anew() {
        Ok(bare) => bare,
        Err(error) => return Some(Refused::Senseless(error.to_string())),
    };
    check_with(&bare, &context, &certificate.states, go_on, workers).err().map(|(refused, _)| refused)
}

/// The certificate of a program that a machine has explored: of the states that the walk finds with another one.
fn make(
    request: &Request,
    found: &Machine,
    walk: impl Fn(&mut Machine) -> Result<(States, Checked), Refused<Fault>>,
) -> Result<Certificate, (Refused<Fault>, Machine)> {
    // (What the engine has asked of its machine is not known to the checker.)
    let bare = found.anew().map_err(|error| (Refused::Senseless(error.to_string()), found.clone()))?;
    let with_facts = |machine: &mut Machine| {
        let facts = machine.facts();
        Ok((walk(machine)?.0, facts))
    };
    let ((states, facts), machine) = with_what_is_learned(&bare, &Context::of(found), with_facts)?;
    // (What the last walk has learned and did not have to know is not among what it was told.)
    let context = Context { facts, addresses: machine.given_out(), ..Context::of(&machine) };
    let claim = Claim {
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        code: hash(machine.module()),
        settings: settings(request),
        assumptions: assumptions(&machine),
        context: postcard::to_stdvec(&context).expect("plain data can be written"),
    };
    Ok(Certificate { claim, states })
}

/// What a certificate would be that takes no fault for one.
#[cfg(test)]
pub(crate) fn forge(request: &Request, module: Arc<Module>) -> Result<Certificate, String> {
    let machine = machine(request, module).map_err(|error| error.to_string())?;
    let walk = |machine: &mut Machine| certificate::collect(machine, 100_000, |_| false, |_| true);
    make(request, &machine, walk).map_err(|(refused, _)| refused.to_string())
}

const NO_FINGERPRINT: &str = "the program has states that cannot be told apart from others (it reads the clock, or too much depends \
                              on inputs)";

/// A machine that is about to start the program, as the checker of that certificate has one.
#[cfg(test)]
pub(crate) fn told(request: &Request, module: Arc<Module>, certificate: &Certificate) -> Machine {
    let context: Context = postcard::from_bytes(&certificate.claim.context).expect("it is right");
    context.prepare(&machine(request, module).expect("the program can be started")).expect("it is right")
}

/// Where the walk starts: what the machine is told before.
#[derive(Serialize, Deserialize)]
struct Context {
    /// Parent and place of threads 1, 2, …
    threads: Vec<(ThreadId, u32)>,
    /// What explorations have learned.
    facts: Vec<u8>,
    /// In which order address space was given out to threads. A walk in another order comes to the same addresses so.
    addresses: Vec<(u32, u32, u64)>,
}

impl Context {
    /// With all that a machine has learned by now.
    fn of(machine: &Machine) -> Self {
        Context { threads: machine.all_thread_numbers(), facts: machine.facts(), addresses: Vec::new() }
    }

    /// A machine that is told so, of one that knows nothing.
    fn prepare(&self, bare: &Machine) -> Result<Machine, String> {
        let mut machine = bare.anew().map_err(|error| error.to_string())?;
        machine.number_threads(&self.threads);
        machine.learn_facts(&self.facts)?;
        machine.give_out(&self.addresses)?;
        Ok(machine)
    }
}

/// What came of checking a certificate.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Conclusion {
    /// It holds, and rests on these assumptions.
    Holds(Checked, Vec<String>),
    /// It does not.
    Refused(String),
    /// That was not found out.
    Unknown(Reason),
}

/// Checks a certificate of that program. `started` is when this program began.
pub(crate) fn check(
    request: &Request,
    module: Arc<Module>,
    certificate: Certificate,
    started: Instant,
    signals: &Signals,
) -> Result<Conclusion, Error> {
    let Certificate { claim, states } = certificate;
    let bare = machine(request, module)?;
    if let Some(reason) = differs(&claim, request, bare.module()) {
        return Ok(Conclusion::Refused(reason));
    }
    let Ok(context) = postcard::from_bytes::<Context>(&claim.context) else {
        return Ok(Conclusion::Refused("what it says of the machine makes no sense".to_owned()));
    };
    let (stop, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (theirs, counter, named) = (Arc::clone(&stop), Arc::clone(&done), claim.assumptions);
    let workers = workers(request);
    let receiver = start(move || {
        let go_on = |states| {
            counter.store(states, Ordering::Relaxed);
            !theirs.load(Ordering::Relaxed)
        };
        conclude(check_with(&bare, &context, &states, go_on, workers), &named)
    });
    let receiver = receiver.map_err(|error| Error::System("cannot start a thread", error))?;
    let mut progress = Progress::new(request.output.detail == Detail::Brief);
    let ended = monitor::wait(
        &request.limits,
        started,
        signals,
        &receiver,
        &stop,
        |_| false,
        || {
            progress.show(|elapsed| line(done.load(Ordering::Relaxed), elapsed));
        },
    );
    progress.finish();
    Ok(match (ended.result, ended.reason) {
        (Some(Conclusion::Unknown(_)) | None, Some(reason)) => Conclusion::Unknown(reason),
        (Some(conclusion), _) => conclusion,
        (None, None) => Conclusion::Unknown(Reason::Internal("the check ended without a result".to_owned())),
    })
}

/// How many states each worker has at least: with fewer it is not worth while.
const PORTION: u32 = 2_000;

/// The workers that check a certificate, and whether their word is final (`--debug-jobs`, for finding mistakes of
/// ours).
fn workers(request: &Request) -> (Workers, bool) {
    let crate::request::Workers { most, patience, .. } = request.workers;
    let is_final = patience == Patience::None;
    (Workers { most, portion: if is_final { 1 } else { PORTION }, stack: STACK_BYTES }, is_final)
}

/// Checks a list of states with a machine that is told that. What several workers refuse is checked again by one, which
/// then says what is wrong, or that nothing is.
fn check_with(
    bare: &Machine,
    context: &Context,
    states: &States,
    go_on: impl Fn(u64) -> bool + Sync,
    workers: (Workers, bool),
) -> Walked<Checked> {
    let (workers, is_final) = workers;
    let check = |workers| {
        with_what_is_learned(bare, context, |machine| certificate::check(machine, states, counts, &go_on, workers))
    };
    match check(workers) {
        Err((refused, _)) if workers.most > 1 && !is_final && refused != Refused::Stopped => check(Workers::ONE),
        walked => walked,
    }
}

/// Why several workers refuse a certificate, without asking one.
#[cfg(test)]
pub(crate) fn refused_by(
    request: &Request,
    module: Arc<Module>,
    certificate: &Certificate,
    workers: Workers,
) -> Option<String> {
    let bare = machine(request, module).expect("the program can be started");
    let context: Context = postcard::from_bytes(&certificate.claim.context).expect("it is right");
    let check = |machine: &mut Machine| certificate::check(machine, &certificate.states, counts, |_| true, workers);
    match conclude(with_what_is_learned(&bare, &context, check), &certificate.claim.assumptions) {
        Conclusion::Holds(..) => None,
        Conclusion::Refused(reason) => Some(reason),
        Conclusion::Unknown(reason) => panic!("{reason}"),
    }
}

type Walked<T> = Result<(T, Machine), (Refused<Fault>, Machine)>;

fn conclude(walked: Walked<Checked>, named: &[String]) -> Conclusion {
    let (refused, machine) = match walked {
        Ok((checked, machine)) => {
            let assumptions = assumptions(&machine);
            return match assumptions == named {
                true => Conclusion::Holds(checked, assumptions),
                false => {
                    let (ours, theirs) = (assumptions.join(", "), named.join(", "));
                    Conclusion::Refused(format!(
                        "the program rests on the assumptions `{ours}`, and it names `{theirs}`"
                    ))
                }
            };
        }
        Err(refused) => refused,
    };
    Conclusion::Refused(match refused {
        Refused::Stopped => return Conclusion::Unknown(Reason::Interrupted),
        Refused::Wrong { fault, schedule } => {
            format!("the program is wrong, after {} actions: {}", schedule.len(), what_is_wrong(&machine, &fault))
        }
        Refused::Unknown(reason) => format!("the program is not known to be safe: {reason}"),
        Refused::NoFingerprint => NO_FINGERPRINT.to_owned(),
        other => other.to_string(),
    })
}

/// Walks with a machine that is told where an exploration starts, and again with what that has learned.
fn with_what_is_learned<T>(
    bare: &Machine,
    context: &Context,
    walk: impl Fn(&mut Machine) -> Result<T, Refused<Fault>>,
) -> Walked<T> {
    let fresh = || match context.prepare(bare) {
        Ok(machine) => Ok(machine),
        Err(reason) => Err((Refused::Senseless(reason), bare.clone())),
    };
    let mut machine = fresh()?;
    for _ in 0..MOST_STARTS {
        match walk(&mut machine) {
            Ok(result) => return Ok((result, machine)),
            Err(Refused::Restart) => {
                let mut next = fresh()?;
                next.learn_from(&machine);
                machine = next;
            }
            Err(refused) => return Err((refused, machine)),
        }
    }
    Err((Refused::Restart, machine))
}

/// What happens after the end of the process happens to no thread.
fn counts(fault: &Fault) -> bool {
    !fault.after_end
}

fn assumptions(machine: &Machine) -> Vec<String> {
    let mut all: Vec<String> = machine.assumptions().map(|assumption| assumption.name().to_owned()).collect();
    all.sort();
    all
}

fn hash(module: &Module) -> [u8; 32] {
    Sha256::digest(module.to_string().as_bytes()).into()
}

/// A fault of a machine that stands where it was found.
fn what_is_wrong(machine: &Machine, fault: &Fault) -> String {
    let Violation { kind, message, place, .. } = describe::violation(machine, fault);
    let place = place.map(|place| format!(", at {place}")).unwrap_or_default();
    format!("{message}{place} ({})", kind.name())
}

/// Where checking or writing a certificate is.
pub(super) fn line(states: u64, elapsed: std::time::Duration) -> String {
    let rate = (states as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    format!("certificate: {} states, {}/s, {}", show_count(states), show_count(rate), show_duration(elapsed))
}

/// What the certificate claims that was not asked for.
fn differs(claim: &Claim, request: &Request, module: &Module) -> Option<String> {
    if claim.code != hash(module) {
        return Some("it is about another program, or one that has changed since".to_owned());
    }
    let asked = settings(request);
    let other = asked.iter().zip(&claim.settings).find(|(ours, theirs)| ours != theirs);
    match other {
        Some(((name, ours), (_, theirs))) => {
            Some(format!("it was made with other options: {name} is {theirs} there, and {ours} here"))
        }
        None if asked.len() != claim.settings.len() => Some("it was made with other options".to_owned()),
        None => None,
    }
}

/// The settings that change what the program means, or what is wrong with it. (How it is compiled is part of its code.)
fn settings(request: &Request) -> Vec<(String, String)> {
    // All fields are named, so that none can be forgotten.
    let interp::Options {
        race_model,
        checks,
        leaks,
        interference,
        max_steps,
        nondet,
        symbolic,
        uninitialised,
        spurious_wakeups,
        reuse,
        entry,
        arguments,
        open,
        environment,
        files,
        quarantine,
        layout,
        // What becomes of the output changes nothing.
        output: _,
        coverage: _,
        footprints,
        // These are for other engines; the walk has all threads run, and all actions in order.
        awaits: _,
        commuting_updates: _,
        same_values: _,
        sections: _,
        merge_ends: _,
        symmetry: _,
    } = &request.machine;
    let rules = match &request.rules {
        Rules::Usual => "usual".to_owned(),
        Rules::Competition(forbidden) => format!("{forbidden:?}"),
    };
    let checks: Vec<&str> = checks.iter().map(|kind| kind.name()).collect();
    let hash = |content: &[u8]| Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let files: Vec<String> = files.iter().map(|(name, content)| format!("{name} {}", hash(content))).collect();
    let all = [
        ("rules", rules),
        ("check", checks.join(",")),
        ("race-model", format!("{race_model:?}")),
        ("leaks", format!("{leaks:?}")),
        ("interference", format!("{interference:?}")),
        ("max-steps", max_steps.to_string()),
        ("nondet", nondet.to_string()),
        ("symbolic", symbolic.is_some().to_string()),
        ("uninitialised", format!("{uninitialised:?}")),
        ("spurious-wakeups", spurious_wakeups.to_string()),
        ("reuse", format!("{reuse:?}")),
        ("footprints", footprints.to_string()),
        ("entry", entry.clone()),
        ("arguments", format!("{arguments:?}")),
        ("open inputs", format!("{open:?}")),
        ("environment", format!("{environment:?}")),
        ("files", files.join(", ")),
        ("quarantine", format!("{quarantine:?}")),
        ("layout", layout.to_string()),
    ];
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
