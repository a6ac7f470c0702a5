"""Texts of MSVL that several tests read."""

from __future__ import annotations

from pincer.frontends.msvl import parse_program, syntax


def written(text: str) -> syntax.Statement:
    return parse_program(text, "f.m").written
