//! The decisions of dsh:fs: what a mutation must demand, which policy a call has, whether
//! wider permissions may be asked for, and every sentence a model reads about it.
//!
//! Everything here is a function over values or an owner's own memory ([`Ledger`]). Nothing
//! touches a file, reads a clock, or fails except by refusing; a refusal is a value of an
//! enum, and [`wording`] is the only place that has a sentence for it.
#![no_std]

extern crate alloc;

mod code;
mod escalation;
mod guard;
mod ledger;
mod mode;
mod policy;
mod spelling;
pub mod wording;

pub use code::ErrorCode;
pub use escalation::{
    ArgumentRefusal, Circumstances, EscalationRefusal, Outcome, check_escalation, judge_escalation,
};
pub use guard::{EditGuard, EditRefusal, Prior, WriteGuard, decide_edit, decide_write};
pub use ledger::{DEFAULT_CAPACITY, Fill, LARGEST_CAPACITY, Ledger, PAGE_BYTES, PageRefusal, Seed};
pub use mode::{Mode, UnknownMode};
pub use policy::{
    ExecutionPolicy, ModeEvent, ModeSource, PolicyInputs, fold_mode_events, resolve_policy,
};
