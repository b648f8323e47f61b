"""The service that ``npm run test:python`` has started, and clients for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import httpx
import pytest

from selvedge import Client, Operator

Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture(scope="session")
def env() -> dict[str, str]:
    names = ("BASE_URL", "ORG_SLUG", "API_KEY", "ADMIN_EMAIL", "ADMIN_PASSWORD", "OPERATOR_KEY")
    missing = [name for name in names if name not in os.environ]
    if missing:
        pytest.fail(f"{', '.join(missing)} is missing: run npm run test:python.")
    return {name: os.environ[name] for name in names}


@pytest.fixture
def client(env: dict[str, str]) -> Iterator[Client]:
    with Client(env["BASE_URL"], api_key=env["API_KEY"], org_slug=env["ORG_SLUG"]) as client:
        yield client


@pytest.fixture
def operator(env: dict[str, str]) -> Iterator[Operator]:
    with Operator(env["BASE_URL"], env["OPERATOR_KEY"]) as operator:
        yield operator
