"""A real browser for tests: headless Chromium, driven through its debugging pipe (no driver, no network)."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--remote-debugging-pipe",
)
_PATIENCE = 60
_MIDDLE = """(element) => {
  element.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def chromium_path() -> str | None:
    """The browser on this machine, if there is one."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


class Navigated(AssertionError):
    """What was asked for is gone: the page has led on to another one."""


class Page:
    """One tab. `problems` collects what the page wrote to the console as errors, and exceptions."""

    def __init__(self, commands: int, answers: int) -> None:
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._commands = os.fdopen(commands, "wb", buffering=0)
        self._answers = answers
        self._received = b""
        self._number = 0
        self._session: str | None = None
        self._frames: dict[str, str] = {}
        self._frame: str | None = None
        self._corner: tuple[float, ...] = (0.0, 0.0)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")
        self._call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)

    def open(self, url: str, width: int = 1280, height: int = 800, dark: bool = False) -> None:
        """Load a page in a window of some size and wait until it has loaded."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", features=scheme)
        self._call("Page.navigate", url="about:blank")
        self.problems.clear()
        self.requests.clear()
        self._call("Page.navigate", url=url)
        self.await_("document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; promises are awaited."""
        answer = self._call(
            "Runtime.evaluate", self._frame, expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def await_(self, condition: str) -> None:
        """Wait until a JavaScript expression is true; the page may lead on to another one meanwhile."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            with suppress(Navigated):
                if self.evaluate(f"Boolean({condition})"):
                    return
            time.sleep(0.02)
        raise AssertionError(f"not in {_PATIENCE} s: {condition}")

    @contextmanager
    def frame(self, selector: str) -> Iterator[None]:
        """Within the block, expressions and clicks belong to a frame with an origin of its own, once it has loaded."""
        corner = f"(({{ x, y }}) => [x, y])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        deadline = time.monotonic() + _PATIENCE
        while not self._frames:
            assert time.monotonic() < deadline, f"no frame in {_PATIENCE} s"
            self.evaluate("1")
        self._corner = tuple(self.evaluate(corner))
        self._frame = list(self._frames.values())[-1]
        try:
            self.await_("document.readyState === 'complete'")
            yield
        finally:
            self._frame, self._corner = None, (0.0, 0.0)

    def press(self, key: str, control: bool = False) -> None:
        """Press and release a key as a user does."""
        text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
        text = "" if control and key != "Enter" else text
        code = {"Enter": 13, "Tab": 9, "Escape": 27, ".": 190}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            event = {"type": kind, "key": key, "windowsVirtualKeyCode": code, "modifiers": 2 if control else 0}
            event |= {"code": "Period"} if key == "." else {}
            self._call("Input.dispatchKeyEvent", **event, **({"text": text} if text and kind == "keyDown" else {}))

    def click(self, selector: str) -> None:
        """Click the middle of the first element that a selector names."""
        place = self.evaluate(f"({_MIDDLE})(document.querySelector({json.dumps(selector)}))")
        x, y = place[0] + self._corner[0], place[1] + self._corner[1]
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def write(self, selector: str, text: str) -> None:
        """Write into an input field."""
        self.click(selector)
        self._call("Input.insertText", text=text)

    def picture(self, path: Path) -> None:
        """A screenshot of the window, for people to look at; the name says whether PNG or WebP."""
        kind = path.suffix.removeprefix(".")
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format=kind)["data"]))

    def close(self) -> None:
        """End the browser."""
        self._session = None
        self._call("Browser.close")
        self._commands.close()
        os.close(self._answers)

    def _call(self, method: str, session: str | None = None, /, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session or self._session:
            message["sessionId"] = session or self._session
        self._commands.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = json.loads(self._next_message())
            if answer.get("id") == self._number:
                if "error" in answer:
                    kind = Navigated if "navigated" in answer["error"]["message"] else AssertionError
                    raise kind(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self._note(answer.get("method", ""), answer.get("params", {}))

    def _next_message(self) -> bytes:
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._answers], [], [], _PATIENCE)
            received = os.read(self._answers, 1 << 16) if ready else b""
            if not received:
                raise AssertionError("the browser does not answer")
            self._received += received
        message, _, self._received = self._received.partition(b"\0")
        return message

    def _note(self, method: str, event: dict[str, Any]) -> None:
        if method == "Log.entryAdded" and event["entry"]["level"] == "error":
            self.problems.append(event["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(event["exceptionDetails"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method == "Target.attachedToTarget" and event["targetInfo"]["type"] == "iframe":
            self._frames[event["targetInfo"]["targetId"]] = event["sessionId"]
        elif method == "Target.detachedFromTarget":
            self._frames.pop(event.get("targetId", ""), None)


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A browser with an empty profile; it ends with the block."""
    path = chromium_path()
    assert path is not None
    command_read, command_write = os.pipe()
    answer_read, answer_write = os.pipe()

    def connect() -> None:
        """The browser reads commands from descriptor 3 and answers on 4; both may be in use, so go round them."""
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (command_read, answer_write)]
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)
        os.close(high[0])
        os.close(high[1])

    command = [path, *_SWITCHES, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(
        command, preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    os.close(command_read)
    os.close(answer_write)
    page = Page(command_write, answer_read)
    try:
        yield page
    finally:
        page.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
