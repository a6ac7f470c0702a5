"""Orders that arrive slowly, or never: neither keeps the server busy, and neither is an internal error."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import pincer.cli.serving.app
from tests.cli.serving.serving_client import server

Message = dict[str, Any]


def status_after(receive: Callable[[], Awaitable[Message]]) -> int:
    """The status of an order whose body is received like this."""
    guard, sent = server(), []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = {
        "host": f"127.0.0.1:{guard.port}",
        "cookie": f"pincer={guard.token}",
        "content-type": "application/json",
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"{guard.folder}api/checks",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    asyncio.run(guard(scope, receive, send))
    return int(sent[0]["status"])


def test_a_body_is_waited_for_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pincer.cli.serving.app, "_BODY_SECONDS", 0.05)

    async def never() -> Message:
        await asyncio.sleep(60)
        return {}

    assert status_after(never) == 408


def test_a_client_that_goes_away_is_no_error_of_the_server() -> None:
    async def gone() -> Message:
        return {"type": "http.disconnect"}

    assert status_after(gone) == 400


def test_a_body_that_is_no_text_is_refused() -> None:
    async def bytes_only() -> Message:
        return {"type": "http.request", "body": b'"\xff\xfe"', "more_body": False}

    assert status_after(bytes_only) == 400
