from __future__ import annotations

from pincer.evidence.c.tokens import read


def test_comments_strings_and_directives_hide_what_they_contain() -> None:
    text = "#define f() {\n/* g() { */ // h() {\nint real(void) { return \"k() {\"[0] + '{'; }\n"
    assert set(read(text).definitions) == {"real"}


def test_prototypes_are_no_definitions() -> None:
    text = 'int f(int);\nint g(void) __attribute__((noreturn));\nint h(void) __asm__("x");\nstruct s { int a; };\n'
    assert not read(text).definitions


def test_old_style_definitions_and_attributes_are_found() -> None:
    text = "int f(a, b) int a; char *b; { return a; }\nint g(void) __attribute__((cold)) { return 1; }\n"
    assert set(read(text).definitions) == {"f", "g"}


def test_calls_inside_bodies_are_no_definitions() -> None:
    text = "int f(void) { if (g()) { h(); } while (k()) {} return 0; }\n"
    assert set(read(text).definitions) == {"f"}


def test_lines_follow_markers() -> None:
    tokens = read('# 40 "user.c"\nint x;\n\n#line 7\nint y;\n', "other.i").tokens
    places = {token.text: (token.file, token.line, token.column) for token in tokens}
    assert places["x"] == ("user.c", 40, 5)
    assert places["y"] == ("user.c", 7, 5)


def test_names_of_files_in_markers_are_read_as_they_were_before_they_were_written_there() -> None:
    tokens = read('# 1 "a\\\\b\\"c.c"\nint x;\n', "other.i").tokens
    assert {token.file for token in tokens if token.text == "x"} == {'a\\b"c.c'}


def test_unbalanced_text_is_read_without_harm() -> None:
    assert set(read("int f(void) { ( [ \n").definitions) == {"f"}
    assert not read(")]}{").definitions


def test_the_function_around_a_line_is_found_by_file_and_line() -> None:
    source = read("int a;\nint f(void)\n{\n  return 1;\n}\nint b;\n", "folder/user.c")
    assert list(source.enclosing(4, "user.c")) == [source.definitions["f"]]
    assert list(source.enclosing(6, "user.c")) == []
    assert list(source.enclosing(4, "other.c")) == []
