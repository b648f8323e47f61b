"""What can be uploaded, cut into pieces that can each be sent again. Memory is bounded by the pieces in flight (N26)."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, NamedTuple

from .errors import ArgumentError

PART_BYTES = 8 * 1024 * 1024
"""The size of a part that the service takes."""
WHOLE_UP_TO_BYTES = 4 * PART_BYTES
"""Content of known size goes in one request up to here."""
DEFAULT_CONTENT_TYPE = "application/octet-stream"

Content = bytes | Path | IO[bytes] | Iterable[bytes]
"""Bytes, a path, a file that is open for reading bytes, or pieces of bytes in any size."""


class Piece(NamedTuple):
    part_number: int
    content: bytes


@dataclass(frozen=True)
class UploadProgress:
    bytes_done: int
    bytes_total: int | None
    """Unknown for a stream until it ends."""


OnUpload = Callable[[UploadProgress], object]


class Pieces:
    """Hands out the pieces of one content, to several senders at a time."""

    def __init__(self, content: Content) -> None:
        self.size = size_of(content)
        self._pieces = pieces_of(content, self.size)
        self._lock = Lock()

    def next(self) -> Piece | None:
        with self._lock:
            return next(self._pieces, None)


def size_of(content: Content) -> int | None:
    if isinstance(content, str):
        raise ArgumentError(
            "content must be bytes, a pathlib.Path, an open binary file or pieces of bytes. Encode a text with .encode()."
        )
    if isinstance(content, bytes):
        return len(content)
    return os.stat(content).st_size if isinstance(content, Path) else None


def pieces_of(content: Content, size: int | None) -> Iterator[Piece]:
    step = PART_BYTES if size is None or size > WHOLE_UP_TO_BYTES else WHOLE_UP_TO_BYTES
    parts = enumerate(cut(content, step), 1)
    return (Piece(number, part) for number, part in parts)


def cut(content: Content, step: int) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield from (content[start : start + step] for start in range(0, len(content), step))
    elif isinstance(content, Path):
        with content.open("rb") as file:
            yield from iter(lambda: file.read(step), b"")
    else:
        yield from regrouped(content, step)


def regrouped(pieces: Iterable[bytes], step: int) -> Iterator[bytes]:
    """An open file is iterated by lines, other streams in any pieces: parts must have the size that the service takes."""
    held = bytearray()
    for piece in pieces:
        held += piece
        while len(held) >= step:
            yield bytes(held[:step])
            del held[:step]
    if held:
        yield bytes(held)


def name_of(content: Content, file_name: str | None) -> str:
    if file_name is not None:
        return file_name
    if isinstance(content, Path):
        return content.name
    raise ArgumentError("file_name is needed where the content is not a path.")


def type_of(file_name: str, content_type: str | None) -> str:
    """As a browser would: by the end of the name."""
    return content_type or mimetypes.guess_type(file_name)[0] or DEFAULT_CONTENT_TYPE
