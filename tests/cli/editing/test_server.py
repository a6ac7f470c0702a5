"""An editor talks to `pincer lsp`: a real process on the other side, and a client that speaks the protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from pincer import __version__

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


def _edit(story: Callable[[_Editor], Awaitable[None]]) -> None:
    async def played() -> None:
        client = LanguageClient("test", __version__)
        editor = _Editor(client)
        await client.start_io(sys.executable, "-m", "pincer.cli", "lsp")
        await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), process_id=None))
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
