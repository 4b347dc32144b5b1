//! Random identifiers of games, and secret tokens that open their seats.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::hint::black_box;

/// The number of random bytes of a token and of an identifier: 128 bits.
const BYTES: usize = 16;
/// The number of characters in their Base64 form.
const LETTERS: usize = 22;

/// The error of a system that provides no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers: {0}")]
pub(super) struct NoRandomness(#[from] getrandom::Error);

/// A secret token. Its holder controls a seat. It is sent once, and only its [`Fingerprint`] is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Token([u8; BYTES]);

impl Token {
    /// Creates a random token.
    ///
    /// # Errors
    /// [`NoRandomness`] if the system provides no random numbers.
    pub(super) fn random() -> Result<Self, NoRandomness> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// Parses a token; `None` if the text is not a token.
    pub(super) fn read(text: &str) -> Option<Self> {
        if text.len() != LETTERS {
            return None;
        }
        BASE64_URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// The SHA-256 of the token, which is stored instead of it.
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
    /// Does not print the secret, so that it cannot end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// The SHA-256 of a token, from which the token cannot be recovered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Fingerprint(pub(super) [u8; 32]);

impl Fingerprint {
    /// Whether both are equal, in constant time.
    pub(super) fn is_that_of(&self, other: &Self) -> bool {
        let difference = self.0.iter().zip(other.0).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
        difference == 0
    }
}

/// The identifier of a game. It is as hard to guess as a token, since everyone who has it may watch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct GameId(String);

impl GameId {
    /// Creates a random identifier.
    ///
    /// # Errors
    /// [`NoRandomness`] if the system provides no random numbers.
    pub(super) fn random() -> Result<Self, NoRandomness> {
        Token::random().map(|token| Self(token.to_string()))
    }

    /// Parses an identifier; `None` if the text is not one.
    pub(super) fn read(text: &str) -> Option<Self> {
        Token::read(text).map(|_| Self(text.to_owned()))
    }

    /// The identifier as text.
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
