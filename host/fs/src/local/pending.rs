//! TO BE REMOVED WHEN THE BRANCH `publish` IS MERGED: stands where `local/publish` will.

use crate::cancel::Cancel;
use crate::error::Error;
use crate::types::{Edit, EditGuard, Mutation, Report, Target, WriteGuard};
use crate::version::VersionSecret;
use crate::within::Within;
use crate::wording::{self, Verb};

/// How mutations are published.
#[derive(Clone, Debug, Default)]
pub struct PublishOptions {}

/// Refuses every mutation that the sandbox let through.
pub(crate) struct Publisher {}

impl Publisher {
    pub(crate) fn new(_: VersionSecret, _: PublishOptions) -> Self {
        Self {}
    }

    pub(crate) fn write(
        &self,
        target: &Target,
        _: &Within,
        _: &str,
        _: &WriteGuard,
        _: Report,
        _: &Cancel,
    ) -> Result<Mutation, Error> {
        Err(wording::failed(Verb::Write, &target.display, "not merged"))
    }

    pub(crate) fn edit(
        &self,
        target: &Target,
        _: &Within,
        _: &Edit,
        _: &EditGuard,
        _: Report,
        _: &Cancel,
    ) -> Result<Mutation, Error> {
        Err(wording::failed(Verb::Edit, &target.display, "not merged"))
    }
}
