"""Backups that the service made (N63), and moves of organizations between databases (N57). `selvedge operator restore` brings a backup back."""

from __future__ import annotations

from collections.abc import AsyncIterator

from ..address import org_path, segment
from ..call import Call
from ..entity import Page
from ..models import Backup, OrganizationMove
from .requests import Requests


class Backups:
    """``operator.backups``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def list(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[Backup]:
        """The backups that the service made, where a bucket is bound for them.

        >>> page = await operator.backups.list()
        """
        query = {"limit": limit, "nextPageKey": next_page_key}
        return await self._requests.json(Call("GET", "/operator/backups", query))

    async def begin(self, slug: str) -> None:
        """Backs an organization up now, in the background.

        >>> await operator.backups.begin("acme")
        """
        await self._requests.json(Call("POST", f"{org_path(slug)}/backups", is_idempotent=True))

    async def download(self, organization_id: str, backup_id: str) -> AsyncIterator[bytes]:
        """A backup piece by piece, as the file that `selvedge operator restore` takes.

        >>> async for piece in operator.backups.download(backup["organizationId"], backup["id"]):
        ...     out.write(piece)
        """
        path = f"/operator/backups/{segment('organization_id', organization_id)}/{segment('id', backup_id)}"
        response = await self._requests.open(Call("GET", path, headers={"accept": "*/*"}))
        async for piece in self._requests.pieces(response):
            yield piece


class Moves:
    """``operator.moves``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def begin(self, slug: str, database: str) -> OrganizationMove:
        """Begins in the background; sent again meanwhile, it answers how far the move is.

        >>> await operator.moves.begin("acme", "DATA_02")
        """
        call: Call[OrganizationMove] = Call(
            "POST", f"{org_path(slug)}/move", json={"database": database}, is_idempotent=True
        )
        return await self._requests.json(call)

    async def get(self, slug: str) -> OrganizationMove:
        """How far the last move is, or how it ended.

        >>> print((await operator.moves.get("acme"))["percent"])
        """
        return await self._requests.json(Call("GET", f"{org_path(slug)}/move"))

    async def cancel(self, slug: str) -> OrganizationMove:
        """Ends a move; the organization stays where it was.

        >>> await operator.moves.cancel("acme")
        """
        return await self._requests.json(Call("POST", f"{org_path(slug)}/move/cancel", is_idempotent=True))
