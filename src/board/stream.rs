//! A connection that is closed when its other end does not accept data for a while.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The time limit for the other end to accept waiting data.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// A stream on which writing fails if the other end accepts nothing for a while.
pub(super) struct PatientStream {
    stream: TcpStream,
    /// Runs while data waits to be accepted.
    timer: Pin<Box<Sleep>>,
    patience: Duration,
    is_waiting: bool,
}

impl PatientStream {
    /// Wraps a stream, with this time limit.
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, timer: Box::pin(sleep(patience)), patience, is_waiting: false }
    }

    /// Returns the outcome of an attempt to write, or an error after the time limit.
    fn judge<T>(&mut self, context: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.is_waiting = false;
            return outcome;
        }
        if !self.is_waiting {
            self.is_waiting = true;
            self.timer.as_mut().reset(Instant::now() + self.patience);
        }
        match self.timer.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for PatientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for PatientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, outcome)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.judge(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::PatientStream;
    use std::future::poll_fn;
    use std::io::{ErrorKind, Result};
    use std::pin::Pin;
    use std::time::Duration;
    use tokio::io::AsyncWrite;
    use tokio::net::{TcpListener, TcpStream};
    use tokio::time::sleep;

    /// More than the buffers of the system hold, in bytes.
    const LONG: usize = 64 << 20;

    /// The two ends of a connection.
    async fn ends(patience: Duration) -> (PatientStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        (PatientStream::new(accepted.expect("it comes").0, patience), client.expect("it is accepted"))
    }

    async fn write_all(stream: &mut PatientStream, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            let written = poll_fn(|context| Pin::new(&mut *stream).poll_write(context, bytes)).await?;
            bytes = &bytes[written..];
        }
        Ok(())
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("it starts").block_on(test);
    }

    #[test]
    fn a_client_that_reads_nothing_is_given_up() {
        run(async {
            let (mut server, client) = ends(Duration::from_millis(50)).await;
            let error = write_all(&mut server, &vec![0; LONG]).await.expect_err("nobody reads it");
            assert_eq!(error.kind(), ErrorKind::TimedOut);
            drop(client);
        });
    }

    #[test]
    fn a_client_that_reads_slowly_is_served() {
        run(async {
            let (mut server, client) = ends(Duration::from_secs(30)).await;
            let reading = async {
                let (mut bytes, mut left) = (vec![0; 1 << 20], LONG);
                while left > 0 {
                    sleep(Duration::from_millis(1)).await;
                    client.readable().await.expect("it is open");
                    left -= client.try_read(&mut bytes).unwrap_or(0);
                }
            };
            let bytes = vec![0; LONG];
            let (written, ()) = tokio::join!(write_all(&mut server, &bytes), reading);
            written.expect("it is accepted");
        });
    }
}
