//! The program as its users see it: exit codes, output formats, errors, signals.
mod build;
mod checkpoint;
mod ci;
mod errors;
mod examples;
mod formats;
mod limits;
mod machines;
mod pages;
mod replay;
mod run;
mod settings;
mod svcomp;
mod tasks;
mod testing;
mod verdicts;
mod witnesses;
