//! What the local backend is made of: a secret for versions, and a publisher.

use super::pending::{PublishOptions, Publisher};
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

    pub(super) fn secret(&self) -> &VersionSecret {
        &self.secret
    }

    pub(super) fn publisher(&self) -> &Publisher {
        &self.publisher
    }
}
