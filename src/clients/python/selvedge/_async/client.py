"""What a login gives: one client for each resource, all of them over the same connection."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

import httpx

from ..address import base_address, query_string
from ..call import DEFAULT_TIMEOUT_S, Call, Method
from ..credentials import credential_headers, given
from ..models import Caller, Session
from ..retry import DEFAULT_MAX_RETRIES, Repeat
from .assortments import Assortments
from .changes import Changes
from .entities import Entities
from .entity_types import EntityTypes
from .exports import Exports
from .files import Files
from .keys import Keys
from .loads import Loads
from .people import People
from .requests import Connection, OnBookmark, Requests
from .reverts import Reverts
from .tasks import Tasks
from .workflows import Workflows


class AsyncClient:
    """A client for a key or an access token. Nothing is called before the first method is; ``login`` checks the credential.

    >>> async with AsyncClient("https://data.example.com", api_key=key, org_slug="demo") as client:
    ...     print((await client.me())["org"]["slug"])
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        org_slug: str | None = None,
        access_token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Mapping[str, str] | None = None,
        bookmark: str | None = None,
        on_bookmark: OnBookmark | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        credentials = credential_headers(api_key=api_key, org_slug=org_slug, access_token=access_token)
        connection = Connection(base_url, timeout, max_retries, headers, bookmark, on_bookmark, http_client)
        self.session: Session | None = None
        """The session of a login by password or single sign-on."""
        self._use(Requests(connection, credentials))

    def _use(self, requests: Requests) -> None:
        self._requests = requests
        self.base_url = requests.base_url
        self.entities = Entities(requests)
        self.changes = Changes(requests)
        self.files = Files(requests)
        self.loads = Loads(requests)
        self.reverts = Reverts(requests)
        self.exports = Exports(requests)
        self.workflows = Workflows(requests)
        self.tasks = Tasks(requests)
        self.keys = Keys(requests)
        self.people = People(requests)
        self.types = EntityTypes(requests)
        self.assortments = Assortments(requests)

    @classmethod
    async def login(
        cls,
        base_url: str,
        *,
        org_slug: str | None = None,
        api_key: str | None = None,
        access_token: str | None = None,
        email: str | None = None,
        password: str | None = None,
        code: str | None = None,
        code_verifier: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Mapping[str, str] | None = None,
        bookmark: str | None = None,
        on_bookmark: OnBookmark | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> AsyncClient:
        """A client for a key, a token, an email and password, or what single sign-on has brought back; a wrong one is a 401.

        >>> client = await AsyncClient.login(base_url, org_slug="demo", email="ada@example.com", password=password)
        """
        session: Session | None = None
        connection = Connection(base_url, timeout, max_retries, headers, bookmark, on_bookmark, http_client)
        if email is not None or password is not None:
            body = {"email": given("email", email), "password": given("password", password), "orgSlug": org_slug}
            session = await signed_in(connection, "/auth/login", body)
        elif code is not None or code_verifier is not None:
            body = {"code": given("code", code), "codeVerifier": given("code_verifier", code_verifier)}
            session = await signed_in(connection, "/auth/sso/token", body)
        client = cls(
            base_url,
            api_key=api_key,
            org_slug=org_slug,
            access_token=access_token if session is None else session.get("accessToken"),
            timeout=timeout,
            max_retries=max_retries,
            headers=headers,
            bookmark=bookmark,
            on_bookmark=on_bookmark,
            http_client=http_client,
        )
        client.session = session
        if session is None:
            await client.me()
        return client

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> AsyncClient:
        """The same client with another timeout in seconds for each attempt, or another number of repeats.

        >>> patient = client.with_options(timeout=120, max_retries=8)
        """
        other = copy(self)
        other._use(self._requests.with_options(timeout, max_retries))
        return other

    @property
    def bookmark(self) -> str | None:
        """How far this client has read and written; give it to a later client, which then sees what this one wrote."""
        return self._requests.bookmark.kept

    async def me(self) -> Caller:
        """Who the credential belongs to.

        >>> print((await client.me())["scope"])
        """
        return await self._requests.json(Call("GET", "/auth/me"))

    async def logout(self) -> None:
        """Ends the session of an access token.

        >>> await client.logout()
        """
        await self._requests.json(Call("POST", "/auth/logout", is_idempotent=True))

    async def request(
        self,
        method: Method,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        repeat: Repeat | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Any other call of the API, with the same repeats, timeout and errors.

        >>> page = await client.request("GET", "/projects", query={"limit": 5})
        """
        call: Call[Any] = Call(method, path, query or {}, json, None, headers or {}, idempotency_key, repeat)
        return await self._requests.json(call)

    async def close(self) -> None:
        """Closes the connections; ``with`` does it too.

        >>> await client.close()
        """
        await self._requests.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def signed_in(connection: Connection, path: str, body: Mapping[str, Any]) -> Session:
    requests = Requests(connection, {})
    try:
        session: Session = await requests.json(Call("POST", path, json=body, repeat="never"))
        return session
    finally:
        await requests.close()


def sso_address(base_url: str, *, org_slug: str, redirect_uri: str, state: str, code_challenge: str) -> str:
    """Where to send a browser for single sign-on; ``login`` with the code that it brings back ends it.

    >>> address = sso_address(base_url, org_slug="demo", redirect_uri=page, state=state, code_challenge=challenge)
    """
    query = {"orgSlug": org_slug, "redirectUri": redirect_uri, "state": state, "codeChallenge": code_challenge}
    return f"{base_address(base_url)}/auth/sso/start{query_string(query)}"
