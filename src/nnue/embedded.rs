//! The network that is part of the program.

use super::Network;
use once_cell::sync::OnceCell;
use std::sync::Arc;

/// Its file; `None` where the program comes without one. A network that is to come with it is
/// put into `net/`, and this becomes `Some(include_bytes!("net/NAME.nnue"))`.
const FILE: Option<&[u8]> = None;

/// The network that is part of the program, if there is one.
///
/// # Panics
/// If it cannot be read, which a test excludes.
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: OnceCell<Option<Arc<Network>>> = OnceCell::new();
    let read = |file| Arc::new(Network::read(file).expect("a test reads the network"));
    NETWORK.get_or_init(|| FILE.map(read)).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_is_read() {
        assert_eq!(embedded().is_some(), FILE.is_some());
    }
}
