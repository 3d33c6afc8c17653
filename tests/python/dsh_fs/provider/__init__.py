"""A provider of files in Python: resolve, fence, read, publish, list.

It opens what its embedder grants by name, walks by descriptors, and follows no link below
a root. It holds no other program off, so that a replacement is graded `best-effort`.
"""

from .authority import Asked, Authority, Decision
from .content import Versions
from .files import Files, Ground
from .roots import Roots

__all__ = ["Asked", "Authority", "Decision", "Files", "Ground", "Roots", "Versions"]
