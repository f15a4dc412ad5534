//! The table of dependencies in ARCHITECTURE.md holds.
