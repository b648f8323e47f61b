"""How far this client has read and written (N59).

The service tells it with each answer. Sent along, it lets a replica nearby answer reads, never older than what this client has
seen or written. Without one, the primary answers.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

BOOKMARK_HEADER = "x-d1-bookmark"


class Begun(NamedTuple):
    """What a request was sent with."""

    sent: str | None
    given_up: int
    """How often the bookmark had been given up by then."""


class Bookmark:
    def __init__(self, kept: str | None, on_change: Callable[[str | None], None] | None) -> None:
        self._kept = kept
        self._given_up = 0
        self._on_change = on_change
        self._lock = Lock()

    @property
    def kept(self) -> str | None:
        return self._kept

    def begin(self) -> Begun:
        with self._lock:
            return Begun(self._kept, self._given_up)

    def answered(self, begun: Begun, received: str | None, may_have_written: bool) -> None:
        """``may_have_written``: the call may have changed data, and the answer need not say where."""
        if received is None:
            if may_have_written:
                self.give_up()
            return
        with self._lock:
            # A request that began before a write without a bookmark may not have seen that write.
            if begun.given_up != self._given_up:
                return
            is_another_database = begun.sent is not None and is_newer(begun.sent, received)
            if not (is_another_database or self._kept is None or is_newer(received, self._kept)):
                return
        self._keep(received)

    def give_up(self) -> None:
        """Where a write ended is unknown: the next read goes to the primary."""
        with self._lock:
            self._given_up += 1
        self._keep(None)

    def _keep(self, bookmark: str | None) -> None:
        if bookmark == self._kept:
            return
        self._kept = bookmark
        if self._on_change is not None:
            self._on_change(bookmark)


def is_newer(one: str, other: str) -> bool:
    """Bookmarks of one database sort by time. One of another database counts as newer: at worst a read goes to the primary."""
    return one.rpartition(".")[0] != other.rpartition(".")[0] or one > other
