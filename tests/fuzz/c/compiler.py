"""The system's C compiler as the reference: what a program prints when it is really run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

# With -frounding-math gcc 12 does not take 0.0 - (double)u for -(double)u, which is -0.0 where the difference is 0.0.
DIALECT = ("-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-frounding-math")
SANITIZERS = ("-O1", "-g0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
INITIALISED = ("-O1", "-ftrivial-auto-var-init=pattern")


class Rejected(Exception):
    """The compiler does not take the program, or its runs do not give one defined answer."""


def available() -> bool:
    return shutil.which("gcc") is not None


def builds_for_32_bits() -> bool:
    """Whether the libraries for `-m32` are there."""
    with tempfile.TemporaryDirectory(prefix="pincer-fuzz-") as folder:
        source = Path(folder) / "empty.c"
        source.write_text("#include <stdlib.h>\nint main(void) { return 0; }\n", encoding="utf-8")
        try:
            build(source, ("-m32",))
        except (OSError, Rejected):
            return False
    return True


def build(source: Path, flags: Sequence[str]) -> Path:
    """The executable of a source file, beside it."""
    target = source.with_suffix(".exe")
    command = ["gcc", *DIALECT, *flags, str(source), "-o", str(target), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Rejected(f"not compiled: {_first_line(done.stderr)}")
    return target


def execute(program: Path, timeout: float = 3.0) -> subprocess.CompletedProcess[str]:
    """Run an executable; leaks are no errors."""
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    try:
        return subprocess.run(
            [str(program)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Rejected("the compiled program does not end in time") from None


def output(source: Path, flags: Sequence[str]) -> str:
    """What the program prints when it is built with these flags."""
    done = execute(build(source, flags))
    if done.returncode:
        raise Rejected(f"exit status {done.returncode}: {_error_line(done.stderr)}")
    return done.stdout.strip()


def require_defined(source: Path, flags: Sequence[str] = ()) -> None:
    """Reject a program that prints something else when it is optimised, sanitized, or its variables start otherwise."""
    printed = output(source, ("-O0", *flags))
    for variant in (("-O2",), SANITIZERS, INITIALISED):
        if output(source, (*variant, *flags)) != printed:
            raise Rejected(f"-O0 and {' '.join(variant)} differ")


def preprocess(source: Path, flags: Sequence[str]) -> Path:
    """The preprocessed text, with the system's headers, as a `.i` file beside the source."""
    target = source.with_suffix(".i")
    command = ["gcc", "-E", "-P", *flags, str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Rejected(f"not preprocessed: {_first_line(done.stderr)}")
    return target


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if "error" in line), text[:200])


def _error_line(text: str) -> str:
    return next((line for line in text.splitlines() if "ERROR" in line or "runtime error" in line), text[:200])
