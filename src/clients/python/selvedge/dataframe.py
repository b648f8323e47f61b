"""Entities as a table of pandas, which only this module needs: `pip install selvedge[pandas]`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas

TIMES = ("createdOn", "updatedOn")


def to_dataframe(entities: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    """A row for each entity, by its id; an absent property is an empty cell, and times are times.

    >>> frame = to_dataframe(client.entities.list_all("item"))
    """
    frame = pandas.DataFrame([dict(entity) for entity in entities])
    if "id" not in frame:
        return frame
    for column in TIMES:
        if column in frame:
            frame[column] = pandas.to_datetime(frame[column], format="ISO8601", utc=True)
    return frame.set_index("id")
