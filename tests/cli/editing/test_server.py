"""An editor talks to `pincer lsp`: a real process on the other side, and a client that speaks the protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from pincer import __version__
from pincer.cli.editing.actions import WRITE_TEST

EXAMPLES = Path(__file__).parents[3] / "examples"
_PATIENCE_S = 90


class _Editor:
    """An editor that opens files and waits for what is said about them."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self._published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self._published.put_nowait(params)

    async def open(self, path: Path) -> list[types.Diagnostic]:
        item = types.TextDocumentItem(path.as_uri(), "c", 1, path.read_text(encoding="utf-8"))
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.told()

    async def save(self, path: Path) -> list[types.Diagnostic]:
        document = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
        return await self.told()

    async def told(self) -> list[types.Diagnostic]:
        said = await asyncio.wait_for(self._published.get(), _PATIENCE_S)
        return list(said.diagnostics)


def _edit(
    story: Callable[[_Editor], Awaitable[None]],
    capabilities: types.ClientCapabilities | None = None,
    configuration: dict[str, Any] | None = None,
) -> None:
    async def played() -> None:
        client = LanguageClient("test", __version__)
        editor = _Editor(client)
        await client.start_io(sys.executable, "-m", "pincer.cli", "lsp")
        asked = types.InitializeParams(
            capabilities or types.ClientCapabilities(), process_id=None, initialization_options=configuration
        )
        await client.initialize_async(asked)
        client.initialized(types.InitializedParams())
        try:
            await story(editor)
        finally:
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()  # type: ignore[no-untyped-call]

    asyncio.run(played())


def test_a_violation_is_an_error_at_its_line_with_the_steps_to_it() -> None:
    async def story(editor: _Editor) -> None:
        path = EXAMPLES / "7-lock.c"
        [error] = await editor.open(path)
        assert error.severity == types.DiagnosticSeverity.Error
        assert error.source == "pincer"
        assert "violated" in error.message
        assert error.related_information
        lines = path.read_text(encoding="utf-8").splitlines()
        assert "assert" in lines[error.range.start.line]

    _edit(story)


def test_verdicts_stand_above_the_first_line_and_values_where_they_change() -> None:
    async def story(editor: _Editor) -> None:
        path = EXAMPLES / "3-ticket-bug.gcl"
        [error] = await editor.open(path)
        document = types.TextDocumentIdentifier(path.as_uri())
        lenses: Any = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
        assert [lens.command.title for lens in lenses] == ["VIOLATED mutex"]
        place = types.HoverParams(document, error.range.start)
        hover = await editor.client.text_document_hover_async(place)
        assert hover is not None
        assert "step 6" in str(hover.contents)

    _edit(story)


def test_a_mended_program_loses_its_error_when_it_is_saved(tmp_path: Path) -> None:
    async def story(editor: _Editor) -> None:
        path = tmp_path / "a.c"
        path.write_text("int main(void) { return 0 }", encoding="utf-8")
        [mistake] = await editor.open(path)
        assert mistake.code == "input"
        assert mistake.range.start.line == 0
        path.write_text("int main(void) { return 0; }", encoding="utf-8")
        assert await editor.save(path) == []

    _edit(story)


def test_the_settings_of_the_project_count(tmp_path: Path) -> None:
    async def story(editor: _Editor) -> None:
        (tmp_path / "pincer.toml").write_text('property = "memory"\n', encoding="utf-8")
        path = tmp_path / "a.c"
        path.write_text("#include <assert.h>\nint main(void) { assert(0); }", encoding="utf-8")
        assert await editor.open(path) == []
        (tmp_path / "pincer.toml").write_text("propety = 1\n", encoding="utf-8")
        [mistake] = await editor.save(path)
        assert "property" in mistake.message

    _edit(story)


def test_a_closed_program_is_forgotten() -> None:
    async def story(editor: _Editor) -> None:
        path = EXAMPLES / "3-ticket-bug.gcl"
        assert await editor.open(path)
        document = types.TextDocumentIdentifier(path.as_uri())
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        assert await editor.told() == []

    _edit(story)


LOOP = """int nondet(void);
int main(void) {
    int i = 0;
    while (i < 10) {
        i++;
    }
    if (i != 10) {
        int *p = 0;
        *p = 1;
    }
    return 0;
}
"""


async def _actions(editor: _Editor, path: Path, line: int, found: list[types.Diagnostic]) -> list[str]:
    """The titles of what is offered."""
    place = types.Range(types.Position(line, 0), types.Position(line, 0))
    document = types.TextDocumentIdentifier(path.as_uri())
    asked = types.CodeActionParams(document, place, types.CodeActionContext(found))
    offered = await editor.client.text_document_code_action_async(asked)
    return [action.title for action in offered or ()]


def test_the_test_of_a_violation_is_written_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "lock.c"
    path.write_text((EXAMPLES / "7-lock.c").read_text(encoding="utf-8"), encoding="utf-8")

    async def story(editor: _Editor) -> None:
        [error] = await editor.open(path)
        titles = await _actions(editor, path, error.range.start.line, [error])
        assert "Write the test that shows this (assertions)" in titles and "Check leaks" in titles
        await editor.client.workspace_execute_command_async(
            types.ExecuteCommandParams(WRITE_TEST, arguments=[path.as_uri(), "assertions"])
        )
        assert list((tmp_path / "lock-assertions-test").iterdir())

    _edit(story)


def test_proved_lines_tell_what_is_proved_and_invariants_become_assertions(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text(LOOP, encoding="utf-8")

    async def story(editor: _Editor) -> None:
        assert await editor.open(path) == []
        document = types.TextDocumentIdentifier(path.as_uri())
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(4, 0)))
        assert hover is not None and isinstance(hover.contents, types.MarkupContent)
        assert "proved for all inputs: assertions, memory, overflow" in hover.contents.value

    _edit(story)


def test_progress_is_reported_to_editors_that_show_it(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text(LOOP, encoding="utf-8")
    told: list[str] = []

    async def story(editor: _Editor) -> None:
        @editor.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)  # type: ignore[untyped-decorator]
        def created(params: types.WorkDoneProgressCreateParams) -> None:
            told.append("created")

        @editor.client.feature(types.PROGRESS)  # type: ignore[untyped-decorator]
        def progressed(params: types.ProgressParams) -> None:
            said = params.value if isinstance(params.value, dict) else vars(params.value)
            told.append(str(said.get("message") or said["kind"]))

        await editor.open(path)

    _edit(story, types.ClientCapabilities(window=types.WindowClientCapabilities(work_done_progress=True)))
    assert told[:2] == ["created", "begin"] and told[-1] == "end"
    assert all(one != other for one, other in pairwise(told)), "nothing is said twice"


def test_the_editor_says_what_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text(LOOP.replace("i != 10", "i == 10"), encoding="utf-8")

    async def story(editor: _Editor) -> None:
        found = await editor.open(path)
        assert [item for item in found if item.severity == types.DiagnosticSeverity.Error] == []

    _edit(story, configuration={"property": "overflow"})
