//! Input of requests: parameters of the address, and JSON bodies with limits on size and time.

use super::access::Peer;
use super::failure::Failure;
use super::limits::LongBodyShare;
use crate::notation::Excerpt;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// The maximum length of a body, in bytes.
const MAX_BYTES: usize = 1024 * 1024;
/// The maximum length of a body that contains games, in bytes.
const MAX_GAME_BYTES: usize = 16 * 1024 * 1024;
/// The maximum number of long bodies whose content is processed at the same time; others wait.
const MAX_LONG_WORK: usize = 2;
/// The time limit for a body.
const PATIENCE: Duration = Duration::from_secs(20);

/// The parameters of an address, after its `?`.
pub(super) struct Parameters<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let failed = |rejection: QueryRejection| {
            let problem = std::error::Error::source(&rejection).map(ToString::to_string);
            let problem = problem.unwrap_or_else(|| rejection.body_text());
            Failure::bad("bad_request", format!("the parameters: {problem}"))
        };
        Query::try_from_uri(&parts.uri).map(|Query(value)| Self(value)).map_err(failed)
    }
}

/// Reads a parameter that is a whole number.
///
/// # Errors
/// The found text and the expected range.
pub(super) fn whole_number<'a, T: FromStr, D: Deserializer<'a>>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    let most = 8 * size_of::<T>();
    let wrong = || {
        let found = Excerpt::new(&text);
        D::Error::custom(format!("found {found}, expected a whole number from 0 that fits {most} bits"))
    };
    text.parse().map_err(|_| wrong())
}

/// A JSON body of up to 1 MiB.
pub(super) struct JsonBody<T>(pub(super) T);

/// A JSON body with games, of up to 16 MiB. The second part is kept until the content has been processed.
pub(super) struct LongJsonBody<T>(pub(super) T, pub(super) LongWork);

/// The turn of a long body to be processed, and its share in the limits of its client address. Bodies of usual length
/// need neither.
pub(super) struct LongWork {
    _turn: Option<SemaphorePermit<'static>>,
    _share: Option<LongBodyShare>,
}

impl<T: Send + 'static> LongJsonBody<T> {
    /// Processes the content on a thread for blocking work.
    ///
    /// # Errors
    /// [`Failure`] of the work, or if the server ends.
    pub(super) async fn process<R: Send + 'static>(
        self,
        work: impl FnOnce(T) -> Result<R, Failure> + Send + 'static,
    ) -> Result<R, Failure> {
        let Self(content, turn) = self;
        let result = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(content)
        });
        result.await.map_err(|_| Failure::busy("the server ends"))?
    }
}

/// The turns of long bodies.
static LONG_TURNS: Semaphore = Semaphore::const_new(MAX_LONG_WORK);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        check_kind(&parts.headers)?;
        parse(&collect(&parts.headers, body, MAX_BYTES).await?).map(Self)
    }
}

impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> FromRequest<S> for LongJsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        check_kind(&parts.headers)?;
        if stated_length(&parts.headers).is_some_and(|length| length <= MAX_BYTES) {
            let bytes = collect(&parts.headers, body, MAX_BYTES).await?;
            return parse(&bytes).map(|value| Self(value, LongWork { _turn: None, _share: None }));
        }
        let ends = || Failure::busy("the server ends");
        let connection = parts.extensions.get::<Peer>().map(|peer| Arc::clone(&peer.connection));
        let share = connection.and_then(|connection| connection.begin_long_body());
        let share = share.ok_or_else(|| {
            let text = "too many long bodies at once";
            Failure::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", text)
        })?;
        let bytes = collect(&parts.headers, body, MAX_GAME_BYTES).await?;
        let turn = LONG_TURNS.acquire().await.map_err(|_| ends())?;
        let work = LongWork { _turn: Some(turn), _share: Some(share) };
        // Other requests are served meanwhile.
        let parsed = tokio::task::spawn_blocking(move || parse(&bytes).map(|value| Self(value, work)));
        parsed.await.map_err(|_| ends())?
    }
}

/// The length that the headers state; `None` if they state none.
fn stated_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok())
}

/// Requires the content type JSON. Browsers do not send JSON to other sites without a preflight request, so this check
/// also protects against forged requests.
fn check_kind(headers: &HeaderMap) -> Result<(), Failure> {
    let unsupported = |text| Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", text);
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = value.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(unsupported("expected the header `Content-Type: application/json`"));
    }
    match headers.get(header::CONTENT_ENCODING).map(|encoding| encoding.as_bytes()) {
        None | Some(b"identity") => Ok(()),
        Some(_) => Err(unsupported("expected a body without a Content-Encoding")),
    }
}

async fn collect(headers: &HeaderMap, body: Body, most: usize) -> Result<Vec<u8>, Failure> {
    let too_large = || {
        let text = format!("the body is too long, expected at most {most} bytes");
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
    };
    if stated_length(headers).is_some_and(|length| length > most) {
        return Err(too_large());
    }
    match tokio::time::timeout(PATIENCE, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(bytes.into()),
        Ok(Err(error)) if is_limit(&error) => Err(too_large()),
        Ok(Err(_)) => Err(Failure::bad("broken_body", "the body breaks off")),
        Err(_) => Err(Failure::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body comes too slowly")),
    }
}

/// Whether the body is longer than allowed. The type of the inner error belongs to a crate that is not a direct
/// dependency, so the text is compared.
fn is_limit(error: &axum::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        if inner.to_string().contains("length limit") {
            return true;
        }
        source = inner.source();
    }
    false
}

/// Parses a JSON message.
///
/// # Errors
/// [`Failure`] with the line and the column if the message is not JSON, or not of the expected type.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|error| Failure::bad("bad_json", format!("the message: {error}")))
}
