# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""Exports (N51): everything that fits, of any size, as it comes. One that breaks off raises; one that ends is whole."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from ..address import entity_path
from ..call import Call, request_id_of
from ..entity import Criteria, Order, T
from ..models import LoaderConfiguration
from ..whole import WholeCheck
from .requests import Requests

ExportFormat = Literal["csv", "csv-load", "jsonl"]
"""``csv`` shows values as ``get`` does; ``csv-load`` is for editing and loading back, under the configuration (N75)."""


class Exports:
    """``client.exports``. ``properties`` names those to export; federatedId is always there."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def pieces(
        self,
        entity_name: str,
        *,
        format: ExportFormat = "csv",
        criteria: Criteria | None = None,
        q: str | None = None,
        order: Order | None = None,
        properties: Sequence[str] | None = None,
    ) -> Iterator[bytes]:
        """The export piece by piece; raises an ApiError with code broken_off where it is not whole.

        >>> for piece in client.exports.pieces("item", criteria={"season": "SS27"}):
        ...     out.write(piece)
        """
        query = query_of(criteria, q, order, properties, format)
        for piece in download(self._requests, f"{entity_path(entity_name)}/export", query, format):
            yield piece

    def save(
        self,
        entity_name: str,
        path: str | os.PathLike[str],
        *,
        format: ExportFormat = "csv",
        criteria: Criteria | None = None,
        q: str | None = None,
        order: Order | None = None,
        properties: Sequence[str] | None = None,
    ) -> Path:
        """Exports into a file of this machine, which appears once it is whole.

        >>> client.exports.save("item", "items.csv", properties=["name", "season"])
        """
        target = Path(path)
        unfinished = target.with_name(f"{target.name}.part")
        query = query_of(criteria, q, order, properties, format)
        with unfinished.open("wb") as out:
            for piece in download(self._requests, f"{entity_path(entity_name)}/export", query, format):
                out.write(piece)
        return unfinished.replace(target)

    def entities(
        self,
        entity_name: str,
        *,
        criteria: Criteria | None = None,
        q: str | None = None,
        order: Order | None = None,
        properties: Sequence[str] | None = None,
        as_type: type[T] | None = None,
    ) -> Iterator[T]:
        """Every entity that fits, one after the other, in one request.

        >>> for item in client.exports.entities("item"):
        ...     print(item["federatedId"])
        """
        query = query_of(criteria, q, order, properties, "jsonl")
        held = b""
        for piece in download(self._requests, f"{entity_path(entity_name)}/export", query, "jsonl"):
            *lines, held = (held + piece).split(b"\n")
            for line in lines:
                yield json.loads(line)

    def configuration(
        self,
        entity_name: str,
        *,
        criteria: Criteria | None = None,
        q: str | None = None,
        order: Order | None = None,
        properties: Sequence[str] | None = None,
    ) -> LoaderConfiguration:
        """The configuration under which loading the form ``csv-load`` again changes nothing.

        >>> config = client.exports.configuration("item", properties=["name", "season"])
        """
        query = query_of(criteria, q, order, properties, "configuration")
        return self._requests.json(Call("GET", f"{entity_path(entity_name)}/export", query))


def query_of(
    criteria: Criteria | None, q: str | None, order: Order | None, properties: Sequence[str] | None, format: str
) -> dict[str, Any]:
    names = None if properties is None else ",".join(properties)
    return {"criteria": criteria, "q": q, "order": order, "properties": names, "format": format}


def download(requests: Requests, path: str, query: dict[str, Any], format: ExportFormat) -> Iterator[bytes]:
    response = requests.open(Call("GET", path, query))
    check = WholeCheck("jsonl" if format == "jsonl" else "csv", request_id_of(response))
    for piece in requests.pieces(response):
        yield check.take(piece)
    check.end()
