"""Which programs a change concerns: `pincer check --changed-since GIT_REF`.

A program is concerned when one of the files it is read from has changed; what cannot be told counts as concerned.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from pincer.checking.source_files import files_of
from pincer.checking.task import Source
from pincer.errors import PincerError

_SECONDS = 60.0


def changed_files(reference: str) -> frozenset[Path]:
    """The files that are not as they were at a commit, those that version control does not know among them."""
    top = Path(_git("rev-parse", "--show-toplevel").rstrip("\n"))
    _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
    known = _git("diff", "--name-only", "-z", "--no-renames", reference, "--")
    others = _git("ls-files", "--others", "--exclude-standard", "--full-name", "-z", str(top))
    return frozenset((top / name).resolve() for name in (known + others).split("\0") if name)


def concerned(sources: Iterable[Source], changed: frozenset[Path], also: Sequence[str] = ()) -> tuple[Source, ...]:
    """The programs that a change concerns; one of what they are checked for (`also`) concerns all."""
    if any(Path(path).resolve() in changed for path in also):
        return tuple(sources)
    return tuple(source for source in sources if _is_concerned(source, changed))


def _is_concerned(source: Source, changed: frozenset[Path]) -> bool:
    """A header whose name a macro gives may be any file that has changed."""
    read = files_of(source)
    return bool(read.anywhere and changed) or any(path.resolve() in changed for path in read.paths)


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PincerError(f"--changed-since needs git: {error}") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise PincerError(f"--changed-since: {said[0] if said else 'git knows no such commit'}")
    return done.stdout.decode("utf-8", "surrogateescape")
