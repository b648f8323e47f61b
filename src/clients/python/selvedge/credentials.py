"""The headers that a credential travels in."""

from __future__ import annotations

from .errors import ArgumentError


def credential_headers(
    *, api_key: str | None = None, org_slug: str | None = None, access_token: str | None = None
) -> dict[str, str]:
    if (api_key is None) == (access_token is None):
        raise ArgumentError("Give either api_key with org_slug, or access_token.")
    if api_key is not None:
        return {"x-api-key": given("api_key", api_key), "x-api-org": given("org_slug", org_slug)}
    org = {} if org_slug is None else {"x-api-org": given("org_slug", org_slug)}
    return {"authorization": f"Bearer {given('access_token', access_token)}", **org}


def given(name: str, value: str | None) -> str:
    if not value:
        raise ArgumentError(f"{name} is needed and must not be empty.")
    return value
