//! Access control: the checks before every request, and the headers of every answer.

use super::failure::Failure;
use super::limits::Connection;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The properties of a connection.
#[derive(Clone)]
pub(super) struct Peer {
    /// The local address of the connection.
    pub(super) local: SocketAddr,
    /// The address of the client.
    pub(super) remote: SocketAddr,
    /// Whether the request comes from a program of this machine that is no proxy for others.
    pub(super) is_local: bool,
    /// The share of the connection in the limits of its client address.
    pub(super) connection: Arc<Connection>,
}

impl Peer {
    /// Refuses requests from other machines, with this text.
    ///
    /// # Errors
    /// [`Failure`] if the request may come from another machine.
    pub(super) fn require_local(&self, text: &'static str) -> Result<(), Failure> {
        if self.is_local { Ok(()) } else { Err(Failure::forbidden("not_here", text)) }
    }
}

/// The accepted host names of this server, in addition to its addresses and `localhost`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct HostNames(Arc<[String]>);

impl HostNames {
    /// Host names, each with a port or for any port.
    pub(super) fn new(names: &[String]) -> Self {
        Self(names.iter().map(|name| name.to_ascii_lowercase()).collect())
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a request that was received at `local` may name this host. Any other name may belong to a page that
    /// makes its own name resolve to this machine (DNS rebinding), to act with the rights of a visitor.
    fn allow(&self, authority: &str, local: SocketAddr) -> bool {
        let Ok(authority) = authority.parse::<Authority>() else { return false };
        let host = authority.host().to_ascii_lowercase();
        let named = |name: &String| *name == host || *name == authority.as_str().to_ascii_lowercase();
        if self.0.iter().any(named) {
            return !authority.as_str().contains('@');
        }
        let is_here = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => address.to_canonical() == local.ip().to_canonical(),
            Err(_) => host == "localhost" && local.ip().to_canonical().is_loopback(),
        };
        /// The default port of HTTP.
        const HTTP_PORT: u16 = 80;
        let has_port = authority.port_u16().unwrap_or(HTTP_PORT) == local.port();
        is_here && has_port && !authority.as_str().contains('@')
    }

    /// Whether a request certainly comes from a program of this machine for a user of this machine: both ends of the
    /// connection are here, it names this machine, and nothing indicates a proxy, behind which anyone may be. A server
    /// with a public name is expected to be behind a proxy, so none of its requests is local.
    fn is_local(&self, request: &Request, host: &str, peer: &Peer) -> bool {
        let ends = [peer.local, peer.remote].map(|end| end.ip().to_canonical().is_loopback());
        let host = host.parse::<Authority>();
        let is_here = host.is_ok_and(|authority| {
            let host = authority.host().to_ascii_lowercase();
            let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
            address.map_or(host == "localhost", |address| address.to_canonical().is_loopback())
        });
        // Proxies such as nginx ask in HTTP/1.0 unless they are told otherwise; browsers never do.
        let is_direct = request.version() >= Version::HTTP_11;
        self.is_empty() && ends == [true; 2] && is_here && is_direct && !is_forwarded(request.headers())
    }

    /// Whether the requesting page is served by this server.
    fn allow_origin(&self, origin: &str, local: SocketAddr) -> bool {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| self.allow(authority, local))
    }
}

/// Whether a request has a header with which proxies state the client they ask for.
fn is_forwarded(headers: &HeaderMap) -> bool {
    let is_of_proxy = |name: &HeaderName| {
        let name = name.as_str();
        name.starts_with("x-forwarded") || PROXY_HEADERS.contains(&name)
    };
    headers.keys().any(is_of_proxy)
}

/// Headers of proxies, in addition to those that begin with `x-forwarded`.
const PROXY_HEADERS: [&str; 6] =
    ["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];

/// The headers of every answer: no content from other sites, no framing, no guessing of content types.
const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; object-src 'none'; \
             frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
    ),
];

/// The cost of a request, in requests of the limit.
const REQUEST_COST: u32 = 1;
/// The prefix of addresses whose requests count toward the limit. The files of the page do not count: there are many of
/// them, and they are in memory.
const API: &str = "/api/";

/// Checks a request, calls its handler, and completes the answer.
pub(super) async fn check(State(names): State<HostNames>, mut request: Request, next: Next) -> Response {
    let refusal = refuse(&names, &request);
    let host = single(request.headers(), &header::HOST).ok().flatten().unwrap_or_default();
    let peer = request.extensions().get::<Peer>();
    let is_local = peer.is_some_and(|peer| names.is_local(&request, host, peer));
    if let Some(peer) = request.extensions_mut().get_mut::<Peer>() {
        peer.is_local = is_local;
    }
    let response = match refusal {
        Some(failure) => failure.into_response(),
        None => next.run(request).await,
    };
    let mut response = in_json(response);
    for (name, value) in HEADERS {
        // A document of its own has a stricter policy.
        response.headers_mut().entry(name).or_insert(value);
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn refuse(names: &HostNames, request: &Request) -> Option<Failure> {
    let Some(peer) = request.extensions().get::<Peer>() else {
        return Some(Failure::busy("the connection is not known"));
    };
    if request.uri().path().starts_with(API) && !peer.connection.charge(REQUEST_COST) {
        return Some(Failure::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "too many requests"));
    }
    let headers = request.headers();
    let host = match single(headers, &header::HOST) {
        Ok(host) => host,
        Err(()) => return Some(Failure::bad("bad_host", "expected one header `Host`")),
    };
    let Some(host) = host else {
        return Some(Failure::bad("bad_host", "expected the header `Host`"));
    };
    let is_known = names.allow(host, peer.local);
    let stated =
        request.uri().authority().is_none_or(|authority| names.allow(authority.as_str(), peer.local));
    if !is_known || !stated {
        return Some(Failure::forbidden("wrong_host", "this server does not have that name; see --host"));
    }
    let is_harmless = matches!(*request.method(), Method::GET | Method::HEAD);
    if is_harmless && !headers.contains_key(header::UPGRADE) {
        return None;
    }
    let is_ours = match single(headers, &header::ORIGIN) {
        Ok(origin) => origin.is_none_or(|origin| names.allow_origin(origin, peer.local)),
        Err(()) => false,
    };
    let is_cross_site = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    if is_ours && !is_cross_site {
        return None;
    }
    Some(Failure::forbidden("wrong_origin", "a page of another site may not do that"))
}

/// The value of a header that appears at most once; an error if it appears twice or is not ASCII.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(|value| value.to_str().map_err(drop)).transpose()?;
    if values.next().is_some() { Err(()) } else { Ok(first) }
}

/// Converts an error of the framework to the format of all other errors.
fn in_json(response: Response) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let kind = response.headers().get(header::CONTENT_TYPE);
    // Errors of the handlers remain unchanged.
    if !is_error || kind.is_some_and(|kind| kind == "application/json" || kind == "text/html; charset=utf-8")
    {
        return response;
    }
    let text = status.canonical_reason().unwrap_or("error").to_lowercase();
    let code = match status {
        StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
        StatusCode::NOT_FOUND => "not_found",
        _ if status.is_client_error() => "bad_request",
        _ => "failed",
    };
    let allow = response.headers().get(header::ALLOW).cloned();
    let mut replaced = Failure::new(status, code, text).into_response();
    if let Some(allow) = allow {
        replaced.headers_mut().insert(header::ALLOW, allow);
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_ours() {
        let local: SocketAddr = "127.0.0.1:8080".parse().expect("an address");
        let none = HostNames::default();
        let named = HostNames::new(&["Chess.example".to_owned(), "other.example:444".to_owned()]);
        for (authority, by_default, by_name) in [
            ("127.0.0.1:8080", true, true),
            ("localhost:8080", true, true),
            ("LOCALHOST:8080", true, true),
            ("127.0.0.1", false, false),
            ("127.0.0.1:80", false, false),
            ("127.0.0.2:8080", false, false),
            ("localhost", false, false),
            ("evil.example:8080", false, false),
            ("localhost.evil.example:8080", false, false),
            ("user@localhost:8080", false, false),
            ("", false, false),
            ("[::1]:8080", false, false),
            ("chess.example", false, true),
            ("chess.example:8443", false, true),
            ("a@chess.example", false, false),
            ("other.example", false, false),
            ("other.example:444", false, true),
        ] {
            assert_eq!(none.allow(authority, local), by_default, "{authority}");
            assert_eq!(named.allow(authority, local), by_name, "{authority}");
        }
        let outside: SocketAddr = "192.168.1.20:8080".parse().expect("an address");
        assert!(none.allow("192.168.1.20:8080", outside));
        assert!(!none.allow("localhost:8080", outside));
        for (origin, expected) in [
            ("http://localhost:8080", true),
            ("https://127.0.0.1:8080", true),
            ("http://localhost:8081", false),
            ("null", false),
            ("file://", false),
            ("ftp://localhost:8080", false),
            ("http://evil.example", false),
        ] {
            assert_eq!(none.allow_origin(origin, local), expected, "{origin}");
        }
    }
}
