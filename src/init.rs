//! `verify init`: writes what a library needs to be checked again and again: `verify.toml`, a harness and a job for CI.
//! What is there already is left as it is.
use crate::cli::init::{CiName, InitArguments};
use crate::config;
use crate::console::{complain, print};
use crate::report::style::Style;
use crate::request::UsageError;
use std::path::{Component, Path};
use std::process::ExitCode;

/// A file that is written.
#[derive(Debug, PartialEq, Eq)]
struct Planned {
    /// As seen from the directory.
    path: &'static str,
    text: String,
}

/// Writes the files, and says which.
pub(crate) fn run(typed: &InitArguments) -> Result<ExitCode, UsageError> {
    for file in &typed.files {
        let below = file.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !below || !typed.directory.join(file).is_file() {
            return Err(UsageError {
                message: format!("{}: there is no such file below {}", file.display(), typed.directory.display()),
                hint: "name sources and headers of the library, as seen from its directory".to_owned(),
            });
        }
    }
    let mut text = String::new();
    for Planned { path, text: content } in planned(typed) {
        let file = typed.directory.join(path);
        if file.exists() {
            text += &format!("{path} is there already, and stays as it is\n");
            continue;
        }
        if let Err(error) = write(&file, &content) {
            complain(Style::new(100, false), &format!("{}: cannot be written: {error}", file.display()), None);
            return Ok(ExitCode::from(crate::console::MISTAKE));
        }
        text += &format!("{path} was written\n");
    }
    text += "next: let the two threads of the harness use the library, then `verify test`\n";
    Ok(print(&text, 0, Style::new(100, false)))
}

fn write(file: &Path, content: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
    std::fs::write(file, content)
}

/// The files that are wanted.
fn planned(typed: &InitArguments) -> Vec<Planned> {
    let extension =
        |file: &Path| file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned();
    let (headers, sources): (Vec<_>, Vec<_>) =
        typed.files.iter().partition(|file| ["h", "hh", "hpp", "hxx"].contains(&extension(file).as_str()));
    let is_cxx = sources.iter().any(|file| ["cc", "cpp", "cxx", "ii"].contains(&extension(file).as_str()));
    let harness = if is_cxx { "verify/harness.cpp" } else { "verify/harness.c" };
    let named = |file: &&std::path::PathBuf| file.display().to_string().trim_start_matches("./").to_owned();
    let headers: Vec<String> = headers.iter().map(named).collect();
    let sources: Vec<String> = sources.iter().map(named).collect();
    let mut all = vec![
        Planned { path: config::NAME, text: settings(harness, &sources) },
        Planned { path: harness, text: harness_text(&headers) },
    ];
    match typed.ci {
        CiName::Github => all.push(Planned { path: ".github/workflows/verify.yml", text: GITHUB.to_owned() }),
        CiName::Gitlab => all.push(Planned { path: ".gitlab-ci.yml", text: GITLAB.to_owned() }),
        CiName::None => {}
    }
    all
}

fn settings(harness: &str, sources: &[String]) -> String {
    let inputs = std::iter::once(harness).chain(sources.iter().map(String::as_str));
    let inputs = inputs.map(|input| format!("{input:?}")).collect::<Vec<_>>().join(", ");
    format!(
        "\
# What `verify test` checks. docs/ci.md of verify says what else can stand here.
[defaults]
time-limit = \"5m\"
# volatile = \"atomic\"        # for code that is older than C11 and takes volatile accesses for atomic ones
# check = \"-data-race\"       # for code that races on purpose: look for everything else
# externals = \"f=zero\"       # what functions return that are neither defined nor modelled (`--list-undefined` lists them)
# stub = \"verify/stubs.c\"    # bodies for such functions

[[harness]]
name = \"two users\"
inputs = [{inputs}]
"
    )
}

fn harness_text(headers: &[String]) -> String {
    let own: String = headers.iter().map(|header| format!("#include \"../{header}\"\n")).collect();
    format!(
        "\
// Two threads use the library at once: `verify test` explores every order of what they do.
{own}#include <assert.h>
#include <pthread.h>

// What one user does. Keep it short: two or three calls show most bugs.
static void *first(void *arg) {{
  return arg;
}}

// What another user may do at the same time.
static void *second(void *arg) {{
  return arg;
}}

int main(void) {{
  pthread_t one, other;
  // Here: make what both use.
  pthread_create(&one, 0, first, 0);
  pthread_create(&other, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  // Here: assert what must hold now, and free what was made.
  return 0;
}}
"
    )
}

const GITHUB: &str = "\
name: verify
on: [push, pull_request]
jobs:
  verify:
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      security-events: write
    steps:
      - uses: actions/checkout@v4
      # The repository of verify that you use, and a revision of it.
      - uses: OWNER/verify@REVISION
        with:
          arguments: --jobs 2
";

const GITLAB: &str = "\
# The image needs `verify` on its PATH, and clang.
verify:
  image: ubuntu:24.04
  script:
    - verify test --report junit=verify.xml --report json=verify.json
  artifacts:
    when: always
    paths:
      - verify.json
    reports:
      junit: verify.xml
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_by_what_is_given() {
        let typed = |files: &[&str], ci| InitArguments {
            files: files.iter().map(Into::into).collect(),
            directory: ".".into(),
            ci,
        };
        let paths = |typed: &InitArguments| planned(typed).iter().map(|file| file.path).collect::<Vec<_>>();
        let c = typed(&["./src/queue.c", "queue.h"], CiName::Gitlab);
        assert_eq!(paths(&c), ["verify.toml", "verify/harness.c", ".gitlab-ci.yml"]);
        assert!(planned(&c)[0].text.contains("inputs = [\"verify/harness.c\", \"src/queue.c\"]\n"));
        assert!(planned(&c)[1].text.contains("\n#include \"../queue.h\"\n"));
        assert_eq!(paths(&typed(&["queue.cpp"], CiName::None)), ["verify.toml", "verify/harness.cpp"]);
    }
}
