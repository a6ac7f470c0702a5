"""Orders, the line they wait in, and what becomes of them."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from pincer.cli.serving.checks import Outcome
from pincer.cli.serving.orders import Bounds, Order
from tests.cli.serving.serving_client import Progress, finished, friend, order, server


def test_an_order_is_checked_and_its_report_can_be_fetched() -> None:
    client = friend(server())
    id_ = client.post("/api/checks", json=order("the text")).json()["id"]
    seen = finished(client, id_)
    assert seen["properties"][0]["why"] == "the text"
    assert client.get(f"/api/checks/{id_}/report").text == "<p>a.c</p>"


def test_two_hundred_checks_at_once_are_all_answered() -> None:
    client = friend(server())
    ids: list[str] = []

    def send(first: int) -> None:
        orders = [order(str(number)) for number in range(first, first + 20)]
        ids.extend(client.post("/api/checks", json=one).json()["id"] for one in orders)

    senders = [threading.Thread(target=send, args=(20 * i,)) for i in range(10)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    answers = {finished(client, id_)["properties"][0]["why"] for id_ in ids}
    assert answers == {str(number) for number in range(200)}


def test_a_check_that_falls_over_has_an_answer_too() -> None:
    def broken(order: Order, bounds: Bounds, on_progress: Progress) -> Outcome:
        raise ZeroDivisionError("by zero")

    client = friend(server(broken, at_once=1))
    ids = [client.post("/api/checks", json=order()).json()["id"] for _ in range(3)]
    for id_ in ids:
        assert finished(client, id_)["error"] == {"kind": "internal", "message": "ZeroDivisionError: by zero"}


def test_a_running_check_and_one_that_waits_can_be_cancelled() -> None:
    begun = threading.Event()

    def endless(order: Order, bounds: Bounds, on_progress: Progress) -> Outcome:
        begun.set()
        while True:
            on_progress({})

    client = friend(server(endless, at_once=1))
    runs, waits = (client.post("/api/checks", json=order()).json()["id"] for _ in range(2))
    assert begun.wait(10)
    assert client.get(f"/api/checks/{waits}").json()["state"] == "waiting"
    for id_ in (waits, runs):
        assert client.delete(f"/api/checks/{id_}").status_code == 204
        assert finished(client, id_)["error"]["kind"] == "cancelled"


_MISTAKES: list[tuple[Any, str]] = [
    ([], "JSON object"),
    ({"name": "a.c"}, "text"),
    (order(name="../a.c"), "plain file name"),
    (order(name="a.py"), "ends with .c"),
    (order(name="-a.c"), "plain file name"),
    (order(engine="magic"), "engine"),
    (order(property="--x y"), "property"),
    (order(property="secret.prp"), "by its name"),
    (order(name="a\0.c"), "plain file name"),
    (order(name="a/../../b.c"), "plain file name"),
    (order(name="a.c\n"), "plain file name"),
    (order(seconds=0), "seconds"),
    (order(seconds=1e9), "at most 60"),
    (order("x" * 1_000_001), "larger than"),
]


@pytest.mark.parametrize(("sent", "said"), _MISTAKES)
def test_a_wrong_order_is_refused_with_a_sentence(sent: Any, said: str) -> None:
    answer = friend(server()).post("/api/checks", json=sent)
    assert answer.status_code == 400
    assert said in answer.json()["error"]


def test_a_body_is_read_no_further_than_it_may_be_long() -> None:
    answer = friend(server()).post(
        "/api/checks", content=b"x" * 3_000_000, headers={"content-type": "application/json"}
    )
    assert answer.status_code == 413


def test_more_than_the_line_holds_is_refused() -> None:
    never = threading.Event()

    def stuck(order: Order, bounds: Bounds, on_progress: Progress) -> Outcome:
        never.wait(20)
        return Outcome()

    client = friend(server(stuck, at_once=1, waiting=10))
    codes = [client.post("/api/checks", json=order()).status_code for _ in range(15)]
    never.set()
    assert codes.count(202) in (10, 11)
    assert codes[-1] == 400


def test_what_is_not_there_is_said_to_be_missing() -> None:
    client = friend(server())
    for path in ("/api/checks/none", "/api/checks/none/report", "/assets/secret", "/nowhere"):
        assert client.get(path).status_code == 404


def test_there_are_examples_for_every_language() -> None:
    names = [example["name"] for example in friend(server()).get("/api/setup").json()["examples"]]
    assert {name.rpartition(".")[2] for name in names} == {"gcl", "c", "m"}


def test_examples_begin_with_the_property_that_they_are_about() -> None:
    properties = {
        example["name"]: example["property"] for example in friend(server()).get("/api/setup").json()["examples"]
    }
    assert properties["10-transfer.c"] == "deadlock"
    assert properties["7-lock.c"] == ""
