# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""The change history: pages of it, and a poller that misses no record and gives none twice (N25)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..call import Call
from ..entity import Criteria, Order
from ..models import ChangePage, ChangeRecord
from .requests import Requests
from .runtime import notify, pause

POLL_INTERVAL_S = 5.0
POLL_PAGE_SIZE = 500


class Changes:
    """``client.changes``. Criteria are entityType (one or a list), entityReference, and createdOn as ``BETWEEN … and …``."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        criteria: Criteria | None = None,
        order: Order | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
        after: str | None = None,
    ) -> ChangePage:
        """One page. ``after`` is a syncKey: the records committed after it, oldest first; not together with ``order``.

        >>> page = client.changes.list(criteria={"entityReference": f"item:{item_id}"})
        """
        query: dict[str, Any] = {"criteria": criteria, "order": order, "limit": limit}
        return self._requests.json(
            Call("GET", "/change-history", {**query, "nextPageKey": next_page_key, "after": after})
        )

    def list_all(
        self, *, criteria: Criteria | None = None, order: Order | None = None, after: str | None = None
    ) -> Iterator[ChangeRecord]:
        """Every record that fits, page by page as they are read.

        >>> for change in client.changes.list_all(criteria={"createdOn": "BETWEEN 2026-01-01 and 2026-01-31"}):
        ...     print(change["entityReference"])
        """
        key: str | None = None
        while True:
            page = self.list(criteria=criteria, order=order, limit=POLL_PAGE_SIZE, next_page_key=key, after=after)
            for change in page["results"]:
                yield change
            key = page["nextPageKey"]
            if key is None:
                return

    def poll(
        self,
        *,
        sync_key: str | None = None,
        on_sync_key: Callable[[str], object] | None = None,
        criteria: Criteria | None = None,
        interval: float = POLL_INTERVAL_S,
        limit: int = POLL_PAGE_SIZE,
    ) -> Iterator[ChangeRecord]:
        """Every change from a point on, without end: leave the loop to end it.

        ``sync_key`` is the saved position, empty for the beginning of history, None for "from now on". ``on_sync_key`` gets a
        position once every record before it has been consumed. Save it, and begin with it next time: after a crash in between, the
        records of the unfinished page come again.

        >>> for change in client.changes.poll(sync_key=position.read_text(), on_sync_key=position.write_text):
        ...     print(change["entityReference"], change["changeType"])
        """
        after = sync_key
        if after is None:
            after = (self.list(criteria=criteria, limit=1))["syncKey"]
            notify(on_sync_key, after)
        while True:
            page = self.list(criteria=criteria, limit=limit, after=after)
            for change in page["results"]:
                yield change
            if page["syncKey"] != after:
                notify(on_sync_key, page["syncKey"])
            after = page["syncKey"]
            if page["nextPageKey"] is None and len(page["results"]) < limit:
                pause(interval)
