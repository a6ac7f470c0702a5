"""The same work on a real cluster of two nodes: same verdicts, limits hold, nothing is lost or counted twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincer.checking.messages import Check, Text
from pincer.checking.parcel import packed
from pincer.checking.ray_executor import ray_executor
from pincer.checking.supervise import Ending, Limits, News, Tick
from pincer.checking.task import Source, Task
from pincer.cli.main import main

pytest.importorskip("ray", reason="Ray is not installed")

ROOT = Path(__file__).parents[2]
WORKERS = "tests.checking.cluster_workers"
GOOD = '#include <assert.h>\n#include "limit.h"\nint main(void) { int x = LIMIT; assert(x == 7); return 0; }\n'
BAD = GOOD.replace("x == 7", "x == 8")
ENDLESS = """\
#include <assert.h>
int main(void)
{
    unsigned long x = 3;
    while (1) {
        x = x * 6364136223846793005UL + 1442695040888963407UL;
        assert(x != 123456789UL);
    }
}
"""
"""It fails after more steps than anybody takes."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *sys.path])
    small = {"num_cpus": 1, "object_store_memory": 80_000_000}
    made = Cluster(initialize_head=True, head_node_args={**small, "include_dashboard": False})
    made.add_node(**small)
    yield made
    made.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {"good.c": GOOD, "bad.c": BAD, "include/limit.h": "#define LIMIT 7\n"}
    for name, text in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def on(cluster: Any) -> list[str]:
    return ["--on", "ray", "--ray-address", cluster.address]


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().out.splitlines() if line[:1].isupper()]


def endings(news: dict[int, list[News]]) -> dict[int, Ending]:
    """The one ending of each task."""
    found = {number: [one for one in told if isinstance(one, Ending)] for number, told in news.items()}
    assert all(len(ends) == 1 for ends in found.values()), found
    return {number: ends[0] for number, ends in found.items()}


def texts(told: list[News]) -> list[str]:
    return [one.text for one in told if isinstance(one, Text)]


def task(name: str) -> Check:
    return Check(Task(Source(name)))


def test_verdicts_names_and_evidence_are_those_of_this_machine(
    cluster: Any, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["check", "-q", "-I", "include", "good.c", str(project / "bad.c"), "--jobs", "2"]
    here = main(words), said(capsys)
    there = main([*words, *on(cluster)]), said(capsys)
    assert [line.split(" (")[0] for line in here[1]] == [line.split(" (")[0] for line in there[1]]
    assert here[0] == there[0] == 1
    assert len(there[1]) == 6
    assert f"VIOLATED   {project}/bad.c: assertions" in there[1]
    out = ["--certificate", "proof.json"]
    assert main(["check", "-q", "-I", "include", "good.c", *out, *on(cluster)]) == 0
    assert json.loads(Path("proof.json").read_text(encoding="utf-8"))["program"]["file"] == "good.c"
    capsys.readouterr()
    assert main(["certify", "-q", "proof.json"]) == 0
    assert main(["check", "-q", "-I", "include", "bad.c", "--test-out", "bug", *on(cluster)]) == 1
    assert (project / "bug" / "assertions" / "test.json").is_file()


def test_limits_hold_on_the_node(cluster: Any, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("endless.c").write_text(ENDLESS, encoding="utf-8")
    words = ["check", "-q", "endless.c", "--property", "assertions", *on(cluster)]
    assert main([*words, "--timeout", "3"]) == 3
    assert "time limit of 3 s reached" in capsys.readouterr().out
    assert main([*words, "--memory", "30"]) == 3
    told = capsys.readouterr()
    assert "memory" in told.out + told.err


def test_test_suites_are_made_there_and_written_here(
    cluster: Any, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", "-I", "include", "good.c", "-o", "suite", *on(cluster)]) == 0
    assert (project / "suite" / "metadata.xml").is_file()


def test_rows_are_measured_there(cluster: Any, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "ase", "--rows", "RAX", "--tools", "ase", "--json", "out.json", *on(cluster)]
    assert main(words) == 0
    [measured] = json.loads(Path("out.json").read_text(encoding="utf-8"))["measurements"]
    assert measured["status"] == measured["expected"]
    assert measured["evidence"] in ("certified", "replayed")


def test_a_worker_that_dies_is_one_undecided_task(cluster: Any, project: Path) -> None:
    news: dict[int, list[News]] = {}
    with ray_executor(cluster.address, WORKERS) as executor:
        for name in ("a.c", "dying.c", "b.c"):
            news[executor.submit(task(name), Limits())] = []
        for number, one in executor.news():
            news[number].append(one)
    died = [ending.died for ending in endings(news).values()]
    assert died[0] is None
    assert died[1] is not None
    assert "killed" in died[1]
    assert died[2] is None
    assert [texts(told) for told in news.values()] == [["a.c"], ["dying.c"], ["b.c"]]


def test_tasks_of_a_node_that_dies_are_done_elsewhere(cluster: Any, project: Path) -> None:
    doomed = cluster.add_node(num_cpus=2, object_store_memory=80_000_000)
    news: dict[int, list[News]] = {}
    killed = False
    with ray_executor(cluster.address, WORKERS) as executor:
        for number in range(16):
            news[executor.submit(task(f"slow{number}.c"), Limits())] = []
        for number, one in executor.news():
            news[number].append(one)
            if isinstance(one, Tick) and not killed:
                cluster.remove_node(doomed, allow_graceful=False)
                killed = True
    assert killed
    assert {ending.died for ending in endings(news).values()} == {None}
    assert [texts(told) for told in news.values()] == [[f"slow{number}.c"] for number in range(16)]


def test_cancelling_stops_what_runs_and_what_waits(cluster: Any, project: Path) -> None:
    news: dict[int, list[News]] = {}
    with ray_executor(cluster.address, WORKERS) as executor:
        for number in range(6):
            news[executor.submit(task(f"stuck{number}.c"), Limits())] = []
        for number, one in executor.news():
            news[number].append(one)
            if isinstance(one, Tick):
                executor.cancel()
    ended = endings(news)
    assert all(ending.interrupted for ending in ended.values())
    assert 1 <= sum(texts(told)[-1:] == ["stopped"] for told in news.values()) <= 2


def test_an_interrupt_of_the_command_ends_the_run_everywhere(cluster: Any, project: Path) -> None:
    Path("endless.c").write_text(ENDLESS, encoding="utf-8")
    names = [f"endless{number}.c" for number in range(4)]
    for name in names:
        Path(name).write_text(ENDLESS, encoding="utf-8")
    command = [sys.executable, "-m", "pincer.cli", "check", "--property", "assertions", *names, *on(cluster)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not _analyses() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _analyses()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "interrupted" in out
    while _analyses() and time.monotonic() < deadline + 30:
        time.sleep(0.1)
    assert _analyses() == []


def _analyses() -> list[str]:
    """The worker processes that check one of the endless programs on a node."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes()
            folder = str((entry / "cwd").readlink()) if entry.name.isdecimal() else ""
        except OSError:
            continue
        is_ours = b"pincer.checking.worker" in words or b"pincer.runtime.nursery" in words
        if is_ours and "pincer-" in folder and "interrupt" in folder:
            found.append(entry.name)
    return found


def test_another_version_on_a_node_is_refused(cluster: Any, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincer.checking.ray_node import WorkOrder, work

    delivery = work(0, packed(task("good.c")), Limits(), None, WorkOrder(WORKERS, 1.0, "0.0.0"))
    assert delivery.ending.died is not None
    assert "install the same version on all nodes" in delivery.ending.died


def test_no_cluster_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "good.c", "--on", "ray", "--ray-address", "127.0.0.1:1"]) == 2
    assert "no Ray cluster answers 127.0.0.1:1" in capsys.readouterr().err
