//! A place for one call at a time, which a caller may stop waiting for.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dsh_fs::cancel::Cancel;

/// How often a caller that waits looks whether its call was withdrawn.
const GLANCE: Duration = Duration::from_millis(20);

/// A place for one call at a time. A call that panics leaves it free.
pub(crate) struct Lane<T> {
    free: Mutex<Option<T>>,
    freed: Condvar,
}

impl<T> Lane<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            free: Mutex::new(Some(value)),
            freed: Condvar::new(),
        }
    }

    /// Waits for its turn; nothing if the call is withdrawn first.
    pub(crate) fn enter(&self, cancel: &Cancel) -> Option<Turn<'_, T>> {
        let mut free = self.lock();
        loop {
            if let Some(value) = free.take() {
                return Some(self.turn(value));
            }
            if cancel.is_cancelled() {
                return None;
            }
            let waited = self.freed.wait_timeout(free, GLANCE);
            free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Its turn, where nobody is there.
    pub(crate) fn try_enter(&self) -> Option<Turn<'_, T>> {
        let value = self.lock().take()?;
        Some(self.turn(value))
    }

    fn turn(&self, value: T) -> Turn<'_, T> {
        Turn {
            lane: self,
            value: Some(value),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place, taken until this is dropped.
pub(crate) struct Turn<'a, T> {
    lane: &'a Lane<T>,
    /// There until this is dropped.
    value: Option<T>,
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        *self.lane.lock() = self.value.take();
        self.lane.freed.notify_one();
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.as_ref().expect("it is there until the drop")
    }
}

impl<T> DerefMut for Turn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value.as_mut().expect("it is there until the drop")
    }
}
