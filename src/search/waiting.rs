//! How threads wait for each other.

use crossbeam_channel::{Receiver, Select};

/// Sleeps until something comes; `None` when nothing more can come.
///
/// `recv` would first look a few times and yield between. On a busy machine who yields waits for a whole time slice of
/// another process, even if something comes meanwhile, while who sleeps is woken at once: with both cores busy, an answer to
/// `go` takes 0.5 ms instead of 1.1.
pub fn next<T>(receiver: &Receiver<T>) -> Option<T> {
    let mut select = Select::new();
    select.recv(receiver);
    select.select().recv(receiver).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::unbounded;
    use std::thread;

    #[test]
    fn all_comes_in_its_order_and_then_the_end() {
        let (sender, receiver) = unbounded();
        let numbers = 0..1000;
        let expected: Vec<u32> = numbers.clone().collect();
        let sending =
            thread::spawn(move || numbers.for_each(|number| sender.send(number).expect("it is heard")));
        assert_eq!(std::iter::from_fn(|| next(&receiver)).collect::<Vec<_>>(), expected);
        sending.join().expect("all was sent");
        assert_eq!(next(&receiver), None);
    }
}
