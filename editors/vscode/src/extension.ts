// The client of `pincer lsp`: starts the server, hands over the editor's settings, and offers two commands.
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const LANGUAGES = ["c", "gcl", "msvl"];
let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("pincer.checkThis", checkThis),
    vscode.commands.registerCommand("pincer.restart", start),
    vscode.workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("pincer") ? start() : undefined)),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Start the server, or start it again with other settings. */
async function start(): Promise<void> {
  await client?.stop();
  const settings = vscode.workspace.getConfiguration("pincer");
  const command = settings.get<string>("command", "pincer");
  const server: ServerOptions = { command, args: ["lsp", "--timeout", String(settings.get<number>("timeout", 30))] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    initializationOptions: configured(settings),
  };
  client = new LanguageClient("pincer", "Pincer", server, options);
  try {
    await client.start();
  } catch {
    const said = `Pincer: \`${command} lsp\` cannot be started; install it with \`pip install pincer\` or set pincer.command.`;
    void vscode.window.showErrorMessage(said);
  }
}

/** What the server is told; what is not set stays as the project has it. */
function configured(settings: vscode.WorkspaceConfiguration): Record<string, unknown> {
  const property = settings.get<string[]>("property", []);
  return {
    timeout: settings.get<number>("timeout", 30),
    memory: settings.get<number>("memory", 2000),
    engine: settings.get<string>("engine", "auto"),
    ...(property.length > 0 ? { property } : {}),
  };
}

async function checkThis(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined) {
    await document.save();
    await client?.sendRequest("workspace/executeCommand", { command: "pincer.check", arguments: [document.uri.toString()] });
  }
}
