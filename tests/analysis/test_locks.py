"""How locks are named."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.locks import HeldLock, lock_argument, named_lock
from pincer.program.memory_regions import AbstractObject, AbstractPointer
from tests.analysis.threaded_programs import analysed, edges_at, lock, two_threads

HERE = AbstractPointer(AbstractObject("static", "m", 4096))


def test_shared_holders_do_not_exclude_each_other() -> None:
    alone, together = HeldLock(HERE), HeldLock(HERE, shared=True)
    assert alone.excludes(alone) and alone.excludes(together) and together.excludes(alone)
    assert not together.excludes(together)
    assert not alone.excludes(HeldLock(HERE.moved(8)))


def test_a_lock_with_one_address_is_exact(tmp_path: Path) -> None:
    text = two_threads(f"\n{lock('a')} /* EXACT */\npthread_mutex_lock(p); /* EITHER */\n", "p = &b;", "void *p = &a;")
    facts = analysed(tmp_path, text)
    names = {}
    for mark in ("EXACT", "EITHER"):
        (term,) = [t for e in edges_at(facts, text, mark) if (t := lock_argument(e)) is not None]
        names[mark] = named_lock(term, facts.threads, facts.pointers)
    assert names["EXACT"].exact is not None and names["EXACT"].exact.object.name == "a"
    assert names["EITHER"].exact is None
    assert {pointer.object.name for pointer in names["EITHER"].pointers} == {"a", "b"}
    assert names["EITHER"].may_be(names["EXACT"].exact)
