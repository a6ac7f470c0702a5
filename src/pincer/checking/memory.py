"""What earlier runs have found out about a program, for one run: recalled before an engine starts, kept after it.

A question is a property of a program, with the options that matter to the answer. Answers lie in a store under the hash
of their question with the whole program in it; under the question without the program lies which answer was the last.
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec.structs import asdict, replace

from pincer.checking.load import CSource, GuardedSource, LoadedSource
from pincer.checking.relocation import outline
from pincer.checking.remembered import Kept, Recollection
from pincer.checking.result import Evidence, Result, Safe, Unsafe
from pincer.checking.store import FORMAT, AnswerStore, Damaged
from pincer.checking.task import Task
from pincer.engines.task import Claim, Proved
from pincer.errors import PincerError
from pincer.evidence.c.trace import InputVector
from pincer.program.digest import digest
from pincer.runtime.codec import plain, typed

_ANSWERS, _LATEST = "answers", "latest"
_MOST_TESTS = 50


class RunMemory:
    """The memory of one run about one program."""

    def __init__(self, source: LoadedSource, task: Task) -> None:
        settings = task.store
        assert settings is not None
        outputs = task.outputs
        # What is written for the user is made by whoever confirms it.
        self.trusts = settings.trust and not (outputs.certificate or outputs.witness or outputs.test_out)
        self._store = AnswerStore(Path(settings.folder))
        self._source, self._task = source, task
        self._programs: dict[str, str] = {}
        self._written: dict[int, tuple[Any, str]] = {}
        self._remarks: dict[str, str] = {}
        self._is_broken = False

    def recall(self, name: str) -> Recollection | None:
        """What is known about a property, of the program as it is now or as it was."""
        if self._task.options.explain:
            return None  # A report shows what an engine explores.
        found = self._read(self._key(name))
        if found is not None:
            return Recollection(found, same=True)
        latest = self._text(_LATEST, self._question(name))
        before = None if latest is None else self._read(latest.decode("ascii", "replace"))
        return None if before is None else Recollection(before, same=False)

    def refused(self, name: str, reason: str) -> None:
        """What was kept about a property does not hold; its answer will tell."""
        self._remarks[name] = f"what {self._store.folder} had about this program was not accepted ({reason})"

    def tests(self) -> tuple[InputVector, ...]:
        """Inputs that were worth trying before."""
        known = filter(None, map(self.recall, self._source.names))
        return tuple(dict.fromkeys(test for one in known for test in one.kept.tests))[:_MOST_TESTS]

    def keep(self, result: Result, claim: Claim | None) -> Result:
        """Keep an answer with its evidence; the answer, with a warning where something went wrong."""
        remark = self._remarks.pop(result.name, None)
        told = result if remark is None else replace(result, warnings=(*result.warnings, remark))
        wanted = None if result.recalled in ("checked", "trusted") else _with_evidence(result)
        if wanted is None:
            return told
        try:
            self._write(wanted, claim)
        except OSError as error:
            if self._is_broken:
                return told
            self._is_broken = True
            why = f"the answer is not kept in {self._store.folder}: {error.strerror or error}"
            return replace(told, warnings=(*told.warnings, why))
        return told

    def _write(self, result: Safe | Unsafe, claim: Claim | None) -> None:
        key = self._key(result.name)
        evidence = result.proof if isinstance(result, Safe) else result.trace
        _, first = self._written.setdefault(id(evidence), (evidence, key))
        said = {"kept": plain(self._kept(result, claim))} if first == key else {"as": first}
        self._store.write(_ANSWERS, key, json.dumps({"format": FORMAT, **said}, separators=(",", ":")).encode("ascii"))
        self._store.write(_LATEST, self._question(result.name), key.encode("ascii"))

    def _kept(self, result: Safe | Unsafe, claim: Claim | None) -> Kept:
        plainly = replace(result, saved=None, witness=None, recalled="")
        if claim is None:
            return Kept(plainly, result.warnings)
        undefined = claim.undefined if isinstance(claim, Proved) else None
        places = outline(self._source.lowered) if isinstance(self._source, CSource) else {}
        return Kept(plainly, claim.warnings, undefined, claim.tests[-_MOST_TESTS:], places)

    def _read(self, key: str, named: bool = False) -> Kept | None:
        """The answer to a question; one that is not of this form is none. What an answer names has one itself."""
        text = self._text(_ANSWERS, key)
        if text is None:
            return None
        try:
            data: Any = json.loads(text)
            if data["format"] != FORMAT:
                return None
            if "as" in data:
                return None if named else self._read(str(data["as"]), named=True)
            return typed(data["kept"], Kept, "answer")
        except (ValueError, KeyError, TypeError, PincerError):
            return None

    def _text(self, kind: str, key: str) -> bytes | None:
        try:
            return self._store.read(kind, key)
        except Damaged as damaged:
            self._remarks.setdefault(self._source.names[0], f"{damaged} is damaged and was ignored")
            return None
        except ValueError:  # A name that no file can have.
            return None

    def _key(self, name: str) -> str:
        """The hash of a question with the program in it."""
        if name not in self._programs:
            self._programs[name] = digest(FORMAT, self._asked(name), self._program(name))
        return self._programs[name]

    def _question(self, name: str) -> str:
        """The hash of a question whatever has become of the program."""
        return digest(FORMAT, self._asked(name), self._task.source.words)

    def _asked(self, name: str) -> tuple[Any, ...]:
        options = self._task.options
        chosen = (options.engine, options.paper, options.spurious_wakeups, options.scheduler, options.int32)
        if isinstance(self._source, CSource):
            [wanted] = [wanted for wanted in self._source.properties if wanted.name == name]
            return (*chosen, wanted.name, asdict(wanted))
        return (*chosen, name)

    def _program(self, name: str) -> Any:
        match self._source:
            case CSource() as source:
                [wanted] = [wanted for wanted in source.properties if wanted.name == name]
                return self._lowered if wanted.rule is None else source.program(wanted)
            case GuardedSource(program, _, temporal):
                return (digest(replace(program, sha256="")), temporal)
            case other:
                asked = tuple((wanted.text, wanted.defines) for wanted in other.properties)
                return (other.program, asked, other.int32)

    @cached_property
    def _lowered(self) -> str:
        """The digest of the C program that all properties without a rule are about."""
        assert isinstance(self._source, CSource)
        return digest(self._source.lowered)


def _with_evidence(result: Result) -> Safe | Unsafe | None:
    """The result, if there is something that can be confirmed again."""
    match result:
        case Safe(proof=proof, evidence=Evidence(kind="proof")) if proof is not None:
            return result
        case Unsafe(evidence=Evidence(kind="replay" | "execution" | "recurrence")):
            return result
    return None
