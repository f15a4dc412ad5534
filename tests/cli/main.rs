//! The program as its users see it: exit codes, output formats, errors, signals.
mod build;
mod docs;
mod errors;
mod examples;
mod explain;
mod formats;
mod limits;
mod manual;
mod run;
mod svcomp;
mod tasks;
mod verdicts;
mod witnesses;
