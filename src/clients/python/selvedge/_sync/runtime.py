"""Waiting and working side by side, with threads. `_async/runtime.py` has the same names for asyncio; both are written by hand."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

from ..upload_content import Piece, Pieces

T = TypeVar("T")


def pause(seconds: float) -> None:
    time.sleep(seconds)


def notify(listener: Callable[[T], object] | None, value: T) -> None:
    if listener is not None:
        listener(value)


def next_piece(pieces: Pieces) -> Piece | None:
    return pieces.next()


def side_by_side(work: Callable[[], None], count: int) -> None:
    """Runs the same work several times at once; after the first failure no more work is begun."""
    with ThreadPoolExecutor(count) as pool:
        futures = [pool.submit(work) for _ in range(count)]
        done, _ = wait(futures, return_when=FIRST_EXCEPTION)
    for future in done:
        future.result()
