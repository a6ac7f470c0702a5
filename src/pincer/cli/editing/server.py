"""The language server: when to check, and how answers reach the editor."""

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse
from uuid import uuid4

from lsprotocol import types
from msgspec.structs import replace
from pygls.lsp.server import LanguageServer

from pincer import __version__
from pincer.api import Options, Progress, check
from pincer.cli.arguments import project_settings
from pincer.cli.editing.actions import CHECK_PROPERTY, WRITE_TEST, actions_at
from pincer.cli.editing.libraries import edited_file
from pincer.cli.editing.proofs import proofs_of
from pincer.cli.editing.remarks import CHECK, Remarks, remarks_on, remarks_on_library, remarks_on_mistake
from pincer.errors import PincerError

_HONOURED = ("property", "rule", "engine", "timeout", "memory", "define", "data_model", "entry", "include", "jobs")
"""Settings that say how a program is checked; the others say what is printed."""

CONFIGURED = ("timeout", "memory", "property", "engine", "jobs", "data_model", "include")
"""What an editor may configure; the settings of the project count more."""


class _Outdated(Exception):
    """A newer check of the same program has begun, or it was closed."""


class _Documents:
    """What is known about the programs that the editor has open."""

    def __init__(self) -> None:
        self.remarks: dict[str, Remarks] = {}
        self._latest: dict[str, threading.Event] = {}

    def begin(self, uri: str) -> threading.Event:
        """A new check: it ends the one before, and ends itself when its event is set."""
        self.forget(uri)
        self._latest[uri] = threading.Event()
        return self._latest[uri]

    def forget(self, uri: str) -> None:
        if uri in self._latest:
            self._latest.pop(uri).set()


class _Progress:
    """What a check is doing, shown by editors that can; the others hear nothing."""

    def __init__(self, server: LanguageServer, name: str) -> None:
        window = server.client_capabilities.window
        self._server = server
        self._title = f"Pincer: {name}"
        self._said = ""
        self._token = str(uuid4()) if window is not None and window.work_done_progress else None

    async def begin(self) -> None:
        if self._token is not None:
            await self._server.work_done_progress.create_async(self._token)
            self._server.work_done_progress.begin(self._token, types.WorkDoneProgressBegin(self._title))

    def report(self, progress: Progress) -> None:
        if self._token is not None:
            said = f"{progress.elapsed_s:.0f} s, {progress.engine} {progress.phase}".strip()
            if said == self._said:
                return
            self._said = said
            self._server.work_done_progress.report(self._token, types.WorkDoneProgressReport(message=said))

    def end(self) -> None:
        if self._token is not None:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())


class _Server:
    """The open programs of one editor, and how it wants them checked."""

    def __init__(self, server: LanguageServer, timeout: float, memory_mb: int) -> None:
        self.server = server
        self.documents = _Documents()
        self._options: Options = {"timeout": timeout, "memory": memory_mb}

    def configure(self, settings: Any) -> None:
        """Take what the editor's own settings say; what is no setting is passed over."""
        given = settings.get("pincer", settings) if isinstance(settings, dict) else {}
        known = {name: given[name] for name in CONFIGURED if isinstance(given, dict) and given.get(name)}
        self._options.update(known)  # type: ignore[typeddict-item]

    async def examine(self, uri: str, **more: Any) -> None:
        """Check a program and tell the editor."""
        outdated = self.documents.begin(uri)
        server, progress = self.server, _Progress(self.server, Path(unquote(urlparse(uri).path)).name)
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, f"checking {uri}"))
        await progress.begin()
        loop = asyncio.get_running_loop()

        def on_progress(seen: Progress) -> None:
            if outdated.is_set():
                raise _Outdated
            loop.call_soon_threadsafe(progress.report, seen)

        try:
            options: Options = {**self._options, "on_progress": on_progress}
            remarks = await asyncio.to_thread(_remarks, uri, options, more)
        except _Outdated:
            return
        finally:
            progress.end()
        if not outdated.is_set():
            self._tell(uri, remarks)

    def _tell(self, uri: str, remarks: Remarks) -> None:
        self.documents.remarks[uri] = remarks
        diagnostics = list(remarks.diagnostics)
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
        workspace = self.server.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.server.workspace_code_lens_refresh(None)

    async def write_test(self, uri: str, name: str) -> None:
        """Keep the test that shows a violation in a folder beside the program."""
        path = Path(unquote(urlparse(uri).path))
        folder = path.with_name(f"{path.stem}-{name}-test")
        await self.examine(uri, property=name, test_out=folder)
        kind = types.MessageType.Info if folder.is_dir() else types.MessageType.Warning
        said = f"the test is in {folder}" if folder.is_dir() else f"no test was written: {name} is not violated (now)"
        self.server.window_show_message(types.ShowMessageParams(kind, said))


def language_server(timeout: float, memory_mb: int) -> LanguageServer:
    """A server that is ready to be started."""
    server = LanguageServer("pincer", __version__)
    here = _Server(server, timeout, memory_mb)

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        pass

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        here.configure(params.initialization_options)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: types.DidChangeConfigurationParams) -> None:
        here.configure(params.settings)

    _follow_documents(server, here)
    _answer_questions(server, here)
    return server


def _follow_documents(server: LanguageServer, here: _Server) -> None:
    """Check programs when they are opened, saved, or when that is asked for."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await here.examine(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        await here.examine(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        here.documents.forget(params.text_document.uri)
        here.documents.remarks.pop(params.text_document.uri, None)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    @server.command(CHECK)
    async def asked(uri: str) -> None:
        await here.examine(uri)

    @server.command(CHECK_PROPERTY)
    async def asked_property(uri: str, name: str) -> None:
        await here.examine(uri, property=name)

    @server.command(WRITE_TEST)
    async def asked_test(uri: str, name: str) -> None:
        await here.write_test(uri, name)


def _answer_questions(server: LanguageServer, here: _Server) -> None:
    """What the editor asks about places of a program."""

    def remarks(document: types.TextDocumentIdentifier) -> Remarks:
        return here.documents.remarks.get(document.uri, Remarks())

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        return list(remarks(params.text_document).lenses)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, line = params.text_document.uri, params.range.start.line
        text = server.workspace.get_text_document(uri).source
        return list(actions_at(uri, line, params.context.diagnostics, remarks(params.text_document).proofs, text))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        found, line = remarks(params.text_document), params.position.line
        lines = [*found.values.get(line, ()), *found.proofs.told(line)]
        if not lines:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, "\n".join(lines)))


def _remarks(uri: str, options: Options, more: dict[str, Any]) -> Remarks:
    """Check the program as it is on disk; `more` is what this check asks for beyond the settings."""
    path = Path(unquote(urlparse(uri).path))
    with tempfile.TemporaryDirectory(prefix="pincer-") as folder:
        data = Path(folder) / "report.json"
        try:
            found = project_settings(path.parent)
            edited = edited_file(path, found.get("entry"))
            if edited.note:
                return remarks_on_library(edited.note)
            if "define" in found:
                found["define"] = dict(found["define"])
            # The settings have been read under the names that options have.
            honoured = {name: found[name] for name in _HONOURED if name in found}
            chosen: Options = {**options, **honoured, **more, "report": data}  # type: ignore[typeddict-item]
            remarks = remarks_on(check(path, *edited.others, **chosen), uri)
            return replace(remarks, proofs=proofs_of(json.loads(data.read_text(encoding="utf-8"))))
        except PincerError as error:
            return remarks_on_mistake(error)
