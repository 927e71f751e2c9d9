import { pathToFileURL } from "node:url";
import { Connection, type RpcError, type Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { createExecServer, type ExecServer, type ExecServerOptions } from "@quire/server/exec-server";
import { eventually, type TempDir, tempDir } from "@quire/testkit";

/** What happened to a process. */
export interface Told {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A client of an exec-server, which keeps all that it is told. */
export class ExecClient implements AsyncDisposable {
  readonly connection: Connection;
  readonly told: Told[] = [];
  sessionId = "";

  constructor(transport: Transport) {
    this.connection = new Connection(transport, {
      onNotification: ({ method, params }) => void this.told.push({ method, params: params as Told["params"] }),
    });
  }

  /** Says hello, as a new client or as one that comes back. */
  async hello(resumeSessionId?: string): Promise<this> {
    const { sessionId } = (await this.request("initialize", { clientName: "test", resumeSessionId })) as {
      sessionId: string;
    };
    this.sessionId = sessionId;
    this.connection.notify("initialized", {});
    return this;
  }

  request(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    return this.connection.request(method, params) as Promise<Readonly<Record<string, unknown>>>;
  }

  /** The code and the message of a request's error. */
  async refusal(method: string, params: object): Promise<readonly [code: number, message: string]> {
    const failure = await this.request(method, params).then(
      () => undefined,
      (error: RpcError) => error,
    );
    if (!failure) throw new Error(`${method} was not refused`);
    return [failure.code, failure.message];
  }

  start(processId: string, argv: readonly string[], more: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const env = { PATH: process.env.PATH };
    return this.request("process/start", { processId, argv, cwd: url("/"), env, tty: false, ...more });
  }

  /** What a process wrote so far. */
  output(processId: string): string {
    const own = this.told.filter(({ method, params }) => method === "process/output" && params.processId === processId);
    return own.map(({ params }) => Buffer.from(String(params.chunk), "base64").toString()).join("");
  }

  /** The exit code of a process, once it has ended. */
  async ended(processId: string): Promise<unknown> {
    const of = (name: string) =>
      this.told.find(({ method, params }) => method === name && params.processId === processId);
    await eventually(() => of("process/closed") !== undefined);
    return of("process/exited")?.params.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.close();
  }
}

/** An exec-server in this process, with a folder to work in. */
export interface ExecStage extends AsyncDisposable {
  readonly server: ExecServer;
  readonly dir: TempDir;
  /** A client that has said hello. */
  client(resumeSessionId?: string): Promise<ExecClient>;
  /** One that has not. */
  stranger(): ExecClient;
}

/** Starts an exec-server. */
export async function execStage(options: ExecServerOptions = {}): Promise<ExecStage> {
  const dir = await tempDir("quire-exec-server-");
  const env = { ...process.env, QUIRE_HOME: `${dir.path}/home` };
  const server = createExecServer({ env, ...options });
  const stranger = () => {
    const [near, far] = memoryPair();
    server.accept(far, { kind: "memory" });
    return new ExecClient(near);
  };
  return {
    server,
    dir,
    stranger,
    client: (resumed) => stranger().hello(resumed),
    async [Symbol.asyncDispose]() {
      await server.close();
      await dir.remove();
    },
  };
}

/** A path as it is named to exec-servers. */
export const url = (path: string): string => pathToFileURL(path).href;

/** The `sandbox` that Codex sends for a workspace. */
export function workspaceSandbox(folder: string): object {
  const special = (kind: string, subpath?: string) => ({ path: { type: "special", value: { kind, subpath } } });
  const kept = [".git", ".codex", ".aws"].map((name) => ({
    ...special("project_roots", name),
    access: "read",
    missing_path_behavior: "skip",
  }));
  const entries = [{ ...special("root"), access: "read" }, { ...special("project_roots"), access: "write" }, ...kept];
  return sandboxOf(folder, entries);
}

/** A `sandbox` with these entries. */
export function sandboxOf(folder: string, entries: readonly object[]): object {
  const permissions = { type: "managed", file_system: { type: "restricted", entries }, network: "restricted" };
  return { permissions, cwd: url(folder), workspaceRoots: [url(folder)] };
}
