"""Builds addresses: base address, path segments, query strings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from .errors import ArgumentError


def base_address(base_url: str) -> str:
    """The base address without its last slash; a bare origin gets ``/api``, where the service always has its API (N1)."""
    url = urlsplit(base_url)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ArgumentError(f'base_url must start with https:// or http://, and "{base_url}" does not.')
    if url.username is not None or url.password is not None:
        raise ArgumentError("base_url must not hold credentials.")
    return f"{url.scheme}://{url.netloc}{url.path.rstrip('/') or '/api'}"


def segment(name: str, value: str) -> str:
    """One path segment. An empty one would address the list, and dots another path: both are refused."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ArgumentError(f"{name} must be a text that is not empty and no dots, and {value!r} is not.")
    return quote(value, safe="")


def entity_path(entity_name: str) -> str:
    """Calls name the entity in the singular, paths in the plural; a plural stays as it is."""
    name = segment("entity_name", entity_name)
    if name.endswith("ss"):
        return f"/{name}es"
    if name.endswith("s"):
        return f"/{name}"
    return f"/{name[:-1]}ies" if name.endswith("y") else f"/{name}s"


def one_path(entity_name: str, entity_id: str) -> str:
    return f"{entity_path(entity_name)}/{segment('id', entity_id)}"


def org_path(slug: str) -> str:
    return f"/operator/orgs/{segment('slug', slug)}"


def query_string(query: Mapping[str, Any]) -> str:
    """Objects and lists travel as JSON, everything else as text; None is left out."""
    found = [(name, query_text(value)) for name, value in query.items() if value is not None]
    return f"?{urlencode(found)}" if found else ""


def query_text(value: Any) -> str:
    return value if isinstance(value, str) else json_text(value)


def json_text(value: Any) -> str:
    """JSON has no NaN, which tables of pandas have in empty cells, and no dates."""
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"A value cannot be sent as JSON: {error}. Send None for an empty value, and times as text."
        ) from error


def without_none(**fields: Any) -> dict[str, Any]:
    """The fields that were given: None stands for one that was left out."""
    return {name: value for name, value in fields.items() if value is not None}
