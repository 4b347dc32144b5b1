//! Training of networks: self-play games, their file format, and the trainer.

pub mod archive;
pub mod data;
pub mod datagen;
pub mod trainer;
