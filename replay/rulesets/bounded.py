"""Keeping what logs bring along, bounded by bytes: a log decides how large its parts are."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Values by key, of at most ``limit`` bytes together; those asked for longest ago go first.

    The caller says how large each value is, its key included. A value larger than ``limit`` is not
    kept. May be used by several threads.
    """

    def __init__(self, limit: int) -> None:
        """Start with nothing."""
        self.limit = limit
        self.size = 0
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return the value of a key, ``None`` when there is none."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep a value of ``size`` bytes, in the place of one that the key had before."""
        with self._lock:
            _, before = self._values.pop(key, (None, 0))
            self.size += size - before
            self._values[key] = value, size
            while self.size > self.limit:
                _, (_, gone) = self._values.popitem(last=False)
                self.size -= gone

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()
            self.size = 0
