"""What the headers of the GNU C library make of errno and of the classes of characters."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from tests.frontends.c.lowered_c import result_of

TABLES = "extern const unsigned short **__ctype_b_loc(void); extern const int **__ctype_tolower_loc(void);\n"


def test_errno_is_an_object(tmp_path: Path) -> None:
    text = "extern int *__errno_location(void); long long result;\n"
    text += "int main(void) { (*__errno_location()) = 4; result = (*__errno_location()) + 1; return 0; }"
    assert result_of(tmp_path, text) == 5


@pytest.mark.parametrize("character", [-1, 0, 9, 32, 48, 65, 97, 122, 200, 255])
def test_the_classes_of_characters_are_those_of_the_library(tmp_path: Path, character: int) -> None:
    library = ctypes.CDLL(None)
    if not hasattr(library, "__ctype_b_loc"):
        pytest.skip("this is another C library")
    library.__ctype_b_loc.restype = ctypes.POINTER(ctypes.POINTER(ctypes.c_ushort))
    expected = library.__ctype_b_loc()[0][character]
    lower = library.tolower(character)
    text = f"{TABLES}long long result; int main(void) {{ int c = {character};\n"
    text += "  result = 1000 * (long long)(*__ctype_b_loc())[c] + (*__ctype_tolower_loc())[c]; return 0; }"
    assert result_of(tmp_path, text) == 1000 * expected + lower
