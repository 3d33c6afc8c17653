//! Events in a file, one JSON object a line, written by a thread of its own.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};

use super::{AuditSink, Event, Record};

/// The most records that wait for the file.
const MOST_WAITING: usize = 4096;
/// The most bytes that are written at once.
const MOST_AT_ONCE: usize = 64 * 1024;

/// Writes events to a file. The call that makes one only hands it on.
///
/// Where the file is slower than the events, 4,096 of them wait; after that the calls wait
/// too, so that nothing is lost. A process that is killed loses what was waiting. Dropping
/// the sink writes everything. An error of the file fails no call by itself: it is reported
/// once, the records that could not be written are counted ([`Self::lost`]), and their
/// number is the next record of the file that can be. Whoever wants no change that is not
/// written down asks [`AuditSink::is_written`] ahead of it.
///
/// Several processes, and several sinks, may write to one file.
pub struct JsonLines {
    queue: Option<SyncSender<Message>>,
    writer: Option<JoinHandle<()>>,
    lost: Arc<AtomicU64>,
}

enum Message {
    Line(Vec<u8>),
    /// Everything before this has been dealt with once it is answered: whether the file has
    /// it, or tells how much it lacks.
    Flush(SyncSender<bool>),
}

impl JsonLines {
    /// Opens the file for appending, and makes it where it is not there, readable by this
    /// user alone (0600); one that exists keeps its permissions. `report` hears of the
    /// first error. Keep the file where the sessions cannot write.
    ///
    /// # Errors
    /// The file cannot be opened, or there is no thread to be had.
    pub fn open(path: &Path, report: impl FnOnce(&io::Error) + Send + 'static) -> io::Result<Self> {
        #[allow(clippy::disallowed_methods, reason = "the embedder has named the file")]
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(path)?;
        let torn = ends_in_the_middle(&mut file)?;
        Self::start(file, torn, report)
    }

    /// The same over any writer, to which each batch of whole lines is one `write_all`.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn to(
        output: impl Write + Send + 'static,
        report: impl FnOnce(&io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        Self::start(output, false, report)
    }

    /// How many records could not be written so far, whether or not the file tells of them.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Acquire)
    }

    /// Waits until every event so far has been written, or has failed to be; answers whether
    /// the file can be written now.
    pub fn flush(&self) -> bool {
        let (answer, answered) = sync_channel(1);
        let queue = self
            .queue
            .as_ref()
            .expect("it is taken when this is dropped");
        let sent = queue.send(Message::Flush(answer)).is_ok();
        // Without an answer the writer has panicked: there is nothing to wait for.
        sent && answered.recv().unwrap_or_default()
    }

    fn start(
        output: impl Write + Send + 'static,
        torn: bool,
        report: impl FnOnce(&io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let (queue, waiting) = sync_channel(MOST_WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let mut paper = Paper {
            output,
            report: Some(report),
            torn,
            untold: 0,
            lost: Arc::clone(&lost),
        };
        let writer = thread::Builder::new()
            .name("dsh-fs-audit".into())
            .spawn(move || paper.write_all_of(&waiting))?;
        Ok(Self {
            queue: Some(queue),
            writer: Some(writer),
            lost,
        })
    }
}

impl AuditSink for JsonLines {
    fn record(&self, record: &Record<'_>) {
        let queue = self
            .queue
            .as_ref()
            .expect("it is taken when this is dropped");
        // Without a receiver the writer has panicked, and no call fails for that.
        let _ = queue.send(Message::Line(line(record)));
    }

    fn is_written(&self) -> bool {
        self.flush()
    }
}

impl Drop for JsonLines {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            // A writer that has panicked has said so; nothing more can be written.
            let _ = writer.join();
        }
    }
}

/// A process that was killed may have left half a line.
fn ends_in_the_middle(file: &mut File) -> io::Result<bool> {
    let Ok(length) = file.seek(SeekFrom::End(0)) else {
        return Ok(false);
    };
    let mut last = [0];
    if length > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(length > 0 && last != *b"\n")
}

fn line(record: &Record<'_>) -> Vec<u8> {
    let mut line = serde_json::to_vec(record).expect("an event is plain text and numbers");
    line.push(b'\n');
    line
}

/// The file as its thread sees it.
struct Paper<W, R> {
    output: W,
    /// Hears of the first error.
    report: Option<R>,
    /// Whether the last line may be half a line.
    torn: bool,
    /// How many records were lost that the file does not tell of yet.
    untold: u64,
    lost: Arc<AtomicU64>,
}

impl<W: Write, R: FnOnce(&io::Error)> Paper<W, R> {
    /// Until nobody can send any more.
    fn write_all_of(&mut self, waiting: &Receiver<Message>) {
        while let Ok(first) = waiting.recv() {
            let mut batch = Batch::default();
            let mut next = Ok(first);
            let asked = loop {
                match next {
                    Ok(Message::Line(line)) => batch.add(&line),
                    Ok(Message::Flush(answer)) => break Some(answer),
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => break None,
                }
                if batch.bytes.len() >= MOST_AT_ONCE {
                    break None;
                }
                next = waiting.try_recv();
            };
            self.write(&batch);
            if let Some(answer) = asked {
                // Whoever asked may have stopped waiting.
                let _ = answer.send(self.untold == 0);
            }
        }
    }

    fn write(&mut self, batch: &Batch) {
        if batch.records == 0 && self.untold == 0 {
            return;
        }
        let mut bytes = Vec::new();
        if self.torn {
            bytes.push(b'\n');
        }
        if self.untold > 0 {
            let records = self.untold;
            bytes.extend(line(&Record::now(None, Event::RecordsLost { records })));
        }
        bytes.extend_from_slice(&batch.bytes);
        match self
            .output
            .write_all(&bytes)
            .and_then(|()| self.output.flush())
        {
            Ok(()) => (self.torn, self.untold) = (false, 0),
            Err(error) => {
                (self.torn, self.untold) = (true, self.untold + batch.records);
                self.lost.fetch_add(batch.records, Ordering::AcqRel);
                if let Some(report) = self.report.take() {
                    report(&error);
                }
            }
        }
    }
}

/// Lines that are written at once.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    records: u64,
}

impl Batch {
    fn add(&mut self, line: &[u8]) {
        self.bytes.extend_from_slice(line);
        self.records += 1;
    }
}
