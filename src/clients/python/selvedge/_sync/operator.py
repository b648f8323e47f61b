# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""The calls of the deployment's owner (N12). They take the operator key, never an organization's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import httpx

from ..address import org_path, segment, without_none
from ..call import DEFAULT_TIMEOUT_S, Call, Method
from ..credentials import given
from ..entity import Page, T
from ..models import (
    AccessToken,
    ApiKey,
    AuditEntry,
    Databases,
    DeadLetter,
    DeploymentStatus,
    IdentityProvider,
    IssuedApiKey,
    Organization,
    PasswordReset,
    Quotas,
    SealedSecrets,
)
from ..retry import DEFAULT_MAX_RETRIES
from ..whole import DownloadFormat
from .endpoints import Endpoints
from .operator_backups import Backups, Moves
from .people import AuditExport, audit_export
from .requests import Connection, Requests

Scope = Literal["read", "write"]


class Operator:
    """The operator's client: organizations, their keys, quotas and endpoints, backups, moves, and the deployment itself.

    >>> operator = Operator(base_url, operator_key)
    """

    def __init__(
        self,
        base_url: str,
        operator_key: str,
        *,
        timeout: float = DEFAULT_TIMEOUT_S,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        connection = Connection(base_url, timeout, max_retries, http_client=http_client)
        self._requests = Requests(connection, {"x-operator-key": given("operator_key", operator_key)})
        self.backups = Backups(self._requests)
        self.endpoints = Endpoints(self._requests)
        self.moves = Moves(self._requests)

    def status(self) -> DeploymentStatus:
        """What is deployed, whether its stores answer, and what has stopped.

        >>> print((operator.status())["version"])
        """
        return self._requests.json(Call("GET", "/operator/status"))

    def databases(self) -> Databases:
        """The databases of the deployment, and how full each is.

        >>> databases = operator.databases()
        """
        return self._requests.json(Call("GET", "/operator/databases"))

    def secrets(self) -> SealedSecrets:
        """How many secrets are sealed under which key.

        >>> secrets = operator.secrets()
        """
        return self._requests.json(Call("GET", "/operator/secrets"))

    def dead_letters(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[DeadLetter]:
        """Wake-ups that the queues gave up, oldest first.

        >>> page = operator.dead_letters()
        """
        return self._page("/operator/dead-letters", limit, next_page_key)

    def replay_dead_letter(self, letter_id: str) -> None:
        """Sends a wake-up again.

        >>> operator.replay_dead_letter(letter["id"])
        """
        self._requests.json(Call("POST", f"/operator/dead-letters/{segment('id', letter_id)}/replay"))

    def list_orgs(self, *, limit: int | None = None, next_page_key: str | None = None) -> Page[Organization]:
        """The organizations.

        >>> page = operator.list_orgs()
        """
        return self._page("/operator/orgs", limit, next_page_key)

    def get_org(self, slug: str) -> Organization:
        """One organization.

        >>> print((operator.get_org("acme"))["tier"])
        """
        return self._requests.json(Call("GET", org_path(slug)))

    def create_org(
        self,
        slug: str,
        name: str,
        *,
        tier: str | None = None,
        admin: Mapping[str, str] | None = None,
        database: str | None = None,
    ) -> Organization:
        """A new organization, with an admin by ``email`` and ``password`` where one is given.

        >>> operator.create_org("acme", "Acme", admin={"email": "ada@example.com", "password": password})
        """
        body = without_none(slug=slug, name=name, tier=tier, admin=admin, database=database)
        return self._requests.json(Call("POST", "/operator/orgs", json=body, repeat="never"))

    def update_org(self, slug: str, change: Mapping[str, Any]) -> Organization:
        """Changes name, suspended, historyRetentionDays or historyArchiveDays.

        >>> operator.update_org("acme", {"suspended": True})
        """
        return self._requests.json(Call("PUT", org_path(slug), json=change))

    def delete_org(self, slug: str) -> None:
        """Deletes an organization with everything in it.

        >>> operator.delete_org("acme")
        """
        self._requests.json(Call("DELETE", org_path(slug), done_status=404))

    def set_tier(self, slug: str, tier: str) -> Organization:
        """Sets how many calls an organization may make.

        >>> operator.set_tier("acme", "high")
        """
        return self._requests.json(Call("PUT", f"{org_path(slug)}/tier", json={"tier": tier}))

    def rebuild_search_index(self, slug: str) -> Organization:
        """Makes the search index of an organization anew, in the background.

        >>> operator.rebuild_search_index("acme")
        """
        return self._requests.json(Call("POST", f"{org_path(slug)}/search-index", is_idempotent=True))

    def quotas(self, slug: str) -> Quotas:
        """What an organization may have, and has.

        >>> print((operator.quotas("acme"))["entities"]["used"])
        """
        return self._requests.json(Call("GET", f"{org_path(slug)}/quotas"))

    def set_quotas(self, slug: str, quotas: Mapping[str, int | None]) -> Quotas:
        """Sets quotas by name; None brings back the usual one.

        >>> operator.set_quotas("acme", {"entities": 2_000_000})
        """
        return self._requests.json(Call("PUT", f"{org_path(slug)}/quotas", json=quotas))

    def list_keys(self, slug: str, *, limit: int | None = None, next_page_key: str | None = None) -> Page[ApiKey]:
        """The keys of an organization.

        >>> page = operator.list_keys("acme")
        """
        return self._page(f"{org_path(slug)}/api-keys", limit, next_page_key)

    def create_key(
        self,
        slug: str,
        name: str,
        *,
        scope: Scope | None = None,
        tier: str | None = None,
        expires_on: str | None = None,
        entity_types: Sequence[str] | None = None,
        addresses: Sequence[str] | None = None,
    ) -> IssuedApiKey:
        """A new key, whose ``key`` is shown this once.

        >>> key = (operator.create_key("acme", "sync"))["key"]
        """
        body = without_none(
            name=name, scope=scope, tier=tier, expiresOn=expires_on, entityTypes=entity_types, addresses=addresses
        )
        return self._requests.json(Call("POST", f"{org_path(slug)}/api-keys", json=body, repeat="never"))

    def delete_key(self, slug: str, key_id: str) -> None:
        """Revokes a key at once.

        >>> operator.delete_key("acme", key_id)
        """
        path = f"{org_path(slug)}/api-keys/{segment('id', key_id)}"
        self._requests.json(Call("DELETE", path, done_status=404))

    def create_token(
        self, slug: str, name: str, *, ttl_seconds: int | None = None, scope: Scope | None = None
    ) -> AccessToken:
        """An access token, shown this once.

        >>> token = (operator.create_token("acme", "callback", ttl_seconds=3600))["accessToken"]
        """
        body = without_none(name=name, ttlSeconds=ttl_seconds, scope=scope)
        return self._requests.json(Call("POST", f"{org_path(slug)}/tokens", json=body, repeat="never"))

    def list_tokens(self, slug: str, *, limit: int | None = None, next_page_key: str | None = None) -> Page[ApiKey]:
        """The access tokens of an organization, without their secrets.

        >>> page = operator.list_tokens("acme")
        """
        return self._page(f"{org_path(slug)}/tokens", limit, next_page_key)

    def delete_token(self, slug: str, token_id: str) -> None:
        """Revokes an access token at once.

        >>> operator.delete_token("acme", token_id)
        """
        path = f"{org_path(slug)}/tokens/{segment('id', token_id)}"
        self._requests.json(Call("DELETE", path, done_status=404))

    def password_reset(self, slug: str, email: str) -> PasswordReset:
        """A link that works once, for a user who forgot the password.

        >>> print((operator.password_reset("acme", "ada@example.com"))["resetUrl"])
        """
        call: Call[PasswordReset] = Call(
            "POST", f"{org_path(slug)}/password-reset", json={"email": email}, repeat="never"
        )
        return self._requests.json(call)

    def set_identity_provider(
        self, slug: str, *, issuer: str, client_id: str, client_secret: str, allow_sign_up: bool = False
    ) -> IdentityProvider:
        """Sets the identity provider of an organization; with ``allow_sign_up`` a first sign-in makes a member.

        >>> operator.set_identity_provider("acme", issuer=issuer, client_id="selvedge", client_secret=secret)
        """
        body = {"issuer": issuer, "clientId": client_id, "clientSecret": client_secret, "allowSignUp": allow_sign_up}
        return self._requests.json(Call("PUT", f"{org_path(slug)}/identity-provider", json=body))

    def get_identity_provider(self, slug: str) -> IdentityProvider:
        """The identity provider of an organization, its secret masked.

        >>> provider = operator.get_identity_provider("acme")
        """
        return self._requests.json(Call("GET", f"{org_path(slug)}/identity-provider"))

    def delete_identity_provider(self, slug: str) -> None:
        """Ends single sign-on for an organization.

        >>> operator.delete_identity_provider("acme")
        """
        self._requests.json(Call("DELETE", f"{org_path(slug)}/identity-provider", done_status=404))

    def audit(
        self, slug: str | None = None, *, limit: int | None = None, next_page_key: str | None = None
    ) -> Page[AuditEntry]:
        """The audit trail of an organization, newest first; without a slug the acts that outlive their organization.

        >>> page = operator.audit("acme", limit=20)
        """
        return self._page(audit_path(slug), limit, next_page_key)

    def export_audit(
        self, slug: str | None = None, *, format: DownloadFormat = "jsonl", after: int | None = None
    ) -> AuditExport:
        """The whole trail as chained lines; without a slug that of the acts that outlive their organization.

        >>> trail = operator.export_audit("acme")
        """
        return audit_export(self._requests, audit_path(slug), format, after)

    def request(self, method: Method, path: str, *, query: Mapping[str, Any] | None = None, json: Any = None) -> Any:
        """Any other call with the operator key.

        >>> operator.request("GET", "/operator/orgs", query={"limit": 5})
        """
        return self._requests.json(Call(method, path, query or {}, json))

    def close(self) -> None:
        """Closes the connections; ``with`` does it too.

        >>> operator.close()
        """
        self._requests.close()

    def __enter__(self) -> Operator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _page(self, path: str, limit: int | None, next_page_key: str | None) -> Page[T]:
        return self._requests.json(Call("GET", path, {"limit": limit, "nextPageKey": next_page_key}))


def audit_path(slug: str | None) -> str:
    return "/operator/audit" if slug is None else f"{org_path(slug)}/audit"
