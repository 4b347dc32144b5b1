//! What a network is made of: games that the engine plays against itself, and their file format.

pub mod data;
pub mod datagen;
pub mod trainer;
