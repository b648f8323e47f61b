# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""Waiting for a process of the service: often at first, then less so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .runtime import notify, pause

T = TypeVar("T")
FIRST_LOOK_S = 0.2
LONGEST_LOOK_S = 2.0


def watch(look: Callable[[], T], on_progress: Callable[[T], object] | None, has_ended: Callable[[T], bool]) -> T:
    """The first state that has ended."""
    delay = FIRST_LOOK_S
    while True:
        state = look()
        notify(on_progress, state)
        if has_ended(state):
            return state
        pause(delay)
        delay = min(LONGEST_LOOK_S, delay * 1.5)
