# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""Backups that the service made (N63), and moves of organizations between databases (N57). `selvedge operator restore` brings a backup back."""

from __future__ import annotations

from collections.abc import Iterator

from ..address import org_path, segment
from ..call import Call
from ..entity import Page
from ..models import Backup, OrganizationMove
from .requests import Requests


class Backups:
    """``operator.backups``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[Backup]:
        """The backups that the service made, where a bucket is bound for them.

        >>> page = operator.backups.list()
        """
        query = {"limit": limit, "nextPageKey": next_page_key}
        return self._requests.json(Call("GET", "/operator/backups", query))

    def begin(self, slug: str) -> None:
        """Backs an organization up now, in the background.

        >>> operator.backups.begin("acme")
        """
        self._requests.json(Call("POST", f"{org_path(slug)}/backups", is_idempotent=True))

    def download(self, organization_id: str, backup_id: str) -> Iterator[bytes]:
        """A backup piece by piece, as the file that `selvedge operator restore` takes.

        >>> for piece in operator.backups.download(backup["organizationId"], backup["id"]):
        ...     out.write(piece)
        """
        path = f"/operator/backups/{segment('organization_id', organization_id)}/{segment('id', backup_id)}"
        response = self._requests.open(Call("GET", path, headers={"accept": "*/*"}))
        for piece in self._requests.pieces(response):
            yield piece


class Moves:
    """``operator.moves``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def begin(self, slug: str, database: str) -> OrganizationMove:
        """Begins in the background; sent again meanwhile, it answers how far the move is.

        >>> operator.moves.begin("acme", "DATA_02")
        """
        call: Call[OrganizationMove] = Call(
            "POST", f"{org_path(slug)}/move", json={"database": database}, is_idempotent=True
        )
        return self._requests.json(call)

    def get(self, slug: str) -> OrganizationMove:
        """How far the last move is, or how it ended.

        >>> print((operator.moves.get("acme"))["percent"])
        """
        return self._requests.json(Call("GET", f"{org_path(slug)}/move"))

    def cancel(self, slug: str) -> OrganizationMove:
        """Ends a move; the organization stays where it was.

        >>> operator.moves.cancel("acme")
        """
        return self._requests.json(Call("POST", f"{org_path(slug)}/move/cancel", is_idempotent=True))
