"""Who may talk to the server: the page it gave out itself, on this machine, opened by whoever started it.

The address that `pincer serve` prints carries a secret; opening it leaves a cookie, and nothing is answered without.
Pages of other origins are refused by their `Origin` and `Sec-Fetch-Site`, and names of other hosts that somebody lets
point to this machine (DNS rebinding) by the `Host` they send.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

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


@dataclass(frozen=True)
class Guard:
    """An ASGI application in front of another one."""

    app: ASGIApp
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        from starlette.responses import PlainTextResponse, RedirectResponse, Response

        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(headers)
        answer: ASGIApp = self.app
        if refusal:
            answer = PlainTextResponse(refusal + "\n", status_code=403)
        elif self._opens(scope):
            opened: Response = RedirectResponse("/", status_code=303)
            opened.set_cookie(_COOKIE, self.token, httponly=True, samesite="strict", path="/")
            answer = opened
        elif not secrets.compare_digest(_cookie(headers.get("cookie", "")).encode(), self.token.encode()):
            answer = PlainTextResponse("open the address that `pincer serve` has printed\n", status_code=403)

        async def send_with_headers(message: object) -> None:
            assert isinstance(message, dict)
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await answer(scope, receive, send_with_headers)

    def _names(self) -> frozenset[str]:
        return frozenset(f"{host}:{self.port}" for host in ("127.0.0.1", "localhost"))

    def _refusal(self, headers: dict[str, str]) -> str:
        if headers.get("host", "") not in self._names():
            return "this server answers to 127.0.0.1 and localhost only"
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{name}" for name in self._names()}:
            return "requests of other origins are refused"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return "requests of other sites are refused"
        return ""

    def _opens(self, scope: Scope) -> bool:
        """Whether this is the address that was printed."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return scope["path"] == "/" and secrets.compare_digest(given.encode(), self.token.encode())


def _cookie(header: str) -> str:
    try:
        cookies = SimpleCookie(header)
    except CookieError:
        return ""
    return cookies[_COOKIE].value if _COOKIE in cookies else ""
