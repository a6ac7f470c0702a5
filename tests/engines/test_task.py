"""Claims of engines: what is said about a property before anybody has confirmed it."""

from __future__ import annotations

from pincer.engines.task import Exhaustion, Open, Proved
from pincer.runtime.reasons import Reason


def test_a_claim_speaks_for_itself() -> None:
    proved = Proved(name="p", engine="ase", summary="all explored", proof=Exhaustion(), check="exhaustion")
    opened = Open(name="p", engine="ase", summary="not said", reason=Reason("too many states"))
    assert (proved.verdict, proved.said) == ("safe", "all explored")
    assert (opened.verdict, opened.said) == ("unknown", "too many states")


def test_claims_do_not_share_what_they_hold() -> None:
    first, second = (Open(name=name, engine="ase", reason=Reason("")) for name in "pq")
    assert first.statistics == {} and first.statistics is not second.statistics
