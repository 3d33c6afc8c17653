//! What the local backend is made of: a secret for versions, and a publisher.

use std::sync::Arc;

use super::publish::{PublishOptions, Publisher};
use super::sys::Watch;
use crate::version::VersionSecret;

/// The file system of this machine as a provider.
pub struct LocalFileSystem {
    secret: VersionSecret,
    publisher: Publisher,
}

impl LocalFileSystem {
    /// A provider whose versions are made under this secret.
    #[must_use]
    pub fn new(secret: VersionSecret, options: PublishOptions) -> Self {
        let publisher = Publisher::new(secret.clone(), options);
        Self { secret, publisher }
    }

    /// The same; each system call of a mutation is announced first. For tests.
    #[must_use]
    pub fn watched(secret: VersionSecret, options: PublishOptions, watch: Arc<dyn Watch>) -> Self {
        let publisher = Publisher::watched(secret.clone(), options, watch);
        Self { secret, publisher }
    }

    /// How many targets are being changed or waited for at this moment.
    #[must_use]
    pub fn busy_targets(&self) -> usize {
        self.publisher.busy_targets()
    }

    pub(super) fn secret(&self) -> &VersionSecret {
        &self.secret
    }

    pub(super) fn publisher(&self) -> &Publisher {
        &self.publisher
    }
}
