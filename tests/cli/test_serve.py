"""`pincer serve`: the call, and the port that it listens on."""

from __future__ import annotations

import argparse
import socket

import pytest

from pincer.cli.main import main
from pincer.cli.serve import add_arguments


@pytest.mark.parametrize("port", ["-1", "65536", "http", "8.0", "٣"])
def test_what_is_no_port_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args([f"--port={port}"])
    assert "is not a port number" in capsys.readouterr().err


def test_a_port_in_use_is_named_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err
