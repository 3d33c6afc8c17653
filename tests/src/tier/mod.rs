//! The ways in which a vector runs: three of ours, and another implementation.

use anyhow::Result;
use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Step};
use crate::places::Places;
use adapter::Adapter;

pub mod adapter;
pub mod brain;
pub mod component;
mod confine;
pub mod decide;
pub mod host;
mod mutate;
pub mod native;
pub mod paper;
pub mod provider;
pub mod sessions;
mod tell;
mod window;
mod workspace;

/// Where a vector runs.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// On guest/policy and guest/text, as plain Rust.
    Native,
    /// On the gate, as a component.
    Gate,
    /// Through the whole host: toolbox, gate, fence, files.
    Host,
    /// In another implementation, reached through a program.
    Adapter,
}

impl Tier {
    /// Every tier of ours, the quickest first.
    pub const ALL: [Self; 3] = [Self::Native, Self::Gate, Self::Host];

    /// The name on the command line and in vectors.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Gate => "gate",
            Self::Host => "host",
            Self::Adapter => "adapter",
        }
    }

    /// The tier of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.name() == name)
    }
}

/// The directories that the arguments of a runner name as writable.
pub(crate) fn writable_of(args: &[String]) -> Vec<String> {
    confine::writable(args)
}

/// Something that performs the operations of one vector, in order.
pub trait Stage {
    /// Performs one operation and tells its result; an error means that the runner
    /// itself could not go on, and fails the vector.
    fn perform(&mut self, step: &Step) -> Result<Value>;
}

/// The stage of a tier for a vector, or why there is none.
pub fn stage<'a>(
    tier: Tier,
    case: &'a Case,
    places: &'a Places,
    adapter: Option<&'a Adapter>,
) -> Result<Box<dyn Stage + 'a>, String> {
    if case.given.domain.is_some() {
        return match tier {
            Tier::Host => workspace::stage(case, places),
            _ => Err("the registry of workspaces is the host's".to_owned()),
        };
    }
    match tier {
        Tier::Native => native::stage(case, places),
        Tier::Gate => component::stage(case, places),
        Tier::Host => host::stage(case, places),
        Tier::Adapter => match adapter {
            Some(adapter) => adapter::stage(case, places, adapter),
            None => Err("no other implementation was named".to_owned()),
        },
    }
}
