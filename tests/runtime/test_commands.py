"""Commands end in time, with all that they started, and what they complain about is kept."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from pincer.runtime.commands import OUTPUT_KEPT, output_of, run


def python(code: str, folder: Path, seconds: float = 20.0) -> tuple[int, str, bool]:
    done = run((sys.executable, "-c", code), folder, seconds)
    return done.status, done.errors, done.timed_out


def test_the_status_and_the_complaints_of_a_command_are_told(tmp_path: Path) -> None:
    assert python("import sys; sys.stderr.write('oh'); sys.exit(7)", tmp_path) == (7, "oh", False)


def test_a_command_that_does_not_end_is_ended_with_its_children(tmp_path: Path) -> None:
    code = (
        "import subprocess, time\n"
        "open('pid', 'w').write(str(subprocess.Popen(['sleep', '60']).pid))\n"
        "open('ready', 'w').close()\ntime.sleep(60)"
    )
    status, _, timed_out = python(code, tmp_path, 3.0)
    assert (status, timed_out) == (-9, True)
    if (tmp_path / "ready").exists():
        pid = int((tmp_path / "pid").read_text())
        for _ in range(100):
            state = Path(f"/proc/{pid}/stat")
            if not state.exists() or state.read_text().split()[2] == "Z":
                return
            time.sleep(0.05)
        os.kill(pid, 9)
        raise AssertionError("the child lives on")


def test_of_much_output_the_first_and_the_last_is_kept(tmp_path: Path) -> None:
    code = "import sys; sys.stderr.write('a' * 500_000 + 'end')"
    _, errors, _ = python(code, tmp_path)
    assert len(errors) <= 2 * OUTPUT_KEPT
    assert errors.startswith("aaa") and errors.endswith("end")


def test_what_a_command_makes_of_a_text_is_nothing_when_it_fails_or_does_not_end() -> None:
    upper = "import sys; print(sys.stdin.read().upper(), end='')"
    assert output_of((sys.executable, "-c", upper), "text", 20.0) == "TEXT"
    assert output_of((sys.executable, "-c", "raise SystemExit(1)"), "", 20.0) is None
    assert output_of((sys.executable, "-c", "import time; time.sleep(60)"), "", 0.2) is None
    assert output_of(("/no/such/command",), "", 1.0) is None
