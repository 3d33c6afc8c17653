//! Races against second processes, shared by the test binary and by the example.

pub(crate) mod accounts;
pub(crate) mod actor;
pub(crate) mod grades;
mod ground;
pub(crate) mod guarded;
pub(crate) mod killed;
#[allow(dead_code, reason = "the test binary has its own order")]
pub(crate) mod length;
pub(crate) mod lost;
pub(crate) mod outsider;
pub(crate) mod place;
pub(crate) mod removal;
pub(crate) mod second;
pub(crate) mod swap;
pub(crate) mod swapper;
pub(crate) mod user;

/// What a race came to.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// What is printed.
    pub(crate) line: serde_json::Value,
    /// Promises that were not kept.
    pub(crate) broken: Vec<String>,
}

impl Outcome {
    fn new(line: serde_json::Value) -> Self {
        Self {
            line,
            broken: Vec::new(),
        }
    }

    fn demand(&mut self, kept: bool, promise: impl Into<String>) {
        if !kept {
            self.broken.push(promise.into());
        }
    }

    /// Prints the line. For a test: fails if a promise was broken.
    #[allow(dead_code, reason = "the example goes on to the next race")]
    pub(crate) fn must_be_kept(self) {
        println!("{}", self.line);
        assert!(self.broken.is_empty(), "{:#?}\n{}", self.broken, self.line);
    }
}

/// When a race is over: whichever comes first.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Bound {
    /// Mutations that were tried.
    pub(crate) cycles: u64,
    pub(crate) milliseconds: u64,
    /// Whether mutations wait for the disk.
    pub(crate) durable: bool,
}

impl Bound {
    /// For `make test`.
    pub(crate) const fn short(milliseconds: u64) -> Self {
        Self {
            cycles: 20_000,
            milliseconds,
            durable: false,
        }
    }
}
