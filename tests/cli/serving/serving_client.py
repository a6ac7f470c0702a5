"""A server without a network: an application, a guard in front of it, and clients that know its secret or do not."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from starlette.testclient import TestClient

from pincer.cli.serving.app import application
from pincer.cli.serving.checks import CheckQueue, Outcome, Runner
from pincer.cli.serving.orders import Bounds, Order
from pincer.cli.serving.security import Guard

PORT = 8642
ADDRESS = f"http://127.0.0.1:{PORT}"
Progress = Callable[[Mapping[str, Any]], None]


def echo(order: Order, bounds: Bounds, on_progress: Progress) -> Outcome:
    """A runner that only says what it was given."""
    on_progress({"engine": "echo"})
    return Outcome(({"name": "p", "verdict": "safe", "word": "HOLDS", "why": order.text},), f"<p>{order.name}</p>")


def server(runner: Runner = echo, at_once: int = 2, waiting: int = 1_000) -> Guard:
    return Guard(application(CheckQueue(runner, Bounds(waiting=waiting), at_once)), PORT)


def stranger(guard: Guard) -> TestClient:
    """A client that knows where everything is, but not the secret."""
    return TestClient(guard, base_url=ADDRESS + guard.folder, follow_redirects=False)


def friend(guard: Guard) -> TestClient:
    """A client that has opened the printed address."""
    client = stranger(guard)
    assert client.get(guard.address).status_code == 200
    return client


def order(text: str = "int main(void) { return 0; }", **members: Any) -> dict[str, Any]:
    return {"name": "a.c", "text": text, **members}


def finished(client: TestClient, id_: str, patience_s: float = 60.0) -> dict[str, Any]:
    """What a check says once it is done."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        seen: dict[str, Any] = client.get(f"/api/checks/{id_}").json()
        if seen["state"] == "done":
            return seen
        time.sleep(0.01)
    raise AssertionError("the check does not end")
