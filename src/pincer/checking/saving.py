"""Evidence in files: where the user wants it, one file for each property."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pincer.errors import Mistake, PincerError


@dataclass
class Saver:
    """Writes the evidence of several properties. That of the `first` property, or of whichever comes first, goes to the
    file that the user named, that of others beside it under their names. A verdict survives evidence that cannot be
    written: the `mistakes` say so."""

    first: str | None = None
    mistakes: list[Mistake] = field(default_factory=list)
    _named: set[str] = field(default_factory=set)

    def save(self, file: str | None, name: str, write: Callable[[Path], None]) -> str | None:
        """Write the evidence of a property to a file, if there is one; its name, None when nothing was written."""
        if file is None:
            return None
        path = Path(file)
        is_first = file not in self._named if self.first is None else name == self.first
        self._named.add(file)
        if not is_first:
            path = path.with_name(f"{path.stem}.{name}{path.suffix}")
        try:
            write(path)
        except OSError as error:
            self.mistakes.append(Mistake("error", f"cannot write it: {error.strerror}", str(path)))
            return None
        except PincerError as error:
            self.mistakes.append(Mistake("error", error.message, str(path)))
            return None
        return str(path)

    def told(self) -> tuple[Mistake, ...]:
        """The mistakes since they were told last."""
        found, self.mistakes = tuple(self.mistakes), []
        return found
