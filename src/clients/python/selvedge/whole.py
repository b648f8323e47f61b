"""Whether a download is whole.

One that could not go on says so in its last line, because its answer may end all the same: a row of CSV with a cell too many, or a
JSON line with a problem. One that was cut on its way ends inside a line.
"""

from __future__ import annotations

from typing import Literal

from .errors import ApiError

DownloadFormat = Literal["csv", "jsonl"]
PROBLEM = b'{"problem":'
"""How the last line of an export begins that could not go on; no entity has a property first that is named so."""


class WholeCheck:
    """Takes a download piece by piece; fails where it is not whole."""

    def __init__(self, format: DownloadFormat, request_id: str | None) -> None:
        self._take = self._take_csv if format == "csv" else self._take_jsonl
        self._request_id = request_id
        self._last = b"\n"
        self._is_quoted = False
        self._columns = 0
        self._cells = 1
        self._line_start = b""

    def take(self, piece: bytes) -> bytes:
        if self._take(piece):
            raise self._broken_off()
        self._last = piece[-1:] or self._last
        return piece

    def end(self) -> None:
        if self._last != b"\n" or self._is_quoted:
            raise self._broken_off()

    def _take_csv(self, piece: bytes) -> bool:
        for number, part in enumerate(piece.split(b'"')):
            if number > 0:
                self._is_quoted = not self._is_quoted
            if self._is_quoted:
                continue
            first, *following = part.split(b"\n")
            self._cells += first.count(b",")
            for line in following:
                self._columns = self._columns or self._cells
                if self._cells != self._columns:
                    return True
                self._cells = 1 + line.count(b",")
        return False

    def _take_jsonl(self, piece: bytes) -> bool:
        first, *following = piece.split(b"\n")
        self._line_start = (self._line_start + first)[: len(PROBLEM)]
        if self._line_start == PROBLEM:
            return True
        for line in following:
            self._line_start = line[: len(PROBLEM)]
            if self._line_start == PROBLEM:
                return True
        return False

    def _broken_off(self) -> ApiError:
        message = "The download broke off: what follows is missing."
        return ApiError(200, "broken_off", message, request_id=self._request_id)
