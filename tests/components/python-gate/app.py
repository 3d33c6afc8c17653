"""A link of a chain of gates: lock files can be made, and never be changed.

It decides about files that a package manager writes, and asks the next gate about all
others.
"""

from componentize_py_types import Err
from wit_world.imports import observation as next_observation
from wit_world.imports import sandbox as next_sandbox
from wit_world.imports.types import Error, ErrorCode

LOCKS = ("Cargo.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "uv.lock")


def is_lock(key):
    """Whether a key is that of a lock file."""
    return key.rsplit("/", 1)[-1] in LOCKS


def refuse_locks(target):
    """Refuses an edit of a lock file."""
    if is_lock(target.key):
        path = target.display_path
        message = f'cannot edit "{path}": a package manager writes lock files'
        raise Err(Error(ErrorCode.PERMISSION_DENIED, message, path, None))


class Observation:
    """The interface `observation`; its ledger is in observation.py."""

    def decide_write(self, prior):
        return next_observation.decide_write(prior)

    def decide_edit(self, target, prior):
        refuse_locks(target)
        return next_observation.decide_edit(target, prior)

    def with_remedy(self, code, message):
        return next_observation.with_remedy(code, message)


class Sandbox:
    """The interface `sandbox`: every question goes to the next gate."""

    def __getattr__(self, name):
        return getattr(next_sandbox, name)
