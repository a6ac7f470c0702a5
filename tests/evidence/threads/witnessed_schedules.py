"""A program that loses an update, and tests of it, for both formats of witnesses."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from pincer.evidence.c.witness import Metadata
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep
from tests.evidence.threads.written_schedules import LOST_UPDATE_POINTS, Written

GIVEN = """\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x;
}
"""
SPECIFICATION = "CHECK( init(main()), LTL(G ! call(reach_error())) )"


def metadata(program: Written) -> Metadata:
    text = program.source.read_text()
    digest = hashlib.sha256(text.encode()).hexdigest()
    created = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return Metadata(str(program.source), text, digest, SPECIFICATION, "LP64", "Pincer", "1.0", "", "some-uuid", created)


def steps_of_update(program: Written) -> tuple[ThreadStep, ...]:
    increment = program.at("counter++")
    return (
        ThreadStep(0, program.at("pthread_create(&a"), "main", "pthread_create", creates=1),
        ThreadStep(0, program.at("pthread_create(&b"), "main", "pthread_create", creates=2),
        ThreadStep(1, increment, "worker", "", reads=(("counter", "0"),)),
        ThreadStep(2, increment, "worker", "", reads=(("counter", "0"),)),
        ThreadStep(1, increment, "worker", "", (("counter", "1"),)),
        ThreadStep(2, increment, "worker", "", (("counter", "1"),)),
        ThreadStep(0, program.at("pthread_join(a"), "main", "pthread_join"),
    )


def lost_update(program: Written) -> ThreadedTest:
    stops = "0 reads counter @ assert("
    return program.test("assertion", LOST_UPDATE_POINTS, stops, steps=steps_of_update(program))


def given_input(program: Written) -> ThreadedTest:
    """A test of `GIVEN` with one input."""
    place = "__VERIFIER_nondet_int();"
    step = ThreadStep(0, program.at(place), "main", "", (("x", "-3"),), inputs=1)
    return program.test("assertion", "0 ends @ return", "0 ends @ return", ((0, place, -3),), (step,))
