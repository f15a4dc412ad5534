//! Where the values of options come from: the command line, then the environment, then `verify.toml`.
use super::compiler_spellings;
use super::low::{Arguments, Command};
use super::names::UninitialisedName;
use crate::config::Config;
use crate::request::UsageError;
use clap::builder::Resettable;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;

/// The variables of the environment that give values: this, and the long name of the option.
const PREFIX: &str = "VERIFY_";

/// The commands whose options can come from elsewhere.
const COMMANDS: [&str; 4] = ["check", "certificate", "coordinate", "test"];

/// `--cflags` has none: `VERIFY_CFLAGS` is for `verify cc` already.
const NOT_IN_THE_ENVIRONMENT: [&str; 4] = ["cflags", "print-ir", "list-undefined", "list"];

/// With these nothing is checked, so that a gate would be green for nothing.
const TYPED_ONLY: [&str; 3] = ["print-ir", "list-undefined", "list"];

/// Reads the command line with all that stands behind it; ends the program with a message if it is wrong, as clap does.
/// What is said in one place drops what comes after it and excludes that: `-m64` an `m32 = true` of the file.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<(Command, Config), UsageError> {
    parse_again(words, &mut None)
}

/// The same for a process that reads many command lines: keeps the options, if nothing comes from the environment.
pub(crate) fn parse_again(
    words: impl IntoIterator<Item = OsString>,
    kept: &mut Option<clap::Command>,
) -> Result<(Command, Config), UsageError> {
    let words = compiler_spellings(words);
    let read = |definition: &mut clap::Command| {
        let matches = definition.try_get_matches_from_mut(&words).unwrap_or_else(|error| error.exit());
        let mut command = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).into_command();
        if let Command::Check(check) = &mut command {
            check.command_line = whole(definition, &words, &matches);
            check.checks_set_by = set_by("check", &matches);
            if check.uninitialised != UninitialisedName::Error && check.checks_set_by.is_none() {
                check.checks_set_by = set_by("uninitialised", &matches);
            }
        }
        if let Command::Coordinate(asked) = &mut command {
            // What is said for all commands is not said of this one, which has no use for it.
            let source = matches.subcommand_matches("coordinate").and_then(|matches| matches.value_source("jobs"));
            asked.check.jobs.jobs = asked.check.jobs.jobs.filter(|_| source == Some(ValueSource::CommandLine));
        }
        command
    };
    let command = match has_variables() {
        true => read(&mut of_the_environment(&words)),
        false => read(kept.get_or_insert_with(Arguments::command)),
    };
    if matches!(command, Command::Check(_) | Command::Certificate(_) | Command::Coordinate(_) | Command::Test(_)) {
        typed_only()?;
    }
    let config = match &command {
        Command::Check(check) => Config::find(&check.config)?,
        Command::Certificate(asked) => Config::find(&asked.check.config)?,
        Command::Coordinate(asked) => Config::find(&asked.check.config)?,
        Command::Test(test) => Config::find(&test.config)?,
        Command::Init(_)
        | Command::Pages(_)
        | Command::Replay(_)
        | Command::Svcomp(_)
        | Command::Unfold(_)
        | Command::Work(_) => Config::default(),
    };
    if config.defaults.is_empty() {
        return Ok((command, config));
    }
    let (plain, definition) = (Arguments::command(), of_the_environment(&words));
    let given = given(&definition, &words, |source| source != ValueSource::DefaultValue);
    let mut definition = everywhere(definition, |option| match is_excluded(&plain, &option, &given) {
        true => option,
        false => with_default(option, &config),
    });
    Ok((read(&mut definition), config))
}

/// Whether the environment has a variable that may give a value.
fn has_variables() -> bool {
    std::env::vars_os().any(|(name, _)| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
}

/// The options, with values from the environment. (Nothing is done for variables that are not there: it would take
/// longer than all else that a small check does.)
fn of_the_environment(words: &[OsString]) -> clap::Command {
    let plain = Arguments::command();
    let is_there = |name: &&str| std::env::var_os(variable(name)).is_some();
    let there: Vec<String> = options_of(&plain).filter(is_there).map(str::to_owned).collect();
    if there.is_empty() {
        return plain;
    }
    let is_there = |option: &Arg| option.get_long().is_some_and(|name| there.iter().any(|there| there == name));
    let with = |option: Arg| if is_there(&option) { with_variable(option) } else { option };
    let with_variables = everywhere(Arguments::command(), with);
    let typed = given(&with_variables, words, |source| source == ValueSource::CommandLine);
    everywhere(Arguments::command(), |option| match is_there(&option) && !is_excluded(&plain, &option, &typed) {
        true => with_variable(option),
        false => option,
    })
}

/// What gives an option of `verify check` its value, if that is not the command line; the name of the file is the usual
/// one.
fn set_by(option: &str, matches: &clap::ArgMatches) -> Option<String> {
    match matches.subcommand_matches("check").unwrap_or(matches).value_source(option)? {
        ValueSource::EnvVariable => Some(variable(option)),
        ValueSource::DefaultValue => Some(crate::config::NAME.to_owned()),
        _ => None,
    }
}

/// Complains of variables for what has to be typed.
fn typed_only() -> Result<(), UsageError> {
    match TYPED_ONLY.iter().find(|name| std::env::var_os(variable(name)).is_some()) {
        Some(name) => Err(UsageError {
            message: format!("the environment has {}, and with --{name} nothing is checked", variable(name)),
            hint: format!("give --{name} on the command line, where everybody sees it"),
        }),
        None => Ok(()),
    }
}

/// The long names of the options that have a value from one of these sources, even if they exclude each other; a flag
/// that says no is none of them. Nothing if the command line is wrong.
fn given(definition: &clap::Command, words: &[OsString], counts: impl Fn(ValueSource) -> bool) -> Vec<String> {
    let lenient = everywhere(definition.clone(), |option| option.conflicts_with(Resettable::Reset));
    let Ok(matches) = lenient.clone().try_get_matches_from(words) else { return Vec::new() };
    let named =
        COMMANDS.iter().find_map(|name| Some((lenient.find_subcommand(name)?, matches.subcommand_matches(name)?)));
    let (command, matches) = named.unwrap_or((&lenient, &matches));
    let has = |option: &&Arg| {
        let id = option.get_id().as_str();
        let says_no = matches!(option.get_action(), ArgAction::SetTrue) && !matches.get_flag(id);
        matches.value_source(id).is_some_and(&counts) && !says_no
    };
    command.get_arguments().filter(has).filter_map(|option| option.get_long().map(str::to_owned)).collect()
}

/// Whether an option excludes one of these.
fn is_excluded(definition: &clap::Command, option: &Arg, given: &[String]) -> bool {
    // Whoever names a file wants it, although the two may stand together.
    let also = |name: &str, given: &str| (name, given) == ("no-config", "config");
    let excludes = |name: &str| given.iter().any(|given| exclude(definition, name, given) || also(name, given));
    option.get_long().is_some_and(excludes)
}

/// The first of these options, by their long names, that cannot be given together with one before it, and that one.
pub(crate) fn clash<'a>(names: &[&'a str]) -> Option<(&'a str, &'a str)> {
    let definition = Arguments::command();
    let before = |at: usize| names[..at].iter().find(|before| exclude(&definition, before, names[at])).copied();
    (0..names.len()).find_map(|at| Some((names[at], before(at)?)))
}

/// Whether two options, by their long names, cannot be given together.
fn exclude(definition: &clap::Command, one: &str, other: &str) -> bool {
    let mut commands = COMMANDS.iter().filter_map(|name| definition.find_subcommand(name));
    commands.any(|command| {
        let excludes = |one: &str, other: &str| {
            let option = command.get_arguments().find(|option| option.get_long() == Some(one));
            let excluded = option.map(|option| command.get_arg_conflicts_with(option)).unwrap_or_default();
            excluded.iter().any(|option| option.get_long() == Some(other))
        };
        excludes(one, other) || excludes(other, one)
    })
}

/// A command line for the same check that says also what came from elsewhere; without the name of the program.
fn whole(definition: &clap::Command, words: &[OsString], matches: &clap::ArgMatches) -> Vec<OsString> {
    let named = matches.subcommand_matches("check");
    let typed = words.iter().skip(1 + usize::from(named.is_some())).cloned();
    let matches = named.unwrap_or(matches);
    let mut line = Vec::new();
    // (What prints and ends has no value.)
    let prints = |option: &&Arg| {
        matches!(option.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version)
    };
    for option in definition.get_arguments().filter(|option| !prints(option)) {
        let (id, Some(name)) = (option.get_id().as_str(), option.get_long()) else { continue };
        // (A default of clap's own says nothing new, and does no harm.)
        let typed = matches.value_source(id).is_none_or(|source| source == ValueSource::CommandLine);
        if typed || matches!(option.get_action(), ArgAction::SetTrue) && !matches.get_flag(id) {
            continue;
        }
        match option.get_action() {
            ArgAction::SetTrue => line.push(format!("--{name}").into()),
            // Takes all that follows.
            _ if name == "cflags" => {
                line.push("--cflags".into());
                line.extend(matches.get_raw(id).into_iter().flatten().map(OsString::from));
                line.push("--".into());
            }
            _ => line.extend(matches.get_raw(id).into_iter().flatten().map(|value| {
                let mut word = OsString::from(format!("--{name}="));
                word.push(value);
                word
            })),
        }
    }
    line.into_iter().chain(typed).collect()
}

/// Changes the options of the commands, and those that are taken without a command.
fn everywhere(definition: clap::Command, change: impl Fn(Arg) -> Arg) -> clap::Command {
    let outer = definition.mut_args(&change);
    COMMANDS.iter().fold(outer, |definition, name| definition.mut_subcommand(name, |command| command.mut_args(&change)))
}

fn with_variable(option: Arg) -> Arg {
    match option.get_long() {
        Some(name) if !NOT_IN_THE_ENVIRONMENT.contains(&name) => {
            let variable = variable(name);
            option.env(variable).hide_env(true)
        }
        _ => option,
    }
}

fn with_default(option: Arg, config: &Config) -> Arg {
    let value = option.get_long().and_then(|name| config.defaults.iter().find(|default| default.name == name));
    match value {
        Some(default) => option.default_values(default.values.clone()),
        None => option,
    }
}

/// The variable that gives a value to the option of that long name.
pub(crate) fn variable(name: &str) -> String {
    PREFIX.to_owned() + &name.replace('-', "_").to_uppercase()
}

/// The long names of the options of the commands, some more than once.
fn options_of(definition: &clap::Command) -> impl Iterator<Item = &str> {
    let commands = COMMANDS.iter().filter_map(|name| definition.find_subcommand(name));
    commands.flat_map(clap::Command::get_arguments).filter_map(Arg::get_long)
}

/// The long names of all options that can come from elsewhere.
pub(crate) fn long_names() -> Vec<String> {
    let definition = Arguments::command();
    let mut names: Vec<String> = options_of(&definition).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// Whether the option of that long name takes no value.
pub(crate) fn is_flag(name: &str) -> bool {
    let definition = Arguments::command();
    let mut commands = COMMANDS.iter().filter_map(|command| definition.find_subcommand(command));
    commands.any(|command| {
        let option = command.get_arguments().find(|option| option.get_long() == Some(name));
        option.is_some_and(|option| matches!(option.get_action(), ArgAction::SetTrue))
    })
}

/// What is wrong with values for the option of that long name, if anything is.
pub(crate) fn rejects(name: &str, values: &[String]) -> Option<String> {
    if is_flag(name) {
        return None;
    }
    let definition = Arguments::command();
    let of_check = definition.find_subcommand("check").is_some_and(|check| has(check, name));
    let mut words: Vec<String> = match name {
        _ if !of_check => vec!["test".to_owned()],
        // Only goes with another one.
        "unit" => ["check", "program.c", "--compdb=x"].map(str::to_owned).to_vec(),
        _ => ["check", "program.c"].map(str::to_owned).to_vec(),
    };
    match name {
        // Takes all that follows.
        "cflags" => words.extend(std::iter::once("--cflags".to_owned()).chain(values.iter().cloned())),
        _ => words.extend(values.iter().map(|value| format!("--{name}={value}"))),
    }
    wrong(words)
}

fn has(command: &clap::Command, name: &str) -> bool {
    command.get_arguments().any(|option| option.get_long() == Some(name))
}

/// What is wrong with words that are to follow `verify check`, if anything is.
pub(crate) fn mistake(words: Vec<String>) -> Option<String> {
    wrong(std::iter::once("check".to_owned()).chain(words).collect())
}

fn wrong(words: Vec<String>) -> Option<String> {
    let words = std::iter::once("verify".to_owned()).chain(words).map(OsString::from);
    let error = Arguments::try_parse_from(compiler_spellings(words)).err()?;
    let text = error.to_string();
    Some(text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned())
}
