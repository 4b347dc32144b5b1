//! An answer that grows: a game as it is played, whole after each change, for programs that show games of others.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use hyper::body::{Bytes, Frame};
use serde::Deserialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;

/// How long to wait between two texts, so that quick moves share one.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// How PGN is asked for.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Wanted {
    /// Again after each change, until there are no more.
    pub(super) follow: bool,
}

/// The texts that come, as a body.
pub(super) struct Growing(mpsc::Receiver<String>);

impl Growing {
    /// A body, and what it gets its texts from. It ends with that.
    pub(super) fn new() -> (Self, mpsc::Sender<String>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(receiver), sender)
    }

    /// The answer of this kind.
    pub(super) fn into_response(self, kind: &'static str) -> Response {
        let mut response = Response::new(Body::new(self));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        // Asks a proxy such as nginx not to hold text back.
        response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}

impl hyper::body::Body for Growing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|text| text.map(|text| Ok(Frame::data(Bytes::from(text)))))
    }
}
