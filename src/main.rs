//! The hematite binary.
fn main() {}
