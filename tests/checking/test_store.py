"""A store survives whatever happens to it: what cannot be read is absent, and no entry is half of one."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pincer.checking import store as module
from pincer.checking.store import FORMAT, AnswerStore, Damaged

KEY = "ab" + 62 * "0"
OTHER = "cd" + 62 * "1"


@pytest.fixture
def store(tmp_path: Path) -> AnswerStore:
    return AnswerStore(tmp_path / "kept")


def entry(store: AnswerStore, key: str = KEY) -> Path:
    return store.folder / FORMAT / "answers" / key[:2] / key


def test_what_is_written_is_read(store: AnswerStore) -> None:
    assert store.read("answers", KEY) is None
    store.write("answers", KEY, b"first\nsecond")
    assert store.read("answers", KEY) == b"first\nsecond"
    store.write("answers", KEY, b"third")
    assert store.read("answers", KEY) == b"third"
    assert store.read("latest", KEY) is None


def test_other_tools_leave_it_alone(store: AnswerStore) -> None:
    store.write("answers", KEY, b"x")
    assert (store.folder / ".gitignore").read_text(encoding="ascii") == "*\n"
    assert (store.folder / "CACHEDIR.TAG").read_text(encoding="ascii").startswith("Signature: 8a477f597d28d172789")


@pytest.mark.parametrize("content", [b"", b"half", b"0000\ntext"])
def test_what_is_not_whole_is_damaged(store: AnswerStore, content: bytes) -> None:
    store.write("answers", KEY, b"text")
    entry(store).write_bytes(content)
    with pytest.raises(Damaged):
        store.read("answers", KEY)


def test_a_writer_that_dies_leaves_nothing_to_be_read(store: AnswerStore) -> None:
    store.write("answers", KEY, b"before")
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom pincer.checking.store import AnswerStore\n"
        "Path.replace = lambda *_: os._exit(9)\n"
        f"AnswerStore(Path({str(store.folder)!r})).write('answers', {KEY!r}, b'after')"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 9
    assert store.read("answers", KEY) == b"before"
    left = [path for path in entry(store).parent.iterdir() if path != entry(store)]
    assert len(left) == 1
    store.tidy(1, left[0].stat().st_mtime + 10.0)
    assert left[0].exists()
    store.tidy(1, left[0].stat().st_mtime + 10_000.0)
    assert not left[0].exists()
    assert store.read("answers", KEY) == b"before"


def test_a_full_disk_is_told_and_leaves_the_old_entry(store: AnswerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.write("answers", KEY, b"before")

    def full(*_: object, **__: object) -> tuple[int, str]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with pytest.raises(OSError, match="No space left"):
        store.write("answers", KEY, b"after")
    assert store.read("answers", KEY) == b"before"


def test_a_file_system_without_room_is_told(store: AnswerStore) -> None:
    store.write("answers", KEY, b"before")
    with pytest.raises(OSError, match="File too large"):
        _write_with_limit(store)
    assert store.read("answers", KEY) == b"before"
    assert len(list(entry(store).parent.iterdir())) == 1


def _write_with_limit(store: AnswerStore) -> None:
    """Write more than this process may."""
    import resource
    import signal

    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        store.write("answers", KEY, 100_000 * b"x")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_it_grows_only_to_its_limit_and_keeps_what_was_used_last(store: AnswerStore) -> None:
    for number in range(30):
        key = f"{number:02}" + 62 * "0"
        store.write("answers", key, 100_000 * b"x")
        os.utime(entry(store, key), (number, number))
    used = "00" + 62 * "0"
    assert store.read("answers", used) is not None
    store.tidy(2, 0.0)
    left = {path.name[:2] for path in store.folder.glob(f"{FORMAT}/answers/*/*")}
    assert len(left) == 15
    assert "00" in left
    assert {"29", "28"} < left
    assert "01" not in left


def test_a_store_of_another_form_is_not_looked_at(store: AnswerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FORMAT", "pincer-store-0")
    older = AnswerStore(store.folder)
    older.write("answers", KEY, b"older")
    monkeypatch.undo()
    assert AnswerStore(store.folder).read("answers", KEY) is None
    assert older.read("answers", KEY) == b"older"


def test_writers_at_once_leave_whole_entries(store: AnswerStore) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom pincer.checking.store import AnswerStore\n"
        f"store = AnswerStore(Path({str(store.folder)!r}))\n"
        "for number in range(200):\n"
        f"    for key in ({KEY!r}, {OTHER!r}):\n"
        "        store.write('answers', key, sys.argv[1].encode() * 20_000)\n"
        "        found = store.read('answers', key)\n"
        "        assert found is None or len(set(found)) == 1, found[:9]\n"
        "    store.tidy(1, 0.0)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [subprocess.Popen([sys.executable, "-c", code, letter], env=environment) for letter in "abc"]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    for key in (KEY, OTHER):
        found = store.read("answers", key)
        assert found is not None
        assert set(found) in ({97}, {98}, {99})
