"""The recorded characters of a command line are texts, for processes and for people."""

from __future__ import annotations

from pincer.evidence.c.command_line import CommandLine, command_line, quoted
from tests.evidence.c.recorded_tests import integer, value


def test_characters_up_to_the_first_zero_are_an_argument() -> None:
    inputs = (
        value("argc", 3, "command"),
        *(value(f"argv[1][{i}]", byte, "command", width=8) for i, byte in enumerate(b"-7\0x")),
        *(value(f"argv[2][{i}]", byte, "command", width=8) for i, byte in enumerate(b"ab\xff")),
        *(value(f"argv[3][{i}]", byte, "command", width=8) for i, byte in enumerate(b"not given")),
        integer(4),
    )
    found = command_line(inputs)
    assert found == CommandLine(3, (b"-7", b"ab\xff"))
    assert found.words == ("-7", "ab\udcff")
    assert found.shown() == [("argc", "3"), ("argv[1]", '"-7"'), ("argv[2]", '"ab\\377"')]


def test_a_program_that_looks_at_no_argument_has_no_command_line() -> None:
    assert command_line((integer(4),)).shown() == []


def test_texts_are_written_as_in_c() -> None:
    assert quoted(b'a"\\\n\x01') == '"a\\"\\\\\\n\\001"'
