"""`pincer serve`: a page on this machine where programs are edited and checked."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys

from pincer.cli.arguments import positive, seconds
from pincer.errors import PincerError
from pincer.report.terminal import write_lines

_EPILOG = """\
The page is for this machine and for you only: the server listens on 127.0.0.1,
and answers nobody who does not know the address that is printed, which contains
a secret. Programs that violate a property are compiled and run to confirm it.

exit status: 0 ended by Ctrl-C, 2 the call is wrong
"""


_BACKLOG = 512
"""Who opens the address as soon as it is printed waits in this line until the server is ready."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("--port", type=_port, default=8642, help="0 chooses a free one; default: 8642")
    parser.add_argument(
        "--timeout", "--timelimit", metavar="S", type=seconds, default=60.0, help="for each check; default: 60"
    )
    parser.add_argument("--memory", metavar="MB", type=positive, default=2_000, help="for each check; default: 2000")
    parser.add_argument(
        "--jobs", metavar="N", type=positive, default=max(1, (os.cpu_count() or 2) // 2), help="checks that run at once"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port number")
    return int(text)


def run(args: argparse.Namespace) -> int:
    import uvicorn

    from pincer.cli.serving.app import application
    from pincer.cli.serving.checks import CheckQueue
    from pincer.cli.serving.orders import Bounds
    from pincer.cli.serving.runner import check_order
    from pincer.cli.serving.security import Guard

    listener = _listener(args.port)
    port = int(listener.getsockname()[1])
    queue = CheckQueue(check_order, Bounds(seconds=args.timeout, memory_mb=args.memory), args.jobs)
    guard = Guard(application(queue), port)
    write_lines(sys.stdout, [f"Pincer is at {guard.address}", "Ctrl-C ends it."])
    sys.stdout.flush()
    if args.open:
        import webbrowser

        webbrowser.open(guard.address)
    config = uvicorn.Config(
        guard, ws="none", lifespan="off", log_level="error", access_log=False, timeout_graceful_shutdown=2
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        pass  # The way to end it; uvicorn has shut down before it passes the signal on.
    finally:
        queue.close()
    return 0


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(_BACKLOG)
    except OSError as error:
        raise PincerError(f"port {port} cannot be used ({error.strerror}); choose another with --port") from error
    return listener
