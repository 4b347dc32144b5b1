//! What is answered to a request that cannot be served.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;

/// A request that is not served, and why: for people and for programs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub(super) struct Failure {
    status: StatusCode,
    /// For programs.
    pub(super) code: &'static str,
    /// For people.
    pub(super) text: Cow<'static, str>,
    /// The column of a query at which it is wrong, counted from 1.
    column: Option<usize>,
}

/// The code of what cannot be written.
const NOT_SAVED: &str = "not_saved";
/// The seconds after which a request that came too early may come again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

impl Failure {
    /// A failure with this status, code and text.
    pub(super) fn new(status: StatusCode, code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { status, code, text: text.into(), column: None }
    }

    /// The request itself is wrong.
    pub(super) fn bad(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, text)
    }

    /// The same, with the column of a query.
    pub(super) fn at_column(self, column: usize) -> Self {
        Self { column: Some(column), ..self }
    }

    /// Nothing is at this address.
    pub(super) fn not_found(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", text)
    }

    /// A token is missing or unknown.
    pub(super) fn unauthorized(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unknown_token", text)
    }

    /// It is for somebody else.
    pub(super) fn forbidden(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, text)
    }

    /// It does not fit the state of things.
    pub(super) fn conflict(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, code, text)
    }

    /// Too much is going on.
    pub(super) fn busy(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", text)
    }

    /// The state cannot be written, so that nothing has happened.
    pub(super) fn not_saved(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, NOT_SAVED, text)
    }

    /// Whether it is none of the rules, but that the state cannot be written.
    pub(super) fn is_unsaved(&self) -> bool {
        self.code == NOT_SAVED
    }
}

/// The body of the answer.
#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = Body { error: &self.text, code: self.code, column: self.column };
        let mut response = (self.status, Json(body)).into_response();
        if matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}
