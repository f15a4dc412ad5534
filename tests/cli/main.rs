//! The program as its users see it: exit codes, output formats, errors, signals.
mod build;
mod errors;
mod examples;
mod formats;
mod limits;
mod replay;
mod run;
mod svcomp;
mod tasks;
mod verdicts;
mod witnesses;
