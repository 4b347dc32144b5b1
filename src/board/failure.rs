//! The answer to a request that fails.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;

/// The reason why a request failed, for people and for programs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub(super) struct Failure {
    status: StatusCode,
    /// The code for programs.
    pub(super) code: &'static str,
    /// The text for people.
    pub(super) text: Cow<'static, str>,
    /// The column of the error in a query, counted from 1.
    column: Option<usize>,
}

/// The code of a failure to write the state.
const NOT_SAVED: &str = "not_saved";
/// The seconds after which a client may repeat a request that was refused because of a limit.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

impl Failure {
    /// A failure with this status, code and text.
    pub(super) fn new(status: StatusCode, code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { status, code, text: text.into(), column: None }
    }

    /// A failure of an invalid request.
    pub(super) fn bad(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, text)
    }

    /// The same failure with the column of the error in a query.
    pub(super) fn at_column(self, column: usize) -> Self {
        Self { column: Some(column), ..self }
    }

    /// A failure of a request for something that does not exist.
    pub(super) fn not_found(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", text)
    }

    /// A failure of a request whose token is missing or unknown.
    pub(super) fn unauthorized(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unknown_token", text)
    }

    /// A failure of a request that the client has no right to.
    pub(super) fn forbidden(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, text)
    }

    /// A failure of a request that does not fit the current state.
    pub(super) fn conflict(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::CONFLICT, code, text)
    }

    /// A failure of a request because a limit of the server has been reached.
    pub(super) fn busy(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", text)
    }

    /// A failure to write the state; nothing has been changed.
    pub(super) fn not_saved(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, NOT_SAVED, text)
    }

    /// Whether the failure is one to write the state.
    pub(super) fn is_unsaved(&self) -> bool {
        self.code == NOT_SAVED
    }
}

/// The JSON body of the answer.
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
