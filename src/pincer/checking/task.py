"""What is asked: a source, what to decide about it, and how. Plain data that may go to another process or machine."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from pincer.checking.store import StoreSettings
from pincer.program.c_file import NO_FLAGS, CFile, CFlags
from pincer.program.property import DataModel, Fairness

Language: TypeAlias = Literal["gcl", "c", "msvl"]
EngineName: TypeAlias = Literal["auto", "ase", "ur", "dash", "agse", "dse"]

ENGINES: tuple[EngineName, ...] = get_args(EngineName)
DATA_MODELS: tuple[DataModel, ...] = get_args(DataModel)
FAIRNESS: tuple[Fairness, ...] = get_args(Fairness)
TASKS = (".yml", ".yaml")
TEMPORAL_FILES = (".p", ".ltl")
"""Files with temporal properties."""
LANGUAGES: dict[str, Language] = {".gcl": "gcl", ".m": "msvl", ".c": "c", ".i": "c", **dict.fromkeys(TASKS, "c")}
"""By the ending of a file; a task is about a C program."""


def language_of(file: str) -> Language:
    """The language of a program; what has no ending of its own is taken for guarded commands."""
    return LANGUAGES.get(PurePath(file).suffix, "gcl")


class Source(Struct, frozen=True):
    """A program, and how it is read: `file` is what the user named, a program or a task about one.

    Without a data model or an entry function those of the task count, or the usual ones. `flags` say how a C program is
    read; their macros give constants of guarded commands other values. `others` are the further files of a C program
    that has several, and `named` how a call names such a program, if not by its files."""

    file: str
    data_model: DataModel | None = None
    entry: str | None = None
    flags: CFlags = NO_FLAGS
    others: tuple[CFile, ...] = ()
    named: tuple[str, ...] = ()

    @property
    def language(self) -> Language:
        return language_of(self.file)

    @property
    def words(self) -> tuple[str, ...]:
        """How a call names the program."""
        return self.named or (self.file, *(other.path for other in self.others))


class Asked(Struct, frozen=True):
    """Properties by their names or files, API rules, and lines to be reached; nothing means what the program, or the
    task about it, states itself. With `stutter_end`, the last state of a run that ends is repeated for ever."""

    properties: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    stutter_end: bool = False


class Options(Struct, frozen=True):
    """How to decide. `certify` has proofs checked, those of guarded commands with `solver`; `tests` is a folder whose
    tests of C programs are tried first, and where new ones are kept. With `explain`, what was explored is told, too;
    with `verbose`, every suspicion. `fairness` is None unless the user has chosen one."""

    engine: EngineName = "auto"
    paper: bool = False
    certify: bool = True
    solver: Literal["cvc5", "z3"] = "cvc5"
    spurious_wakeups: bool = False
    fairness: Fairness | None = None
    seed: int = 0
    jobs: int | None = None
    int32: bool = False
    tests: str | None = None
    explain: bool = False
    verbose: bool = False

    @property
    def scheduler(self) -> Fairness:
        """How fair schedules of threads are, also when nothing is said about it."""
        return self.fairness or "weak"


class Outputs(Struct, frozen=True):
    """Where evidence is written; witnesses note the `call` that they come from."""

    certificate: str | None = None
    witness: str | None = None
    test_out: str | None = None
    call: str = ""


class Task(Struct, frozen=True):
    """One file to check. With a `store`, what earlier runs have found out is used, and what this one finds out is
    kept."""

    source: Source
    asked: Asked = Asked()
    options: Options = Options()
    outputs: Outputs = Outputs()
    store: StoreSettings | None = None
