//! Random names of games, and the secrets that open their seats.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::hint::black_box;

/// The random bytes of a secret and of the name of a game: 128 bits.
const BYTES: usize = 16;
/// The letters that they are written with.
const LETTERS: usize = 22;

/// The system has no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers: {0}")]
pub(super) struct NoRandomness(#[from] getrandom::Error);

/// A secret: whoever knows it has the seat. It is given away once, and only its [`Fingerprint`] is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Token([u8; BYTES]);

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// [`NoRandomness`] if the system has none to give.
    pub(super) fn random() -> Result<Self, NoRandomness> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The secret that is written like this; `None` if none is.
    pub(super) fn read(text: &str) -> Option<Self> {
        if text.len() != LETTERS {
            return None;
        }
        BASE64_URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// What is kept of it.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint(Sha256::digest(self.0).into())
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64_URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl fmt::Debug for Token {
    /// Nothing that could end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// The SHA-256 of a secret, from which nobody finds the secret.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Fingerprint(pub(super) [u8; 32]);

impl Fingerprint {
    /// Whether both are the same, in a time that does not depend on where they differ.
    pub(super) fn is_that_of(&self, other: &Self) -> bool {
        let difference = self.0.iter().zip(other.0).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
        difference == 0
    }
}

/// The name of a game: as hard to guess as a secret, since whoever knows it may watch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct GameId(String);

impl GameId {
    /// A new one.
    ///
    /// # Errors
    /// [`NoRandomness`] if the system has none to give.
    pub(super) fn random() -> Result<Self, NoRandomness> {
        Token::random().map(|token| Self(token.to_string()))
    }

    /// The name that is written like this; `None` if none is.
    pub(super) fn read(text: &str) -> Option<Self> {
        Token::read(text).map(|_| Self(text.to_owned()))
    }

    /// As it is written.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_written_and_read() {
        let token = Token::random().expect("random numbers");
        assert_eq!(token.to_string().len(), LETTERS);
        assert_eq!(Token::read(&token.to_string()), Some(token));
        let other = Token::random().expect("random numbers");
        assert!(token.fingerprint().is_that_of(&token.fingerprint()));
        assert!(!token.fingerprint().is_that_of(&other.fingerprint()));
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn other_texts_are_no_secrets() {
        let long = "A".repeat(LETTERS + 1);
        for text in
            ["", "A", &long, "AAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAé", "AAAAAAAAAA/AAAAAAAAAAA"]
        {
            assert!(Token::read(text).is_none() && GameId::read(text).is_none(), "{text}");
        }
    }
}
