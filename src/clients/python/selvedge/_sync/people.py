# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""The people of an organization: members, invitations, sessions, the audit trail. For admins who signed in; keys cannot do these."""

from __future__ import annotations

from collections.abc import Iterator
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

    def __init__(self, head: tuple[int, str], lines: Iterator[bytes]) -> None:
        self.number, self.digest = head
        """Number and digest of the last line. Kept apart from the lines, they show what is missing at their end."""
        self.pieces = lines


class People:
    """``client.people``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[Member]:
        """The members.

        >>> page = client.people.list()
        """
        return self._requests.json(Call("GET", "/users", {"limit": limit, "nextPageKey": next_page_key}))

    def set_role(self, user_id: str, role: Role) -> Member:
        """Makes a member an admin, or an admin a member.

        >>> client.people.set_role(user_id, "admin")
        """
        return self._requests.json(Call("PUT", f"/users/{segment('id', user_id)}", json={"role": role}))

    def remove(self, user_id: str) -> None:
        """Removes a member, whose sessions and user keys end at once.

        >>> client.people.remove(user_id)
        """
        self._requests.json(Call("DELETE", f"/users/{segment('id', user_id)}", done_status=404))

    def invite(self, email: str, *, role: Role | None = None) -> IssuedInvitation:
        """Invites by a link that is shown this once, to be handed over.

        >>> print((client.people.invite("ada@example.com"))["acceptUrl"])
        """
        body = without_none(email=email, role=role)
        return self._requests.json(Call("POST", "/invitations", json=body, repeat="never"))

    def invitations(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[Invitation]:
        """Invitations, accepted and revoked ones too.

        >>> page = client.people.invitations()
        """
        return self._requests.json(Call("GET", "/invitations", {"limit": limit, "nextPageKey": next_page_key}))

    def revoke_invitation(self, invitation_id: str) -> None:
        """Makes the link of an invitation invalid.

        >>> client.people.revoke_invitation(invitation["id"])
        """
        self._requests.json(Call("DELETE", f"/invitations/{segment('id', invitation_id)}", done_status=404))

    def audit(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[AuditEntry]:
        """Sign-ins, keys, people and acts of the operator, newest first.

        >>> page = client.people.audit(limit=20)
        """
        return self._requests.json(Call("GET", "/audit", {"limit": limit, "nextPageKey": next_page_key}))

    def export_audit(self, *, format: DownloadFormat = "jsonl", after: int | None = None) -> AuditExport:
        """The whole trail, each line chained to the one before: `selvedge audit verify` shows what was changed or removed.

        >>> trail = client.people.export_audit()
        >>> for piece in trail.pieces:
        ...     out.write(piece)
        """
        return audit_export(self._requests, "/audit", format, after)

    def sessions(
        self, *, user_id: str | None = None, limit: int | None = None, next_page_key: str | None = None
    ) -> Page[OpenSession]:
        """The caller's open sessions; for admins those of the member ``user_id``.

        >>> page = client.people.sessions()
        """
        query = {"limit": limit, "nextPageKey": next_page_key, "userId": user_id}
        return self._requests.json(Call("GET", "/auth/sessions", query))

    def end_session(self, session_id: str) -> None:
        """Ends a session at once; admins may end that of any member.

        >>> client.people.end_session(session["id"])
        """
        self._requests.json(Call("DELETE", f"/auth/sessions/{segment('id', session_id)}", done_status=404))

    def change_password(self, current_password: str, new_password: str) -> None:
        """Changes the caller's password; the caller's other sessions and user keys end.

        >>> client.people.change_password("correct horse battery", "staple battery horse")
        """
        body = {"currentPassword": current_password, "newPassword": new_password}
        self._requests.json(Call("PUT", "/auth/password", json=body, repeat="never"))


def audit_export(requests: Requests, path: str, format: DownloadFormat, after: int | None) -> AuditExport:
    response = requests.open(Call("GET", f"{path}/export", {"format": format, "after": after}))
    number, _, digest = response.headers.get("selvedge-audit-head", "0:").partition(":")

    def pieces() -> Iterator[bytes]:
        check = WholeCheck(format, request_id_of(response))
        for piece in requests.pieces(response):
            yield check.take(piece)
        check.end()

    return AuditExport((int(number), digest), pieces())
