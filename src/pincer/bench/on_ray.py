"""Rows measured on the nodes of a Ray cluster: their files travel, and the measurements come back in the rows' order.

A node measures one row on each of its processors, so times are those of a machine that does other work beside.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pincer.bench.measurement import Job, Measure, Measurement
from pincer.bench.rows import CQuestion
from pincer.checking.parcel import below
from pincer.checking.ray_executor import LIMITS, connected
from pincer.checking.source_files import absolute, files_of
from pincer.checking.task import Source
from pincer.program.c_file import CFlags
from pincer.runtime.files import content_of


class RowParcel(Struct, frozen=True):
    """A job with the files it reads, by their absolute paths."""

    job: Job
    folder: str
    files: Mapping[str, bytes]


def measure_on_ray(
    jobs: Sequence[Job], measure: Measure, address: str | None, on_done: Callable[[Measurement], None]
) -> list[Measurement]:
    """All jobs, wherever there is a free processor; one whose node dies is measured again elsewhere."""
    ray = connected(address)
    try:
        remote = ray.remote(num_cpus=1, max_retries=LIMITS.attempts - 1, scheduling_strategy="SPREAD")(measured)
        tasks = [remote.remote(_packed(job), measure) for job in jobs]
        number_of = {task: number for number, task in enumerate(tasks)}
        found: dict[int, Measurement] = {}
        while len(found) < len(jobs):
            done, _ = ray.wait([task for task in tasks if number_of[task] not in found], timeout=1.0)
            for task in done:
                outcome = found[number_of[task]] = _outcome(ray, task, jobs[number_of[task]])
                on_done(outcome)
        return [found[number] for number in range(len(jobs))]
    finally:
        ray.shutdown()


def _outcome(ray: Any, task: Any, job: Job) -> Measurement:
    try:
        outcome: Measurement = ray.get(task)
    except ray.exceptions.RayError as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[-1]
        return Measurement(job.row.name, job.tool, "crash", job.row.expected, reason=reason)
    return outcome


def _packed(job: Job) -> RowParcel:
    question = job.row.question
    words = (*job.options, *(question.options if isinstance(question, CQuestion) else ()))
    folders = tuple(after for before, after in pairwise(words) if before == "-I")
    paths = set(files_of(Source(str(job.row.file), flags=CFlags(include=folders))).paths)
    if isinstance(question, CQuestion) and question.source is not None:
        paths |= files_of(Source(str(question.source), flags=CFlags(include=folders))).paths
    paths |= {absolute(Path(word)) for word in words}
    return RowParcel(job, str(Path.cwd()), {str(path): content_of(path) for path in paths if path.is_file()})


def measured(parcel: RowParcel, measure: Measure) -> Measurement:
    """What a node does: put the files below a new folder, and measure there."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        root = Path(name).resolve()
        for path, content in parcel.files.items():
            place = below(root, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        folder = below(root, parcel.folder)
        folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
        try:
            return measure(_moved(parcel, root))
        finally:
            os.chdir(before)


def _moved(parcel: RowParcel, root: Path) -> Job:
    """The job with its files where they are now; relative names are those of the folder that it came from."""
    job = parcel.job

    def word(text: str) -> str:
        return str(below(root, text)) if Path(text).is_absolute() else text

    def place(path: Path) -> Path:
        return below(root, str(absolute(parcel.folder / path)))

    question = job.row.question
    if isinstance(question, CQuestion):
        source = None if question.source is None else place(question.source)
        question = replace(question, options=tuple(map(word, question.options)), source=source)
    row = replace(job.row, file=place(job.row.file), question=question)
    return replace(job, row=row, options=tuple(map(word, job.options)))
