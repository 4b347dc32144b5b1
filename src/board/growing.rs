//! A response body that is sent in parts: the PGN of a running game, complete after each change, for programs that
//! relay games.

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

/// The minimum time between two texts, so that quick moves share one.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// The parameters of a request for PGN.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Wanted {
    /// Whether the PGN is sent again after each change, until the game is over.
    pub(super) follow: bool,
}

/// A response body made of the texts that are sent to a channel.
pub(super) struct Growing(mpsc::Receiver<String>);

impl Growing {
    /// A body and its sender. The body ends when the sender is dropped.
    pub(super) fn new() -> (Self, mpsc::Sender<String>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(receiver), sender)
    }

    /// The response with this content type.
    pub(super) fn into_response(self, kind: &'static str) -> Response {
        let mut response = Response::new(Body::new(self));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        // Asks proxies such as nginx not to buffer the text.
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
