"""The people of an organization: members, invitations, sessions, the audit trail. For admins who signed in; keys cannot do these."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

from ..address import segment, without_none
from ..call import Call, request_id_of
from ..entity import Page
from ..models import AuditEntry, Invitation, IssuedInvitation, Member, OpenSession
from ..whole import DownloadFormat, WholeCheck
from .requests import Requests

Role = Literal["admin", "member"]


class AuditExport:
    """A whole audit trail as lines, oldest first. Iterate it once."""

    def __init__(self, head: tuple[int, str], lines: AsyncIterator[bytes]) -> None:
        self.number, self.digest = head
        """Number and digest of the last line. Kept apart from the lines, they show what is missing at their end."""
        self.pieces = lines


class People:
    """``client.people``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def list(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[Member]:
        """The members.

        >>> page = await client.people.list()
        """
        return await self._requests.json(Call("GET", "/users", {"limit": limit, "nextPageKey": next_page_key}))

    async def set_role(self, user_id: str, role: Role) -> Member:
        """Makes a member an admin, or an admin a member.

        >>> await client.people.set_role(user_id, "admin")
        """
        return await self._requests.json(Call("PUT", f"/users/{segment('id', user_id)}", json={"role": role}))

    async def remove(self, user_id: str) -> None:
        """Removes a member, whose sessions and user keys end at once.

        >>> await client.people.remove(user_id)
        """
        await self._requests.json(Call("DELETE", f"/users/{segment('id', user_id)}", done_status=404))

    async def invite(self, email: str, *, role: Role | None = None) -> IssuedInvitation:
        """Invites by a link that is shown this once, to be handed over.

        >>> print((await client.people.invite("ada@example.com"))["acceptUrl"])
        """
        body = without_none(email=email, role=role)
        return await self._requests.json(Call("POST", "/invitations", json=body, repeat="never"))

    async def invitations(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[Invitation]:
        """Invitations, accepted and revoked ones too.

        >>> page = await client.people.invitations()
        """
        return await self._requests.json(Call("GET", "/invitations", {"limit": limit, "nextPageKey": next_page_key}))

    async def revoke_invitation(self, invitation_id: str) -> None:
        """Makes the link of an invitation invalid.

        >>> await client.people.revoke_invitation(invitation["id"])
        """
        await self._requests.json(Call("DELETE", f"/invitations/{segment('id', invitation_id)}", done_status=404))

    async def audit(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[AuditEntry]:
        """Sign-ins, keys, people and acts of the operator, newest first.

        >>> page = await client.people.audit(limit=20)
        """
        return await self._requests.json(Call("GET", "/audit", {"limit": limit, "nextPageKey": next_page_key}))

    async def export_audit(self, *, format: DownloadFormat = "jsonl", after: int | None = None) -> AuditExport:
        """The whole trail, each line chained to the one before: `selvedge audit verify` shows what was changed or removed.

        >>> trail = await client.people.export_audit()
        >>> async for piece in trail.pieces:
        ...     out.write(piece)
        """
        return await audit_export(self._requests, "/audit", format, after)

    async def sessions(
        self, *, user_id: str | None = None, limit: int | None = None, next_page_key: str | None = None
    ) -> Page[OpenSession]:
        """The caller's open sessions; for admins those of the member ``user_id``.

        >>> page = await client.people.sessions()
        """
        query = {"limit": limit, "nextPageKey": next_page_key, "userId": user_id}
        return await self._requests.json(Call("GET", "/auth/sessions", query))

    async def end_session(self, session_id: str) -> None:
        """Ends a session at once; admins may end that of any member.

        >>> await client.people.end_session(session["id"])
        """
        await self._requests.json(Call("DELETE", f"/auth/sessions/{segment('id', session_id)}", done_status=404))

    async def change_password(self, current_password: str, new_password: str) -> None:
        """Changes the caller's password; the caller's other sessions and user keys end.

        >>> await client.people.change_password("correct horse battery", "staple battery horse")
        """
        body = {"currentPassword": current_password, "newPassword": new_password}
        await self._requests.json(Call("PUT", "/auth/password", json=body, repeat="never"))


async def audit_export(requests: Requests, path: str, format: DownloadFormat, after: int | None) -> AuditExport:
    response = await requests.open(Call("GET", f"{path}/export", {"format": format, "after": after}))
    number, _, digest = response.headers.get("selvedge-audit-head", "0:").partition(":")

    async def pieces() -> AsyncIterator[bytes]:
        check = WholeCheck(format, request_id_of(response))
        async for piece in requests.pieces(response):
            yield check.take(piece)
        check.end()

    return AuditExport((int(number), digest), pieces())
