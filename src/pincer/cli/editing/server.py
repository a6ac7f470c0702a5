"""The language server: when to check, and how answers reach the editor."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from pincer import __version__
from pincer.api import Options, Progress, check
from pincer.cli.arguments import project_settings
from pincer.cli.editing.remarks import CHECK, Remarks, remarks_on, remarks_on_mistake
from pincer.errors import PincerError

_HONOURED = ("property", "rule", "engine", "timeout", "memory", "define", "data_model", "entry", "include", "jobs")
"""Settings that say how a program is checked; the others say what is printed."""


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


def language_server(timeout: float, memory_mb: int) -> LanguageServer:
    """A server that is ready to be started."""
    server = LanguageServer("pincer", __version__)
    documents = _Documents()

    async def examine(uri: str) -> None:
        outdated = documents.begin(uri)
        server.window_log_message(types.LogMessageParams(types.MessageType.Info, f"checking {uri}"))
        try:
            remarks = await asyncio.to_thread(_remarks, uri, timeout, memory_mb, outdated)
        except _Outdated:
            return
        if outdated.is_set():
            return
        documents.remarks[uri] = remarks
        diagnostics = list(remarks.diagnostics)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
        workspace = server.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            server.workspace_code_lens_refresh(None)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await examine(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        await examine(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        documents.forget(params.text_document.uri)
        documents.remarks.pop(params.text_document.uri, None)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    @server.command(CHECK)
    async def asked(uri: str) -> None:
        await examine(uri)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        return list(documents.remarks.get(params.text_document.uri, Remarks()).lenses)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        lines = documents.remarks.get(params.text_document.uri, Remarks()).values.get(params.position.line)
        if not lines:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, "\n".join(lines)))

    return server


def _remarks(uri: str, timeout: float, memory_mb: int, outdated: threading.Event) -> Remarks:
    """Check the program as it is on disk."""

    def on_progress(progress: Progress) -> None:
        if outdated.is_set():
            raise _Outdated

    path = Path(unquote(urlparse(uri).path))
    options: Options = {"timeout": timeout, "memory": memory_mb, "on_progress": on_progress}
    try:
        found = project_settings(path.parent)
        if "define" in found:
            found["define"] = dict(found["define"])
        # The settings have been read under the names that options have.
        options.update({name: found[name] for name in _HONOURED if name in found})  # type: ignore[typeddict-item]
        return remarks_on(check(path, **options), uri)
    except PincerError as error:
        return remarks_on_mistake(error)
