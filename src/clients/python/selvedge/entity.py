"""The shapes of entities and lists as they travel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict, TypeVar

Entity: TypeAlias = dict[str, Any]
"""An entity as it travels. `selvedge types generate --language python` makes a TypedDict for each type of your organization."""

T = TypeVar("T", default=Entity)
"""What an entity is read as: a dictionary, or the TypedDict given as ``as_type``."""


class Page(TypedDict, Generic[T]):
    results: list[T]
    nextPageKey: str | None
    """Send it back as ``next_page_key``; None at the end."""
    isPartial: NotRequired[bool]
    """The service stopped looking before the page was full (N71). Lists of this client read on."""


class Batch(TypedDict, Generic[T]):
    results: list[T]


class Order(TypedDict):
    """By a field that every entity has (createdOn, updatedOn, name, federatedId, identifier), or by an indexed property."""

    orderField: str
    order: Literal["asc", "desc"]


Criteria: TypeAlias = Mapping[str, Any]
"""By property: a value, a list (any of), None (absent), ``BETWEEN 2026-01-01 and 2026-01-31``, or operators such as ``{"gte": 20}``."""

Properties: TypeAlias = Mapping[str, Any]
"""Fields of an entity to send; None clears one."""

Relations: TypeAlias = Sequence[str] | str
"""Referenced entities to add beside their ids, for example ``["item", "item.itemFamily"]``."""


def relations_text(relations: Relations | None) -> str | None:
    return relations if relations is None or isinstance(relations, str) else ",".join(relations)
