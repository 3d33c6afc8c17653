"""One owner's memory: the next gate keeps it."""

from app import is_lock, refuse_locks
from wit_world.imports import observation as next_observation
from wit_world.imports.types import WriteGuard_ReplaceIfVersion

# A version that no content has.
NEVER = "never"


class Ledger:
    """The ledger of the next gate, with this gate's rule in front of it."""

    def __init__(self, seed, capacity):
        self._next = next_observation.Ledger(seed, capacity)

    def write_intent(self, key):
        guard = self._next.write_intent(key)
        if is_lock(key) and isinstance(guard, WriteGuard_ReplaceIfVersion):
            return WriteGuard_ReplaceIfVersion(NEVER)
        return guard

    def edit_intent(self, target):
        refuse_locks(target)
        return self._next.edit_intent(target)

    def observe(self, key, prior):
        self._next.observe(key, prior)

    def prior_of(self, key):
        return self._next.prior_of(key)

    def fill(self):
        return self._next.fill()

    def snapshot(self, page):
        return self._next.snapshot(page)

    def restore(self, page):
        self._next.restore(page)

    def fork(self):
        child = Ledger.__new__(Ledger)
        child._next = self._next.fork()
        return child
