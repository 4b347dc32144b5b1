//! Limits on connections and requests of each client address.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// The limits of a client address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum number of open connections.
    pub connections: usize,
    /// The maximum rate of requests and messages per second, on average.
    pub requests: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 100, requests: 50 }
    }
}

/// The number of allowed connections of an address for each long body that it may send at the same time.
const CONNECTIONS_PER_LONG_BODY: usize = 25;
/// The seconds of the average rate that may be used in one burst.
const BURST_SECONDS: f64 = 8.0;
/// The number of addresses above which those without connections are forgotten.
const MAX_KNOWN: usize = 10_000;

#[derive(Debug)]
struct Address {
    connections: usize,
    /// The number of long bodies that are received or processed.
    long_bodies: usize,
    /// The number of requests that may be made immediately.
    credit: f64,
    settled: Instant,
}

/// The client addresses, each with its connections and its credit.
#[derive(Clone, Debug)]
pub(super) struct Addresses {
    limits: Limits,
    known: Arc<Mutex<HashMap<IpAddr, Address>>>,
}

impl Addresses {
    /// An empty list of addresses.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, known: Arc::default() }
    }

    fn burst(&self) -> f64 {
        f64::from(self.limits.requests) * BURST_SECONDS
    }

    /// Registers a connection until it is dropped; `None` if the address has too many.
    pub(super) fn connect(&self, address: IpAddr) -> Option<Connection> {
        let address = subscriber(address);
        let mut known = self.known.lock();
        if known.len() > MAX_KNOWN {
            known.retain(|_, other| other.connections > 0);
        }
        let entry = known.entry(address).or_insert_with(|| Address {
            connections: 0,
            long_bodies: 0,
            credit: self.burst(),
            settled: Instant::now(),
        });
        if entry.connections >= self.limits.connections {
            return None;
        }
        entry.connections += 1;
        Some(Connection { addresses: self.clone(), address })
    }
}

/// The address to which limits apply: the /64 network of an IPv6 address.
fn subscriber(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = !0 << 64;
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => IpAddr::V6((address.to_bits() & NETWORK).into()),
        other => other,
    }
}

/// An open connection of an address.
#[derive(Debug)]
pub(super) struct Connection {
    addresses: Addresses,
    address: IpAddr,
}

impl Connection {
    /// Whether `cost` requests may be made now; if so, they are charged.
    pub(super) fn charge(&self, cost: u32) -> bool {
        let (now, burst) = (Instant::now(), self.addresses.burst());
        let mut known = self.addresses.known.lock();
        let Some(entry) = known.get_mut(&self.address) else { return false };
        let elapsed = now.saturating_duration_since(entry.settled).as_secs_f64();
        entry.settled = now;
        entry.credit = (entry.credit + elapsed * f64::from(self.addresses.limits.requests)).min(burst);
        let is_allowed = entry.credit >= f64::from(cost);
        if is_allowed {
            entry.credit -= f64::from(cost);
        }
        is_allowed
    }
}

/// The share of a long body in the limits of its client address, until it is dropped.
#[derive(Debug)]
pub(super) struct LongBodyShare(Arc<Connection>);

impl Connection {
    /// Registers a long body; `None` if the address sends too many at the same time.
    pub(super) fn begin_long_body(self: &Arc<Self>) -> Option<LongBodyShare> {
        let most = self.addresses.limits.connections.div_ceil(CONNECTIONS_PER_LONG_BODY);
        let mut known = self.addresses.known.lock();
        let entry = known.get_mut(&self.address)?;
        if entry.long_bodies >= most {
            return None;
        }
        entry.long_bodies += 1;
        Some(LongBodyShare(Arc::clone(self)))
    }
}

impl Drop for LongBodyShare {
    fn drop(&mut self) {
        if let Some(entry) = self.0.addresses.known.lock().get_mut(&self.0.address) {
            entry.long_bodies = entry.long_bodies.saturating_sub(1);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(entry) = self.addresses.known.lock().get_mut(&self.address) {
            entry.connections = entry.connections.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn connections_are_counted_by_address() {
        let addresses = Addresses::new(Limits { connections: 2, requests: 1 });
        let first = addresses.connect(address("10.0.0.1")).expect("it is the first");
        let _second = addresses.connect(address("10.0.0.1")).expect("two may");
        assert!(addresses.connect(address("10.0.0.1")).is_none());
        let _other = addresses.connect(address("10.0.0.2")).expect("another one");
        drop(first);
        assert!(addresses.connect(address("::ffff:10.0.0.1")).is_some(), "the same address in other words");
        let _v6 =
            [1, 2].map(|host| addresses.connect(address(&format!("2001:db8::{host}"))).expect("two may"));
        assert!(addresses.connect(address("2001:db8::3")).is_none(), "one network is one address");
    }

    #[test]
    fn long_bodies_are_counted_by_address() {
        let limits = Limits { connections: 2 * CONNECTIONS_PER_LONG_BODY, requests: 1 };
        let addresses = Addresses::new(limits);
        let connect = |text| Arc::new(addresses.connect(address(text)).expect("there are few"));
        let [one, other] = [connect("10.0.0.1"), connect("10.0.0.1")];
        let first = one.begin_long_body().expect("it is the first");
        let _second = other.begin_long_body().expect("two may");
        assert!(one.begin_long_body().is_none());
        assert!(connect("10.0.0.2").begin_long_body().is_some(), "another address");
        drop(first);
        assert!(one.begin_long_body().is_some());
    }

    #[test]
    fn requests_are_charged() {
        let addresses = Addresses::new(Limits { connections: 9, requests: 1 });
        let connection = addresses.connect(address("127.0.0.1")).expect("it is the first");
        assert!(connection.charge(BURST_SECONDS as u32));
        assert!(!connection.charge(1));
        let again = addresses.connect(address("127.0.0.1")).expect("another connection");
        assert!(!again.charge(1), "a new connection has no new credit");
    }
}
