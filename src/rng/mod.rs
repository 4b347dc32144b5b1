//! Seedable random numbers, the same on every platform and in every build.
//!
//! Not for secrets: whoever sees some numbers can tell the rest.

mod xoshiro;

pub use xoshiro::Rng;
