//! The report for people: the verdict first, then what is needed to believe it, then how to go on.
use super::excerpt::{self, Mark, shorten_place};
use super::printable::{printable, printable_lines};
use super::style::{Role, Style};
use super::{Frame, Profile, Report, Sampling, Statistics, Verdict, Violation, Written, schedule};
use crate::units::{show_bytes, show_count};
use interp::fault::Kind;

/// How many objects are named because of which something was explored.
const ORDERS: usize = 10;

/// How much detail the text gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// One line for each result.
    Brief,
    /// What users usually want to know.
    Normal,
    /// Everything.
    Full,
}

/// Writes the report.
pub(crate) fn write(report: &Report, style: Style, detail: Detail) -> String {
    let verdict = match report.verdict {
        Verdict::Safe => Some((Role::Good, "safe", safe(report))),
        Verdict::Unknown => Some((Role::Unclear, "unknown", reasons(report))),
        Verdict::Unsafe => None,
    };
    if detail == Detail::Brief {
        let bugs = report.violations.iter().map(|violation| bug_line(violation, style));
        let rest = verdict.map(|(role, word, text)| format!("{}: {text}\n", style.paint(role, word)));
        return bugs.chain(rest).collect();
    }
    let mut out = report.violations.iter().map(|v| bug(v, style, detail)).collect::<Vec<_>>().join("\n");
    if let Some((role, word, text)) = verdict {
        out += &headline(style, role, word, &text);
    }
    if report.verdict == Verdict::Safe && !report.assumptions.is_empty() {
        out += &style.wrap("assuming: ", &report.assumptions.join(", "));
    }
    for suppressed in report.suppressed.iter() {
        let place = suppressed.place.as_ref().map(|place| format!(", at {}", shorten_place(place))).unwrap_or_default();
        out += &style.wrap("suppressed: ", &format!("{}{place} ({})", suppressed.message, suppressed.reason));
    }
    out += &so_far(report).iter().map(|line| style.wrap("so far: ", line)).collect::<String>();
    if report.is_accepted {
        out += &style.wrap("accepted: ", "limits are the only reasons, and --accept asks for no more than that");
    }
    if let Some(code) = &report.code {
        out += &style.wrap("code: ", &code.sentence());
    }
    if report.verdict != Verdict::Safe {
        out.push('\n');
    }
    let engine = report.answered.as_ref().filter(|answered| !answered.is_usual);
    let engine = engine.map(|answered| format!("engine {}", answered.engine));
    let workers = report.answered.as_ref().map(|answered| answered.workers).filter(|&workers| workers > 1);
    let jobs = workers.map(|workers| counted(workers as u64, "job"));
    let counts = statistics(&report.statistics).into_iter().chain(engine).chain(jobs).collect::<Vec<_>>();
    out += &style.wrap("", &counts.join(", "));
    match &report.certificate {
        Some(Ok(Written { file, states, bytes })) => {
            let states = counted(*states, "state");
            out += &style.wrap("certificate: ", &format!("{file} ({states}, {})", show_bytes(*bytes)));
        }
        Some(Err(reason)) => out += &style.wrap("no certificate: ", &printable(reason)),
        None => {}
    }
    for hint in hints(report, detail) {
        out += &style.wrap("hint: ", &hint);
    }
    out += &report.profile.as_ref().map(|profile| table(profile, style)).unwrap_or_default();
    out
}

/// What is known where there is no verdict.
pub(crate) fn so_far(report: &Report) -> Vec<String> {
    if report.verdict != Verdict::Unknown {
        return Vec::new();
    }
    let explored = (report.statistics.explored > 0).then(|| {
        let explored = counted(report.statistics.explored.into(), "action");
        format!("whatever takes up to {explored} of several threads was explored")
    });
    explored.into_iter().chain(report.sampling.iter().flat_map(sampled)).collect()
}

/// What samples say of what was not explored.
fn sampled(sampling: &Sampling) -> Vec<String> {
    let mut said = Vec::new();
    match sampling.preemptions {
        Some(0) => said.push("all schedules without preemptions were taken".to_owned()),
        Some(most) => {
            said.push(format!("all schedules with at most {} were taken", counted(most.into(), "preemption")))
        }
        None => {}
    }
    let odds = sampling.unseen.map(|odds| match odds {
        odds if odds < 0.005 => ", and hardly any that is new is to be expected from more".to_owned(),
        odds => format!(", and one more would be a new one with odds of about {:.0} %", 100.0 * odds),
    });
    let (samples, classes) = (counted(sampling.samples, "sample"), show_count(sampling.classes));
    let what = if sampling.samples == 1 { "was" } else { "were" };
    said.push(format!("{samples} of schedules {what} taken, of {classes} different ones{}", odds.unwrap_or_default()));
    said
}

fn headline(style: Style, role: Role, word: &str, text: &str) -> String {
    style.wrap(&format!("{}: ", style.paint(role, word)), text)
}

fn safe(report: &Report) -> String {
    let statistics = &report.statistics;
    let pruned = match statistics.pruned {
        0 => String::new(),
        n => format!(" ({} more do not count: an assumption fails, or a wait is in vain)", show_count(n)),
    };
    let suppressed = match report.suppressed.len() {
        0 => String::new(),
        n => format!(", {} suppressed", counted(n as u64, "bug")),
    };
    let narrowed = report.narrowed.as_ref().map(|narrowed| format!("; {}", narrowed.text())).unwrap_or_default();
    if statistics.states > 0 {
        let states = show_count(statistics.states);
        return format!("all {states} states were visited{pruned}{suppressed}{narrowed}");
    }
    match statistics.executions {
        0 if statistics.pruned > 0 => {
            let all = match statistics.pruned {
                1 => "the only execution does not count".to_owned(),
                n => format!("none of {} counts", executions(n, 0)),
            };
            format!("{all}: an assumption fails, or a wait is in vain{suppressed}{narrowed}")
        }
        1 => format!("the only execution was explored{pruned}{suppressed}{narrowed}"),
        n => format!("all {} were explored{pruned}{suppressed}{narrowed}", executions(n, statistics.paths)),
    }
}

/// How many executions there are, and of how many paths, if that is counted.
pub(crate) fn executions(executions: u64, paths: u64) -> String {
    match paths {
        0 => counted(executions, "execution"),
        paths => format!("{} of {}", counted(executions, "execution"), counted(paths, "path")),
    }
}

/// The verdict in one line, without the bugs.
pub(crate) fn verdict(report: &Report) -> String {
    match report.verdict {
        Verdict::Safe => format!("safe: {}", safe(report)),
        Verdict::Unknown => format!("unknown: {}", reasons(report)),
        Verdict::Unsafe => format!("unsafe: {}", counted(report.violations.len() as u64, "bug")),
    }
}

/// The first reason, and that there are more.
fn reasons(report: &Report) -> String {
    let first = report.reasons.first().map(ToString::to_string).unwrap_or_default();
    match report.reasons.len() {
        0 | 1 => first,
        2 => format!("{first} (and 1 further reason)"),
        n => format!("{first} (and {} further reasons)", n - 1),
    }
}

fn bug_line(violation: &Violation, style: Style) -> String {
    let place = violation.place.as_ref().map(|place| format!("{}: ", shorten_place(place))).unwrap_or_default();
    format!("{place}{}: {}\n", style.paint(Role::Bad, "bug"), title(violation))
}

fn bug(violation: &Violation, style: Style, detail: Detail) -> String {
    let mut out = headline(style, Role::Bad, "bug", &title(violation));
    out += &excerpt::render(&marks(violation), style);
    for related in violation.related.iter().filter(|related| related.place.is_none()) {
        out += &style.wrap("  = ", &related.message);
    }
    let stacks = stacks(violation, style, detail);
    out += if stacks.is_empty() { "" } else { "\n" };
    out += &stacks;
    out += &format!("\n{}\n", style.paint(Role::Strong, "The schedule that leads there:"));
    out += &schedule::render(violation, style);
    if let Some(given) = &violation.given {
        let lines = given.lines();
        if !lines.is_empty() {
            out += &format!("\n{}\n", style.paint(Role::Strong, "What the program is given:"));
            out += &lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
        }
        // In one piece, to be copied.
        out += &given.command().map(|line| format!("  in a shell: {line}\n")).unwrap_or_default();
    }
    if let Some(output) = violation.output.as_ref().filter(|output| !output.is_empty()) {
        out += &format!("\n{}\n", style.paint(Role::Strong, "What the program printed:"));
        // No line of it begins a line of the report.
        out += &printable_lines(output).lines().map(|line| format!("| {line}\n")).collect::<String>();
    }
    if let Some(replay) = &violation.replay {
        // In one piece, to be copied.
        out += &format!("\nto see it again: {}\n", style.paint(Role::Strong, replay));
    }
    out
}

/// What is wrong, in one sentence that names the kind of bug.
pub(crate) fn title(violation: &Violation) -> String {
    match violation.kind {
        Kind::Deadlock if !violation.message.starts_with("deadlock") => format!("deadlock: {}", violation.message),
        _ => violation.message.clone(),
    }
}

/// The main place, then the related ones that are elsewhere.
fn marks(violation: &Violation) -> Vec<Mark<'_>> {
    let Some(place) = &violation.place else { return Vec::new() };
    let own = violation
        .related
        .iter()
        .find(|related| related.place.as_ref() == Some(place) && related.thread.as_ref() == Some(&violation.thread));
    let label = own.map_or(violation.thread.name.as_str(), |related| related.message.as_str());
    let mut marks = vec![Mark { place, label, thread: Some(&violation.thread) }];
    for related in &violation.related {
        if let Some(place) = &related.place
            && own.is_none_or(|own| !std::ptr::eq(own, related))
        {
            marks.push(Mark { place, label: &related.message, thread: related.thread.as_ref() });
        }
    }
    marks
}

/// The call stacks: of the thread at fault, of what is related to it, and of all others if everything is wanted.
fn stacks(violation: &Violation, style: Style, detail: Detail) -> String {
    let mut all: Vec<(&str, &[Frame])> = Vec::new();
    all.extend(violation.stacks.first().map(|own| (own.thread.name.as_str(), own.frames.as_slice())));
    for related in &violation.related {
        match (violation.kind, &related.thread) {
            // What each thread waits for has been said.
            (Kind::Deadlock, Some(thread)) if *thread != violation.thread => all.push((&thread.name, &related.frames)),
            (Kind::Deadlock, _) => {}
            _ => all.push((&related.message, &related.frames)),
        }
    }
    if detail == Detail::Full && violation.kind != Kind::Deadlock {
        let others = violation.stacks.iter().skip(1);
        all.extend(others.map(|other| (other.thread.name.as_str(), other.frames.as_slice())));
    }
    // A function that was not called by another one is seen in the excerpt.
    let shown = |frames: &[Frame]| match (frames, &violation.place) {
        ([only], Some(_)) => only.place.is_some() && detail != Detail::Full,
        _ => frames.is_empty(),
    };
    all.retain(|(_, frames)| !shown(frames));
    let mut out = String::new();
    for (heading, frames) in all {
        let heading = style.paint(Role::Strong, &format!("{heading}:"));
        if let [only] = frames {
            out += &style.wrap(&format!("{heading} "), &format!("in {}", place_of(only, style)));
            continue;
        }
        out += &format!("{heading}\n");
        for (i, frame) in frames.iter().enumerate() {
            let call = if i == 0 { "in" } else { "called by" };
            out += &style.wrap(&format!("  {call} "), &place_of(frame, style));
        }
    }
    out
}

fn place_of(frame: &Frame, style: Style) -> String {
    match &frame.place {
        Some(place) => {
            format!("{} {}", frame.function, style.paint(Role::Faint, &format!("at {}", shorten_place(place))))
        }
        None => frame.function.clone(),
    }
}

/// The counters that say something, in words.
pub(crate) fn statistics(statistics: &Statistics) -> Vec<String> {
    let mut parts = vec![executions(statistics.executions, statistics.paths)];
    for (count, what) in [(statistics.blocked, "blocked"), (statistics.pruned, "pruned")] {
        if count != 0 {
            parts.push(format!("{} {what}", show_count(count)));
        }
    }
    if statistics.states > 0 {
        parts.push(counted(statistics.states, "state"));
    }
    if statistics.decisions > 0 {
        parts.push(counted(statistics.decisions, "decision"));
    }
    parts.push(counted(statistics.events, "event"));
    parts.push(counted(u64::from(statistics.threads), "thread"));
    parts.push(counted(statistics.instructions, "instruction"));
    parts.push(format!("{:.2} s", statistics.seconds));
    parts.push(show_bytes(statistics.peak_memory_bytes));
    parts
}

/// What took how long, and how often the engine did what.
fn table(profile: &Profile, style: Style) -> String {
    let all: f64 = profile.time.iter().map(|(_, seconds)| seconds).sum();
    let line = |name: &str, value: String| format!("  {:<24}{value:>16}\n", name.replace('_', " "));
    let heading = |text| format!("\n{}\n", style.paint(Role::Strong, text));
    let times = profile.time.iter().map(|(name, seconds)| {
        let share = 100.0 * seconds / all.max(1e-9);
        line(name, format!("{seconds:.3} s {share:>3.0} %"))
    });
    let counts = profile.engine.iter().map(|&(name, count)| match name.ends_with("_bytes") {
        true => line(name.trim_end_matches("_bytes"), show_bytes(count)),
        false => line(name, show_count(count)),
    });
    let mut table = heading("Where the time went:") + &times.collect::<String>();
    table += &heading("What the engine did:");
    table.extend(counts);
    if !profile.orders.is_empty() {
        table += &heading("Whose actions were put into another order, and how often:");
        table += &orders(profile);
    }
    table
}

/// The objects because of which most was explored.
fn orders(profile: &Profile) -> String {
    let all: u64 = profile.orders.iter().map(|(_, count)| count).sum();
    let (first, rest) = profile.orders.split_at(profile.orders.len().min(ORDERS));
    let line = |name: &str, count: u64| {
        let share = 100.0 * count as f64 / all.max(1) as f64;
        format!("  {:>12} {share:>3.0} %  {}\n", show_count(count), printable(name))
    };
    let mut lines: String = first.iter().map(|(name, count)| line(name, *count)).collect();
    if !rest.is_empty() {
        let name = counted(rest.len() as u64, "other object");
        lines += &line(&name, rest.iter().map(|(_, count)| count).sum());
    }
    lines
}

/// A number with what it counts.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", show_count(count), if count == 1 { "" } else { "s" })
}

/// What the user can do now.
pub(crate) fn hints(report: &Report, detail: Detail) -> Vec<String> {
    let mut hints = Vec::new();
    if let Some(file) = &report.checkpoint {
        hints.push(format!("the same with --resume goes on from {file}"));
    }
    hints.extend(report.advice.iter().cloned());
    let alone = report.answered.as_ref().and_then(|answered| answered.alone.as_ref());
    hints.extend(alone.map(|reason| format!("--jobs has no effect: {reason}")));
    match report.verdict {
        Verdict::Safe => {}
        Verdict::Unknown if detail == Detail::Full && report.reasons.len() > 1 => {
            hints.extend(report.reasons.iter().skip(1).map(|reason| format!("also: {reason}")));
        }
        Verdict::Unknown => hints.extend(report.reasons.first().and_then(|reason| reason.hint()).map(str::to_owned)),
        Verdict::Unsafe => match report.given_up() {
            Some(reason) => hints.push(format!("there may be more bugs: {reason}")),
            None if report.stopped_early => {
                hints.push("there may be more bugs; --keep-going reports every distinct one".to_owned());
            }
            None => {}
        },
    }
    if report.violations.iter().any(|violation| !violation.trace.is_empty() && violation.replay.is_none()) {
        hints.push("--save-trace FILE saves the schedule for `verify replay FILE`".to_owned());
    }
    if let Some(first) = report.violations.first() {
        let kind = first.kind.name();
        hints.push(format!("`verify explain {kind}` says what that means and how to mend it"));
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Narrowed, Reason, samples};

    const PLAIN: Style = Style { width: 80, colored: false };

    #[test]
    fn a_race() {
        insta::assert_snapshot!(write(&samples::race(), PLAIN, Detail::Normal));
    }

    #[test]
    fn a_race_in_few_columns() {
        let text = write(&samples::race(), Style::new(60, false), Detail::Normal);
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }

    #[test]
    fn a_race_in_one_line() {
        insta::assert_snapshot!(write(&samples::race(), PLAIN, Detail::Brief));
    }

    #[test]
    fn safe() {
        let report = Report { verdict: Verdict::Safe, violations: Vec::new(), ..samples::race() };
        insta::assert_snapshot!(write(&report, PLAIN, Detail::Normal));
    }

    #[test]
    fn what_is_suppressed_is_said() {
        let report = Report { suppressed: vec![samples::suppressed()], ..samples::safe() };
        insta::assert_snapshot!(write(&report, PLAIN, Detail::Normal));
        let brief = write(&report, PLAIN, Detail::Brief);
        assert_eq!(brief, "safe: all 1,234 executions were explored, 1 bug suppressed\n");
    }

    #[test]
    fn what_was_not_looked_for_is_said() {
        let brief = |narrowed| write(&Report { narrowed: Some(narrowed), ..samples::safe() }, PLAIN, Detail::Brief);
        let narrowed = samples::narrowed();
        let explored = "safe: all 1,234 executions were explored";
        assert_eq!(brief(narrowed.clone()), format!("{explored}; not looked for: data-race, leak\n"));
        let (looked_for, left_out) = (narrowed.left_out, narrowed.looked_for);
        let set = Narrowed { looked_for, left_out, origin: Some("verify.toml".to_owned()) };
        assert_eq!(brief(set), format!("{explored}; looked for: data-race, leak (verify.toml)\n"));
    }

    #[test]
    fn statistics_that_were_asked_for() {
        let report = Report { profile: Some(samples::profile()), ..samples::race() };
        let text = write(&report, PLAIN, Detail::Normal);
        let end = "
Where the time went:
  loading                    0.123 s  24 %
  machine                    0.400 s  76 %

What the engine did:
  events made                       12,345

Whose actions were put into another order, and how often:
             7 100 %  `lock`
";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn unknown() {
        let reasons = vec![
            Reason::TimeLimit(std::time::Duration::from_secs(90)),
            Reason::Program("call of an unmodelled function `fork` at a.c:3".to_owned()),
        ];
        let report = Report { verdict: Verdict::Unknown, reasons, violations: Vec::new(), ..samples::race() };
        insta::assert_snapshot!(write(&report, PLAIN, Detail::Normal));
    }

    #[test]
    fn colours_change_nothing_else() {
        let colored = write(&samples::race(), Style { colored: true, ..PLAIN }, Detail::Full);
        let mut plain = String::new();
        let mut rest = colored.as_str();
        while let Some((before, after)) = rest.split_once('\x1b') {
            plain += before;
            rest = after.split_once('m').expect("only colours are escaped").1;
        }
        assert_eq!(plain + rest, write(&samples::race(), PLAIN, Detail::Full));
    }
}
