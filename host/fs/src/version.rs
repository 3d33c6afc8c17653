//! The version of a file is its content: 128 bits over the bytes, under a secret.
//!
//! Equal content has equal versions, whatever happened to the file's times, mode or
//! links. Without the secret nobody can make two contents with one version.

mod secret;

pub use secret::VersionSecret;
use xxhash_rust::xxh3::{Xxh3, xxh3_128_with_secret};

/// How many characters a version has: 128 bits, six to a character.
const CHARACTERS: u32 = 22;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl VersionSecret {
    /// The version of this content: 22 characters of base64url.
    #[must_use]
    pub fn version_of(&self, content: &[u8]) -> String {
        print(xxh3_128_with_secret(content, self.bytes()))
    }

    /// Begins a version whose content comes in pieces.
    #[must_use]
    pub fn hasher(&self) -> VersionHasher {
        VersionHasher(Box::new(Xxh3::with_secret(*self.bytes())))
    }
}

/// The version of a content that comes in pieces, where most come in one: then it is made
/// at once, without the state that several need.
pub(crate) struct PiecedVersion<'s> {
    secret: &'s VersionSecret,
    hasher: Option<VersionHasher>,
    whole: Option<String>,
}

impl<'s> PiecedVersion<'s> {
    /// The version of nothing yet.
    pub(crate) fn new(secret: &'s VersionSecret) -> Self {
        Self {
            secret,
            hasher: None,
            whole: None,
        }
    }

    /// Takes the next piece; `last` says that it is known to be the last one.
    pub(crate) fn update(&mut self, piece: &[u8], last: bool) {
        match &mut self.hasher {
            None if last => self.whole = Some(self.secret.version_of(piece)),
            hasher => hasher
                .get_or_insert_with(|| self.secret.hasher())
                .update(piece),
        }
    }

    /// The version of all pieces.
    pub(crate) fn finish(self) -> String {
        match (self.whole, self.hasher) {
            (Some(whole), _) => whole,
            (None, Some(hasher)) => hasher.finish(),
            (None, None) => self.secret.version_of(&[]),
        }
    }
}

/// A version in the making. Boxed, because the state is over half a kilobyte.
#[derive(Clone)]
pub struct VersionHasher(Box<Xxh3>);

impl VersionHasher {
    /// Takes the next piece of the content.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The version of everything taken so far.
    #[must_use]
    pub fn finish(&self) -> String {
        print(self.0.digest128())
    }
}

fn print(digest: u128) -> String {
    (0..CHARACTERS)
        .rev()
        .map(|place| {
            let six = usize::try_from((digest >> (6 * place)) & 63).expect("six bits fit");
            char::from(ALPHABET[six])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{PiecedVersion, VersionSecret};
    use proptest::prelude::*;

    #[test]
    fn a_version_is_22_characters_and_depends_on_the_secret() {
        let (one, two) = (secret(), secret());
        assert_eq!(one.version_of(b"x").len(), 22);
        assert_eq!(one.version_of(b"x"), one.clone().version_of(b"x"));
        assert_ne!(one.version_of(b"x"), two.version_of(b"x"));
        assert_ne!(one.version_of(b""), one.version_of(b"\0"));
    }

    fn secret() -> VersionSecret {
        VersionSecret::random().expect("the kernel gives random bytes")
    }

    proptest! {
        /// The hash treats up to 16, 128, 240 and more bytes differently.
        #[test]
        fn pieces_give_the_version_of_the_whole(
            pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..700), 0..6),
        ) {
            let secret = secret();
            let mut hasher = secret.hasher();
            for piece in &pieces {
                hasher.update(piece);
            }
            prop_assert_eq!(hasher.finish(), secret.version_of(&pieces.concat()));
            for end_is_known in [false, true] {
                let mut version = PiecedVersion::new(&secret);
                for (number, piece) in pieces.iter().enumerate() {
                    version.update(piece, end_is_known && number + 1 == pieces.len());
                }
                prop_assert_eq!(version.finish(), secret.version_of(&pieces.concat()));
            }
        }
    }
}
