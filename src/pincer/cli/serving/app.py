"""The web application: a page, examples, and checks as JSON.

POST   /api/checks              {"name", "text", "engine"?, "property"?, "seconds"?}  -> 202 {"id"}
GET    /api/checks/ID           {"state", "ahead", "progress", "properties", "error", "report"}
DELETE /api/checks/ID           cancel it
GET    /api/checks/ID/report    the report, a page of its own
GET    /api/checks/ID/test      the test that shows a violation of a C program, as a ZIP archive
GET    /api/setup               {"engines", "seconds", "examples": [{"name", "text", "property", "about"}]}
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Mapping
from importlib.resources import files
from itertools import dropwhile, takewhile
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from pincer.checking.task import ENGINES
from pincer.cli.serving.checks import Check, CheckQueue
from pincer.cli.serving.orders import read_order
from pincer.errors import PincerError

_ASSETS = {"serve.css": "text/css", "serve.js": "text/javascript", "editor.js": "text/javascript"}
_NONCE = "NONCE-OF-THIS-PAGE"
"""Stands in the page for what lets the editor add its own style."""
_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{_NONCE}'; connect-src 'self'; frame-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_REPORT_POLICY = "sandbox allow-scripts; frame-ancestors 'self'"
"""The report has a policy of its own in addition; it must not act in the name of this server."""

_BODY_SECONDS = 20
_ASKS_FOR = re.compile(r"pincer check \S+ --property ([\w-]+)")


def application(queue: CheckQueue) -> Starlette:
    """The application on top of a queue of checks."""
    routes = [
        Route("/", _page),
        Route("/assets/{name}", _asset),
        Route("/api/setup", _setup),
        Route("/api/checks", _submit, methods=["POST"]),
        Route("/api/checks/{id}", _look, methods=["GET"]),
        Route("/api/checks/{id}", _cancel, methods=["DELETE"]),
        Route("/api/checks/{id}/report", _report),
        Route("/api/checks/{id}/test", _test),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _refused})
    app.state.queue = queue
    return app


async def _page(request: Request) -> Response:
    nonce = secrets.token_urlsafe(16)
    policy = _POLICY.replace(_NONCE, nonce)
    return HTMLResponse(_file("serve.html").replace(_NONCE, nonce), headers={"content-security-policy": policy})


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _ASSETS:
        raise HTTPException(404, "there is no such file")
    return Response(_file(name), media_type=_ASSETS[name])


async def _setup(request: Request) -> Response:
    queue: CheckQueue = request.app.state.queue
    return JSONResponse({"engines": ENGINES, "seconds": queue.bounds.seconds, "examples": examples()})


async def _submit(request: Request) -> Response:
    queue: CheckQueue = request.app.state.queue
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        raise HTTPException(415, "send the order as application/json")
    try:
        order = read_order(json.loads(await _body(request, 2 * queue.bounds.bytes + 10_000)), queue.bounds)
        check = queue.submit(order)
    except ClientDisconnect:
        return Response(status_code=400)  # Nobody reads it.
    except TimeoutError:
        raise HTTPException(408, f"the order did not arrive within {_BODY_SECONDS} s") from None
    except (ValueError, RecursionError):
        raise HTTPException(400, "the order is no JSON") from None
    except PincerError as error:
        raise HTTPException(400, str(error)) from None
    return JSONResponse({"id": check.id}, status_code=202)


async def _body(request: Request, most: int) -> bytes:
    """The body, read no further than it may be long, and waited for no longer than it may take."""
    body = bytearray()
    async with asyncio.timeout(_BODY_SECONDS):
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise HTTPException(413, f"the order is longer than {most} bytes")
    return bytes(body)


async def _look(request: Request) -> Response:
    check = _found(request)
    queue: CheckQueue = request.app.state.queue
    outcome = check.outcome
    return JSONResponse(
        {
            "state": check.state,
            "ahead": queue.position(check),
            "progress": check.progress,
            "properties": list(outcome.properties),
            "error": outcome.error,
            "report": bool(outcome.report),
            "test": bool(outcome.test),
        }
    )


async def _cancel(request: Request) -> Response:
    queue: CheckQueue = request.app.state.queue
    queue.cancel(_found(request))
    return Response(status_code=204)


async def _report(request: Request) -> Response:
    report = _found(request).outcome.report
    if not report:
        raise HTTPException(404, "there is no report")
    return HTMLResponse(report, headers={"content-security-policy": _REPORT_POLICY})


async def _test(request: Request) -> Response:
    test = _found(request).outcome.test
    if not test:
        raise HTTPException(404, "there is no test")
    return Response(test, media_type="application/zip")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, status_code=error.status_code, headers=error.headers)


def _found(request: Request) -> Check:
    queue: CheckQueue = request.app.state.queue
    check = queue.find(request.path_params["id"])
    if check is None:
        raise HTTPException(404, "there is no such check (any more)")
    return check


def _file(name: str) -> str:
    return files("pincer.cli.serving").joinpath("page", name).read_text(encoding="utf-8")


def examples() -> list[Mapping[str, str]]:
    """The programs to start from, in the order of their numbers."""
    found = sorted(_examples_directory().iterdir(), key=lambda path: (int(path.name.split("-")[0]), path.name))
    return [_example(path.name, path.read_text(encoding="utf-8")) for path in found]


def _example(name: str, text: str) -> Mapping[str, str]:
    """An example says in its comment how to check it; the page starts with the property of the first command."""
    asked = _ASKS_FOR.search(text)
    return {"name": name, "text": text, "property": asked[1] if asked else "", "about": _about(text)}


def _about(text: str) -> str:
    """The first sentence of the first comment."""
    lines = [re.sub(r"^\s*(?://+|/?\*+/?)\s?", "", line) for line in text.splitlines()]
    words = " ".join(" ".join(takewhile(bool, dropwhile(lambda line: not line, lines))).split())
    end = re.search(r"[.:](?= |$)", words)
    return words if end is None else words[: end.start()] + "."


def _examples_directory() -> Path:
    """Inside an installed package, or beside `src` in a checkout."""
    import pincer

    package = Path(pincer.__file__).parent
    inside, beside = package / "examples", package.parents[1] / "examples"
    return inside if inside.is_dir() else beside
