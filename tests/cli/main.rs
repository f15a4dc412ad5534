//! The program as its users see it: exit codes, output formats, errors, signals.
