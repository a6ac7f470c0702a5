"""Counterexamples as data: they survive JSON, and what is malformed is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.msvl.counterexample import from_json, to_json
from tests.evidence.msvl.test_replay import TRUE_CLAIMS


def test_json_is_the_inverse_of_itself() -> None:
    for claimed, _ in TRUE_CLAIMS:
        full = replace(claimed, tree_nodes=(0, 1, 2), graph_nodes=(0, -1), violating_state=1)
        assert from_json(json.loads(json.dumps(to_json(full)))) == full


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"format": "other"}, "format"),
    ({"formula": 3}, "formula"),
    ({"inputs": {"s_x": "3"}}, "inputs"),
    ({"inputs": {"s_x": True}}, "inputs"),
    ({"kind": "loop"}, "kind"),
    ({"states": []}, "at least one state"),
    ({"states": [3]}, "states"),
    ({"states": [{"values": {}, "holds": ["q"]}]}, "unknown proposition"),
    ({"violating_state": 9}, "no state 9"),
    ({"lasso_start": 0}, "lasso_start"),
    ({"tree_nodes": ["0"]}, "tree_nodes"),
    ({"interpretation": {}}, "same_state"),
]


@pytest.mark.parametrize(("change", "named"), BROKEN)
def test_malformed_data_names_the_field(change: dict[str, Any], named: str) -> None:
    data = to_json(TRUE_CLAIMS[0][0]) | change
    with pytest.raises(PincerError, match=named):
        from_json(data)
    with pytest.raises(PincerError):
        from_json([data])
