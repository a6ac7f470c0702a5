"""Who may talk to the server: the page it gave out itself, on this machine, opened by whoever started it.

The address that `pincer serve` prints carries a secret; opening it leaves a cookie, and nothing is answered without.
Pages of other origins are refused by their `Origin` and `Sec-Fetch-Site`, and names of other hosts that somebody lets
point to this machine (DNS rebinding) by the `Host` they send.

Browsers send a cookie to all ports of a host, so everything lives in a folder with a name nobody else uses, and the
cookie is for that folder only: other servers on this machine never see it, and two servers do not overwrite theirs.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from msgspec import Struct, field

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_COOKIE = "pincer"
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
_OPENING = """<!doctype html>
<meta charset="utf-8"><title>Pincer</title><link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url={folder}">
<p><a href="{folder}">Pincer</a></p>
"""
"""A page that leads on, instead of a redirection: after a click in somebody else's page, a browser would follow that
without the new cookie."""


class Guard(Struct, frozen=True):
    """An ASGI application in front of another one."""

    app: ASGIApp
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    folder: str = field(default_factory=lambda: f"/{secrets.token_urlsafe(9)}/")

    @property
    def address(self) -> str:
        """What whoever started the server opens."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        await self._answer(scope, headers)(self._inside(scope), receive, send_with_headers)

    def _answer(self, scope: Scope, headers: Mapping[str, str]) -> ASGIApp:
        """The application for those who may use it, a refusal for all others."""
        from starlette.responses import HTMLResponse, PlainTextResponse

        if headers.get("host", "") not in self._names():
            return PlainTextResponse("this server answers to 127.0.0.1 and localhost only\n", status_code=403)
        if self._opens(scope):
            opened = HTMLResponse(_OPENING.format(folder=self.folder))
            opened.set_cookie(_COOKIE, self.token, httponly=True, samesite="strict", path=self.folder)
            return opened
        refusal = self._refusal(headers)
        if refusal:
            return PlainTextResponse(refusal + "\n", status_code=403)
        if not scope["path"].startswith(self.folder) or not self._is_token(_cookie(headers.get("cookie", ""))):
            return PlainTextResponse("open the address that `pincer serve` has printed\n", status_code=403)
        return self.app

    def _inside(self, scope: Scope) -> Scope:
        """The request as the application sees it, which knows nothing about the folder."""
        return {**scope, "path": "/" + scope["path"].removeprefix(self.folder)}

    def _names(self) -> frozenset[str]:
        return frozenset(f"{host}:{self.port}" for host in ("127.0.0.1", "localhost"))

    def _refusal(self, headers: Mapping[str, str]) -> str:
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{name}" for name in self._names()}:
            return "requests of other origins are refused"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return "requests of other sites are refused"
        return ""

    def _opens(self, scope: Scope) -> bool:
        """Whether this is the address that was printed."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return scope["path"] == "/" and self._is_token(given)

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token.encode())


def _cookie(header: str) -> str:
    try:
        cookies = SimpleCookie(header)
    except CookieError:
        return ""
    return cookies[_COOKIE].value if _COOKIE in cookies else ""
